//! Lines of a text that is read piece by piece.

use std::io::{self, Read};

/// The longest line accepted, bytes; mangled names are long, but not that long.
pub const LONGEST_LINE: usize = 1 << 20;

/// Read at once.
const PIECE: usize = 256 << 10;

/// Why there is no next line.
#[derive(Debug)]
pub enum LineError {
    /// The text cannot be read.
    Io(io::Error),
    /// No line end within [`LONGEST_LINE`] bytes.
    TooLong,
}

/// Splits what a reader gives into lines, holding one piece of it in memory.
pub struct Lines {
    source: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// The unread part of the buffer.
    start: usize,
    end: usize,
    ended: bool,
    open: bool,
    /// What reading ahead has met, until somebody gets there.
    failed: Option<io::Error>,
    /// Lines given.
    count: u64,
}

impl Lines {
    /// Over a reader; it is read in large pieces, so it need not be buffered.
    pub fn new(source: Box<dyn Read + Send>) -> Lines {
        Lines {
            source,
            buffer: vec![0; PIECE],
            start: 0,
            end: 0,
            ended: false,
            open: false,
            failed: None,
            count: 0,
        }
    }

    /// Over a text that follows the first `count` lines of another.
    pub fn after(count: u64, text: Vec<u8>) -> Lines {
        Lines {
            end: text.len(),
            buffer: text,
            ended: true,
            count,
            ..Lines::new(Box::new(io::empty()))
        }
    }

    /// The whole text that [`Lines::after`] was given.
    pub fn into_text(self) -> Vec<u8> {
        self.buffer
    }

    /// Takes all up to the first line that is `last` but for blanks, that line included; none if there is no such line within
    /// `most` bytes. Lines taken count as given.
    pub fn cut(&mut self, last: &[u8], most: usize) -> Option<Vec<u8>> {
        let finder = memchr::memmem::Finder::new(last);
        let mut searched = 0;
        loop {
            let unread = &self.buffer[self.start..self.end];
            while let Some(at) = finder.find(&unread[searched..]) {
                searched += at;
                let Some(length) = memchr::memchr(b'\n', &unread[searched..]) else {
                    break;
                };
                let begin = memchr::memrchr(b'\n', &unread[..searched]).map_or(0, |end| end + 1);
                searched += length;
                if unread[begin..searched].trim_ascii() == last {
                    let text = unread[..=searched].to_vec();
                    self.start += text.len();
                    self.count += memchr::memchr_iter(b'\n', &text).count() as u64;
                    return Some(text);
                }
            }
            if self.ended || self.failed.is_some() || unread.len() > most {
                return None;
            }
            // What is left has the word at `searched`, or at most a part of it at its end.
            if !unread[searched..].starts_with(last) {
                searched = searched.max((unread.len() + 1).saturating_sub(last.len()));
            }
            if let Err(error) = self.fill() {
                self.failed = Some(error);
            }
        }
    }

    /// Number of the line given last, from 1.
    pub fn number(&self) -> u64 {
        self.count
    }

    /// Whether the last line is reached and has no line end.
    pub fn last_is_open(&self) -> bool {
        self.open
    }

    /// The next line without its end (`\n` or `\r\n`), or none at the end. A last line without `\n` counts as a line.
    #[inline]
    pub fn next(&mut self) -> Result<Option<&[u8]>, LineError> {
        let Some(length) = self.find()? else {
            return Ok(None);
        };
        let from = self.start;
        self.start = self.end.min(from + length + 1);
        self.count += 1;
        Ok(Some(trim(&self.buffer[from..from + length])))
    }

    /// What [`Lines::next`] will give.
    pub fn peek(&mut self) -> Result<Option<&[u8]>, LineError> {
        let length = self.find()?;
        Ok(length.map(|length| trim(&self.buffer[self.start..self.start + length])))
    }

    /// Length of the next line without `\n`; all of it is in the buffer.
    #[inline]
    fn find(&mut self) -> Result<Option<usize>, LineError> {
        let mut searched = 0;
        loop {
            let unread = &self.buffer[self.start..self.end];
            if let Some(at) = memchr::memchr(b'\n', &unread[searched..]) {
                return Ok(Some(searched + at));
            }
            searched = unread.len();
            if self.ended {
                self.open |= searched > 0;
                return Ok((searched > 0).then_some(searched));
            }
            if searched > LONGEST_LINE {
                self.count += 1;
                return Err(LineError::TooLong);
            }
            self.fill().map_err(LineError::Io)?;
        }
    }

    /// Moves the unread part to the front and reads behind it.
    fn fill(&mut self) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end + PIECE / 2 > self.buffer.len() {
            self.buffer.resize(self.end + PIECE, 0);
        }
        match self.source.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.ended = true,
            Ok(read) => self.end += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

fn trim(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
