//! Expressions as Verilator writes them: with brackets around everything.

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    Number(u64),
    Name(String),
    /// To this type, which is unsigned.
    Cast(String, Box<Expr>),
    Not(Box<Expr>),
    Two(Box<Expr>, Operator, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    And,
    Or,
    Up,
    Down,
}

impl Expr {
    /// As C++.
    pub fn show(&self) -> String {
        match self {
            Expr::Number(number) => format!("{number:#x}ULL"),
            Expr::Name(name) => name.clone(),
            Expr::Cast(kind, inner) => format!("(({kind}){})", inner.show()),
            Expr::Not(inner) => format!("(~{})", inner.show()),
            Expr::Two(left, operator, right) => {
                let operator = match operator {
                    Operator::And => "&",
                    Operator::Or => "|",
                    Operator::Up => "<<",
                    Operator::Down => ">>",
                };
                format!("({} {operator} {})", left.show(), right.show())
            }
        }
    }

    /// With `value` for the name.
    pub fn replaced(self, name: &str, value: &Expr) -> Expr {
        let inside = |inner: Box<Expr>| Box::new(inner.replaced(name, value));
        match self {
            Expr::Name(other) if other == name => value.clone(),
            Expr::Cast(kind, inner) => Expr::Cast(kind, inside(inner)),
            Expr::Not(inner) => Expr::Not(inside(inner)),
            Expr::Two(left, operator, right) => Expr::Two(inside(left), operator, inside(right)),
            other => other,
        }
    }

    /// Whether the name is in it.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Expr::Number(_) => false,
            Expr::Name(other) => other == name,
            Expr::Cast(_, inner) | Expr::Not(inner) => inner.has(name),
            Expr::Two(left, _, right) => left.has(name) || right.has(name),
        }
    }
}

/// What follows this word, if it is the first.
pub fn after<'a, 'b>(words: &'a [&'b str], first: &str) -> Option<&'a [&'b str]> {
    let (word, rest) = words.split_first()?;
    (*word == first).then_some(rest)
}

/// The expression with which the words begin, and what follows.
pub fn expression<'a, 'b>(words: &'a [&'b str]) -> Option<(Expr, &'a [&'b str])> {
    let (&first, rest) = words.split_first()?;
    if is_name(first) {
        return Some((Expr::Name(first.to_owned()), rest));
    }
    if first != "(" {
        return Some((Expr::Number(number(first)?), rest));
    }
    if let [kind @ ("IData" | "QData"), ")", behind @ ..] = rest {
        let (inner, behind) = expression(behind)?;
        return Some((Expr::Cast((*kind).to_owned(), Box::new(inner)), behind));
    }
    if let Some(rest) = after(rest, "~") {
        let (inner, rest) = expression(rest)?;
        return Some((Expr::Not(Box::new(inner)), after(rest, ")")?));
    }
    let (left, rest) = expression(rest)?;
    if let Some(rest) = after(rest, ")") {
        return Some((left, rest));
    }
    let (operator, rest) = match rest {
        ["&", rest @ ..] => (Operator::And, rest),
        ["|", rest @ ..] => (Operator::Or, rest),
        ["<", "<", rest @ ..] => (Operator::Up, rest),
        [">", ">", rest @ ..] => (Operator::Down, rest),
        _ => return None,
    };
    let (right, rest) = expression(rest)?;
    let two = Expr::Two(Box::new(left), operator, Box::new(right));
    Some((two, after(rest, ")")?))
}

/// Whether a word is a name.
pub fn is_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
}

fn number(word: &str) -> Option<u64> {
    let digits = word.trim_end_matches(['U', 'L']);
    match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    }
}
