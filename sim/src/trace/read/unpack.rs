//! Packed files, told by their first bytes.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The most memory that unpacking may take, KiB. `xz -9` needs 65 MiB, `zstd --ultra -22` 128 MiB.
const MEMORY_KIB: u32 = 160 << 10;

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not.
    Plain,
    /// The XZ format.
    Xz,
    /// Zstandard.
    Zstd,
}

impl Packing {
    /// Told by the first bytes of a file.
    pub fn of(head: &[u8]) -> Packing {
        if head.starts_with(b"\xfd7zXZ\0") {
            Packing::Xz
        } else if head.starts_with(b"\x28\xb5\x2f\xfd") {
            Packing::Zstd
        } else {
            Packing::Plain
        }
    }

    /// `xz` or `zstd`.
    pub fn name(self) -> &'static str {
        match self {
            Packing::Plain => "text",
            Packing::Xz => "xz",
            Packing::Zstd => "zstd",
        }
    }
}

/// The plain text of a source that may be packed.
pub fn unpack(mut source: Box<dyn Read + Send>) -> io::Result<(Packing, Box<dyn Read + Send>)> {
    let mut head = Vec::new();
    source.by_ref().take(6).read_to_end(&mut head)?;
    let packing = Packing::of(&head);
    let whole = Cursor::new(head).chain(source);
    let plain: Box<dyn Read + Send> = match packing {
        Packing::Plain => Box::new(whole),
        Packing::Xz => Box::new(XzReader::new_mem_limit(
            BufReader::with_capacity(64 << 10, whole),
            true,
            MEMORY_KIB,
        )),
        Packing::Zstd => Box::new(Frames::new(Box::new(whole))),
    };
    Ok((packing, plain))
}

/// All frames of a Zstandard file, one after the other.
struct Frames {
    source: BufReader<Box<dyn Read + Send>>,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl Frames {
    fn new(source: Box<dyn Read + Send>) -> Frames {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(u64::from(MEMORY_KIB) << 10);
        Frames {
            source: BufReader::with_capacity(64 << 10, source),
            decoder,
            in_frame: false,
        }
    }

    /// Starts the next frame; false: there is none.
    fn start(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    if io::copy(&mut self.source.by_ref().take(length), &mut io::sink())? < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }

    /// Ends the frame: its checksum, where it has one, must be right.
    fn finish(&mut self) -> io::Result<()> {
        let said = self.decoder.get_checksum_from_data();
        if said.is_some() && said != self.decoder.get_calculated_checksum() {
            return Err(io::Error::other("the checksum is wrong"));
        }
        Ok(())
    }
}

impl Read for Frames {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !out.is_empty() {
            if !self.in_frame {
                if !self.start()? {
                    return Ok(0);
                }
                self.in_frame = true;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let some = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder
                    .decode_blocks(&mut self.source, some)
                    .map_err(io::Error::other)?;
            }
            let read = self.decoder.read(out)?;
            if read > 0 {
                return Ok(read);
            }
            self.finish()?;
            self.in_frame = false;
        }
        Ok(0)
    }
}
