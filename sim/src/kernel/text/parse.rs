//! The reader: directives, labels and instructions.

use std::collections::HashMap;
use std::ops::Range;

use super::error::TextError;
use super::lex::{Token, lex};
use super::names::Named;
use super::operands::Operands;
use super::parse_op::parse_mnemonic;
use crate::kernel::op::{BlockId, Op, Ty};
use crate::kernel::verify::{Problem, verify};
use crate::kernel::{Block, GlobalVar, Guard, Kernel, Line, Param, Pred, RegSpace};

/// Longest text that is read, bytes.
pub const MAX_TEXT_BYTES: usize = 16 << 20; // assumed: two hundred thousand instructions

/// Whether a text looks like a kernel in this form: its first word is `.kernel`.
pub fn is_kernel_text(text: &str) -> bool {
    let start = text.lines().map(str::trim_start);
    let mut code = start.filter(|line| !line.is_empty() && !line.starts_with("//"));
    code.next().is_some_and(|line| {
        line.strip_prefix(".kernel")
            .is_some_and(|rest| rest.starts_with(char::is_whitespace))
    })
}

/// Reads one kernel and [verifies](verify) it. `file` is the name for messages.
///
/// # Errors
/// The text is no kernel, or one that is malformed; the message says where and what was expected.
pub fn parse(text: &str, file: &str) -> Result<Kernel, TextError> {
    let fail = |(at, expected): Failure| TextError::syntax(file, text, at, &expected);
    if text.len() > MAX_TEXT_BYTES {
        let expected = format!("at most {MAX_TEXT_BYTES} bytes");
        return Err(fail((0..0, expected)));
    }
    let mut reader = Reader {
        cursor: Cursor {
            tokens: lex(text),
            next: 0,
            end: text.len(),
        },
        line_starts: std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect(),
        regs_place: 0..0,
        targets: Vec::new(),
        labels: Vec::new(),
        places: Vec::new(),
        block_number: 0,
    };
    let kernel = reader.kernel().map_err(fail)?;
    verify(&kernel).map_err(|error| {
        let block = kernel
            .blocks
            .iter()
            .rposition(|block| Some(&block.label) == error.block.as_ref());
        let at = match (&error.problem, block, error.inst) {
            (Problem::TooManyRegisters(_), ..) => Some(reader.regs_place.clone()),
            (Problem::DuplicateLabel, Some(block), _) => reader.labels.get(block).cloned(),
            (_, Some(block), Some(inst)) => reader
                .places
                .get(block)
                .and_then(|places| places.get(inst).cloned()),
            _ => None,
        };
        let at = at.unwrap_or(text.len()..text.len());
        let expected = format!("a well-formed kernel ({})", error.problem);
        TextError::new(file, text, at, &expected, error.problem.cure())
    })?;
    Ok(kernel)
}

/// Where, and what was expected.
pub(super) type Failure = (Range<usize>, String);

/// Tokens, read from left to right.
pub(super) struct Cursor<'a> {
    tokens: Vec<(Token<'a>, Range<usize>)>,
    next: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    pub fn peek(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    fn peek_second(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.next + 1).map(|(token, _)| token)
    }

    /// Place of the next token.
    pub fn place(&self) -> Range<usize> {
        let next = self.tokens.get(self.next);
        next.map_or(self.end..self.end, |(_, at)| at.clone())
    }

    /// Place of the token before the next.
    pub fn place_before(&self) -> Range<usize> {
        let before = self.next.checked_sub(1).and_then(|i| self.tokens.get(i));
        before.map_or(0..0, |(_, at)| at.clone())
    }

    pub fn advance(&mut self) {
        self.next += 1;
    }

    pub fn expected<T>(&self, what: impl Into<String>) -> Result<T, Failure> {
        Err((self.place(), what.into()))
    }

    pub fn take_mark(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(&Token::Mark(mark));
        self.next += usize::from(found);
        found
    }

    pub fn mark(&mut self, mark: char) -> Result<(), Failure> {
        if self.take_mark(mark) {
            Ok(())
        } else {
            self.expected(format!("`{mark}`"))
        }
    }

    pub fn word(&mut self, what: &str) -> Result<&'a str, Failure> {
        match self.peek() {
            Some(&Token::Word(word)) => {
                self.advance();
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    fn exact_word(&mut self, word: &str) -> Result<(), Failure> {
        if self.peek() == Some(&Token::Word(word)) {
            self.advance();
            Ok(())
        } else {
            self.expected(format!("`{word}`"))
        }
    }

    pub fn name(&mut self, what: &str) -> Result<String, Failure> {
        let name = match self.peek() {
            Some(Token::Word(word)) => (*word).to_owned(),
            Some(Token::Quoted(text)) => text.clone(),
            _ => return self.expected(what),
        };
        self.advance();
        Ok(name)
    }

    /// An unsigned number, decimal or hexadecimal, of at most `most`.
    pub fn number(&mut self, what: &str, most: u64) -> Result<u64, Failure> {
        match self.peek() {
            Some(Token::Word(word)) => match unsigned(word) {
                Some(number) if number <= most => {
                    self.advance();
                    Ok(number)
                }
                Some(_) => self.expected(format!("{what} of at most {most}")),
                None => self.expected(what),
            },
            _ => self.expected(what),
        }
    }

    fn number32(&mut self, what: &str) -> Result<u32, Failure> {
        Ok(self.number(what, u64::from(u32::MAX))? as u32)
    }
}

/// A decimal or hexadecimal number.
pub(super) fn unsigned(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(digits) if is_digits(digits, 16) => u64::from_str_radix(digits, 16).ok(),
        None if is_digits(word, 10) => word.parse().ok(),
        _ => None,
    }
}

/// Whether all characters are digits of that base: the standard library would take a sign.
pub(super) fn is_digits(text: &str, base: u32) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_digit(base))
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    line_starts: Vec<usize>,
    /// Place of the number of registers.
    regs_place: Range<usize>,
    /// Branches and calls: block, instruction, label and its place.
    targets: Vec<(usize, usize, String, Range<usize>)>,
    /// Place of each block's label.
    labels: Vec<Range<usize>>,
    /// Place of each instruction of each block.
    places: Vec<Vec<Range<usize>>>,
    /// The block that is read.
    block_number: usize,
}

impl Reader<'_> {
    fn kernel(&mut self) -> Result<Kernel, Failure> {
        self.cursor.exact_word(".kernel")?;
        let name = self.cursor.name("the name of the kernel")?;
        self.cursor.mark(';')?;
        self.cursor.exact_word(".regs")?;
        let mut kernel = Kernel {
            name,
            params: Vec::new(),
            globals: Vec::new(),
            shared_bytes: 0,
            local_bytes: 0,
            regs: self.regs()?,
            blocks: Vec::new(),
            rounds: Vec::new(),
        };
        while let Some(Token::Word(word)) = self.cursor.peek()
            && word.starts_with('.')
        {
            self.directive(&mut kernel)?;
        }
        while self.cursor.peek().is_some() {
            self.line(&mut kernel)?;
        }
        self.resolve(&mut kernel)?;
        Ok(kernel)
    }

    fn regs(&mut self) -> Result<RegSpace, Failure> {
        let most = u64::from(u16::MAX);
        let at = self.cursor.place();
        let space = self.cursor.word("`virtual` or `architected`")?;
        self.regs_place = self.cursor.place();
        let regs = self.cursor.number("the number of registers", most)? as u16;
        self.cursor.mark(',')?;
        let preds = self.cursor.number("the number of predicates", most)? as u16;
        self.cursor.mark(';')?;
        match space {
            "virtual" => Ok(RegSpace::Virtual { regs, preds }),
            "architected" => Ok(RegSpace::Architected { regs, preds }),
            _ => Err((at, "`virtual` or `architected`".to_owned())),
        }
    }

    fn directive(&mut self, kernel: &mut Kernel) -> Result<(), Failure> {
        let expected = "`.shared`, `.local`, `.param`, `.global`, `.const` or a label";
        let at = self.cursor.place();
        match self.cursor.word(expected)? {
            ".shared" => kernel.shared_bytes = self.cursor.number32("a number of bytes")?,
            ".local" => kernel.local_bytes = self.cursor.number32("a number of bytes")?,
            ".param" => kernel.params.push(self.param()?),
            ".global" => kernel.globals.push(self.global(false)?),
            ".const" => kernel.globals.push(self.global(true)?),
            _ => return Err((at, expected.to_owned())),
        }
        self.cursor.mark(';')
    }

    /// `, word number`
    fn field(&mut self, word: &str, most: u64) -> Result<u64, Failure> {
        self.cursor.mark(',')?;
        self.cursor.exact_word(word)?;
        self.cursor.number("a number", most)
    }

    fn param(&mut self) -> Result<Param, Failure> {
        let at = self.cursor.place();
        let ty = Ty::from_word(self.cursor.word("a type")?).ok_or((at, "a type".to_owned()))?;
        let most = u64::from(u32::MAX);
        Ok(Param {
            ty,
            name: self.cursor.name("the name of the parameter")?,
            offset_bytes: self.field("offset", most)? as u32,
            size_bytes: self.field("size", most)? as u32,
            align_bytes: self.field("align", most)? as u32,
        })
    }

    fn global(&mut self, constant: bool) -> Result<GlobalVar, Failure> {
        let name = self.cursor.name("the name of the variable")?;
        let address = self.field("address", u64::MAX)?;
        let size_bytes = self.field("size", u64::MAX)?;
        let mut init = Vec::new();
        if self.cursor.take_mark(',') {
            self.cursor.exact_word("init")?;
            let bytes = match self.cursor.peek() {
                Some(Token::Quoted(text)) => hex_bytes(text),
                _ => None,
            };
            match bytes {
                Some(bytes) if bytes.len() as u64 <= size_bytes => init = bytes,
                Some(_) => return self.cursor.expected("no more bytes than the variable has"),
                None => {
                    return self
                        .cursor
                        .expected("bytes as pairs of hexadecimal digits, in quotes");
                }
            }
            self.cursor.advance();
        }
        Ok(GlobalVar {
            name,
            address,
            size_bytes,
            init,
            constant,
        })
    }

    /// A label or an instruction.
    fn line(&mut self, kernel: &mut Kernel) -> Result<(), Failure> {
        if self.cursor.peek_second() == Some(&Token::Mark(':'))
            && self.cursor.peek() != Some(&Token::Mark('@'))
        {
            self.labels.push(self.cursor.place());
            let label = self.cursor.name("a label")?;
            self.cursor.mark(':')?;
            kernel.blocks.push(Block {
                label,
                insts: Vec::new(),
            });
            self.block_number = self.places.len();
            self.places.push(Vec::new());
            return Ok(());
        }
        let start = self.cursor.place().start;
        let (Some(block), Some(places)) = (kernel.blocks.last_mut(), self.places.last_mut()) else {
            return self.cursor.expected("a label before the first instruction");
        };
        let guard = guard(&mut self.cursor)?;
        let at = self.cursor.place();
        let word = self.cursor.word("an instruction or a label")?;
        let op =
            parse_mnemonic(word).map_err(|expected| (at, format!("{expected} in `{word}`")))?;
        let mut operands = Operands::new(op);
        if matches!(op, Op::Bra(_) | Op::Call(_)) {
            let at = self.cursor.place();
            let label = self.cursor.name("a label")?;
            let block_number = self.block_number;
            self.targets
                .push((block_number, block.insts.len(), label, at));
        } else {
            operands.read(&mut self.cursor)?;
        }
        self.cursor.mark(';')?;
        places.push(start..self.cursor.place_before().end);
        let line = if self.cursor.take_mark('#') {
            self.cursor.number32("a line number")?
        } else {
            self.line_starts.partition_point(|&line| line <= start) as u32
        };
        block.insts.push(operands.finish(guard, Line(line)));
        Ok(())
    }

    fn resolve(&self, kernel: &mut Kernel) -> Result<(), Failure> {
        let mut ids = HashMap::new();
        for (id, block) in kernel.blocks.iter().enumerate() {
            ids.insert(block.label.clone(), BlockId(id as u32));
        }
        for (block, inst, label, at) in &self.targets {
            match ids.get(label) {
                Some(&id) => match &mut kernel.blocks[*block].insts[*inst].op {
                    Op::Bra(target) | Op::Call(target) => *target = id,
                    _ => {}
                },
                None => return Err((at.clone(), "the label of a block".to_owned())),
            }
        }
        Ok(())
    }
}

fn guard(cursor: &mut Cursor<'_>) -> Result<Option<Guard>, Failure> {
    if !cursor.take_mark('@') {
        return Ok(None);
    }
    let negated = cursor.take_mark('!');
    let at = cursor.place();
    let pred = predicate(cursor.word("a predicate")?).ok_or((at, "a predicate".to_owned()))?;
    Ok(Some(Guard { pred, negated }))
}

/// `p12`
pub(super) fn predicate(word: &str) -> Option<Pred> {
    index(word, "p").map(Pred)
}

/// The number behind a prefix.
pub(super) fn index(word: &str, prefix: &str) -> Option<u16> {
    let digits = word.strip_prefix(prefix)?;
    is_digits(digits, 10).then(|| digits.parse().ok())?
}

fn hex_bytes(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len())
        .step_by(2)
        .map(|at| {
            let digits = &text[at..at + 2];
            is_digits(digits, 16).then(|| u8::from_str_radix(digits, 16).ok())?
        })
        .collect()
}
