//! Words and numbers of a line, read byte by byte.

/// The words of a line, from the front.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Of a line, or of the rest of one.
    pub fn new(line: &'a [u8]) -> Self {
        Fields { rest: line }
    }

    /// The next word; empty at the end of the line.
    #[inline]
    pub fn word(&mut self) -> &'a [u8] {
        let mut from = 0;
        while self
            .rest
            .get(from)
            .is_some_and(|&byte| byte == b' ' || byte == b'\t')
        {
            from += 1;
        }
        let mut to = from;
        while self
            .rest
            .get(to)
            .is_some_and(|&byte| byte != b' ' && byte != b'\t')
        {
            to += 1;
        }
        let word = &self.rest[from..to];
        self.rest = &self.rest[to..];
        word
    }

    /// Goes to the start of the next word.
    #[inline]
    pub fn skip_blanks(&mut self) {
        while let [b' ' | b'\t', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// Passes over so many bytes.
    #[inline]
    pub fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    /// What follows the last word taken.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether only blanks are left.
    pub fn is_empty(&self) -> bool {
        self.rest.iter().all(|&byte| byte == b' ' || byte == b'\t')
    }
}

/// A decimal number without sign.
#[inline]
pub fn decimal(word: &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for &byte in word {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(digit.into())?;
    }
    (!word.is_empty()).then_some(value)
}

/// A decimal number with or without sign.
#[inline]
pub fn signed(word: &[u8]) -> Option<i64> {
    match word.strip_prefix(b"-") {
        Some(digits) => 0i64.checked_sub_unsigned(decimal(digits)?),
        None => decimal(word)?.try_into().ok(),
    }
}

/// A hexadecimal number, with or without `0x`.
#[inline]
pub fn hexadecimal(word: &[u8]) -> Option<u64> {
    let digits = word.strip_prefix(b"0x").unwrap_or(word);
    let mut value = 0u64;
    for &byte in digits {
        let digit = HEX_DIGITS[usize::from(byte)];
        if digit > 15 || value >> 60 != 0 {
            return None;
        }
        value = value << 4 | u64::from(digit);
    }
    (!digits.is_empty()).then_some(value)
}

/// Value of a hexadecimal digit; 255: none.
static HEX_DIGITS: [u8; 256] = {
    let mut table = [255; 256];
    let mut digit = 0;
    while digit < 10 {
        table[b'0' as usize + digit] = digit as u8;
        digit += 1;
    }
    while digit < 16 {
        table[b'a' as usize + digit - 10] = digit as u8;
        table[b'A' as usize + digit - 10] = digit as u8;
        digit += 1;
    }
    table
};
