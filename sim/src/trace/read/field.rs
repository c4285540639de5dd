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

    /// The next word as [`hexadecimal`] reads it, or the word if it is no such number.
    #[inline]
    pub fn hexadecimal(&mut self) -> Result<u64, &'a [u8]> {
        self.skip_blanks();
        let from = if self.rest.starts_with(b"0x") { 2 } else { 0 };
        let (mut to, mut value) = (from, 0u64);
        while let Some(&byte) = self.rest.get(to)
            && let digit @ 0..=15 = HEX_DIGITS[usize::from(byte)]
        {
            value = value << 4 | u64::from(digit);
            to += 1;
        }
        if self.is_word(from, to, 16) {
            self.rest = &self.rest[to..];
            return Ok(value);
        }
        let word = self.word();
        hexadecimal(word).ok_or(word)
    }

    /// The next word as [`signed`] reads it, or the word if it is no such number.
    #[inline]
    pub fn signed(&mut self) -> Result<i64, &'a [u8]> {
        self.skip_blanks();
        let negative = self.rest.first() == Some(&b'-');
        let from = usize::from(negative);
        let (mut to, mut value) = (from, 0i64);
        while let Some(&byte) = self.rest.get(to)
            && let digit @ 0..=9 = byte.wrapping_sub(b'0')
        {
            value = value.wrapping_mul(10).wrapping_add(digit.into());
            to += 1;
        }
        if self.is_word(from, to, 18) {
            self.rest = &self.rest[to..];
            return Ok(if negative { -value } else { value });
        }
        let word = self.word();
        signed(word).ok_or(word)
    }

    /// Whether the digits `from` .. `to` end a word, and are so few that no number of as many is too large.
    #[inline]
    fn is_word(&self, from: usize, to: usize, most: usize) -> bool {
        let ends = matches!(self.rest.get(to), None | Some(b' ' | b'\t'));
        ends && (1..=most).contains(&(to - from))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_in_place_are_those_of_their_words() {
        let words = [
            "0",
            "7f",
            "0x7fC841520020",
            "ffffffffffffffff",
            "00000000000000000001",
            "10000000000000000",
            "0x",
            "x",
            "-",
            "-0",
            "-12",
            "12",
            "999999999999999999",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "1-2",
            "12,",
        ];
        for word in words.map(str::as_bytes) {
            for (before, behind) in [("", ""), (" ", " 5"), ("\t", "\t5")] {
                let line = [before.as_bytes(), word, behind.as_bytes()].concat();
                let mut fields = Fields::new(&line);
                assert_eq!(fields.hexadecimal(), hexadecimal(word).ok_or(word));
                assert_eq!(fields.rest(), behind.as_bytes());
                let mut fields = Fields::new(&line);
                assert_eq!(fields.signed(), signed(word).ok_or(word));
                assert_eq!(fields.rest(), behind.as_bytes());
            }
        }
    }
}
