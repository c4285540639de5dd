//! When a waveform ends: an expression over its signals.
//!
//! ```text
//! EXPR  = ALL { "||" ALL }         ALL = PART { "&&" PART }
//! PART  = "!" PART | "(" EXPR ")" | NAME [ COMPARE NUMBER ]
//! COMPARE = "==" | "!=" | "<=" | ">=" | "<" | ">"
//! NUMBER  = decimal, or hexadecimal behind 0x, or binary behind 0b
//! ```
//!
//! A name is that of a signal with its scopes, `sm.scheduler0.valid`, or the end of one from a dot on, if no other ends so
//! (`scheduler0.valid`). Alone it asks whether the signal is not 0.

use thiserror::Error;
use winnow::LocatingSlice;
use winnow::combinator::{alt, cut_err, delimited, opt, preceded, repeat, separated};
use winnow::error::ContextError;
use winnow::prelude::*;
use winnow::stream::Location;
use winnow::token::take_while;

/// Cycles that are kept if nothing is said.
pub const KEPT_CYCLES: usize = 1000; // assumed: a few round trips to memory
/// Deepest nesting of an expression.
const MAX_DEPTH: usize = 64;

/// When recording ends, and how much of what was before is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// The condition.
    pub condition: Condition,
    /// Cycles that are kept, that of the match included; at least 1.
    pub kept_cycles: usize,
}

/// An expression over signals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    text: String,
    expr: Expr<String>,
}

/// Why an expression is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TriggerError {
    /// It cannot be read.
    #[error(
        "`{text}` is not understood from `{rest}` on; write comparisons such as sm.scheduler0.warp == 3, joined by && and ||"
    )]
    Syntax {
        /// All of it.
        text: String,
        /// From where on.
        rest: String,
    },
    /// A name is none of a signal.
    #[error("no signal is called `{name}`{}", near(near_names))]
    Unknown {
        /// The name.
        name: String,
        /// Names like it.
        near_names: Vec<String>,
    },
    /// A short name fits several signals.
    #[error("`{name}` can be {}; write more of the name", found.join(" or "))]
    Ambiguous {
        /// The name.
        name: String,
        /// Some of the signals.
        found: Vec<String>,
    },
}

fn near(names: &[String]) -> String {
    match names {
        [] => "; the names are those that a waveform without a trigger shows".to_owned(),
        names => format!("; names like it: {}", names.join(", ")),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compare {
    Equal,
    Differs,
    AtMost,
    AtLeast,
    Below,
    Above,
}

/// With signals as names, or as their indices.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Expr<S> {
    Any(Vec<Expr<S>>),
    All(Vec<Expr<S>>),
    Not(Box<Expr<S>>),
    Compare(S, Compare, u64),
}

type Input<'s> = LocatingSlice<&'s str>;
type Parsed<T> = Result<T, winnow::error::ErrMode<ContextError>>;

fn spaced<'s>(
    word: &'static str,
) -> impl Parser<Input<'s>, &'s str, winnow::error::ErrMode<ContextError>> {
    delimited(blanks, word, blanks)
}

fn blanks(input: &mut Input<'_>) -> Parsed<()> {
    take_while(0.., (' ', '\t')).void().parse_next(input)
}

fn number(input: &mut Input<'_>) -> Parsed<u64> {
    let digits = take_while(1.., |c: char| c.is_ascii_alphanumeric() || c == '_');
    digits
        .verify_map(|text: &str| {
            let text = text.replace('_', "");
            match (text.strip_prefix("0x"), text.strip_prefix("0b")) {
                (Some(digits), _) => u64::from_str_radix(digits, 16).ok(),
                (_, Some(digits)) => u64::from_str_radix(digits, 2).ok(),
                _ => text.parse().ok(),
            }
        })
        .parse_next(input)
}

fn compare(input: &mut Input<'_>) -> Parsed<Compare> {
    alt((
        spaced("==").value(Compare::Equal),
        spaced("!=").value(Compare::Differs),
        spaced("<=").value(Compare::AtMost),
        spaced(">=").value(Compare::AtLeast),
        spaced("<").value(Compare::Below),
        spaced(">").value(Compare::Above),
    ))
    .parse_next(input)
}

fn comparison(input: &mut Input<'_>) -> Parsed<Expr<String>> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let name = take_while(1.., word)
        .verify(|name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
        .parse_next(input)?;
    let against = opt((compare, cut_err(number))).parse_next(input)?;
    let (compare, number) = against.unwrap_or((Compare::Differs, 0));
    Ok(Expr::Compare(name.to_owned(), compare, number))
}

fn part(depth: usize, input: &mut Input<'_>) -> Parsed<Expr<String>> {
    if depth == 0 {
        return winnow::combinator::fail.parse_next(input);
    }
    let inner = |input: &mut Input<'_>| any(depth - 1, input);
    let negated = |input: &mut Input<'_>| part(depth - 1, input);
    alt((
        preceded(spaced("!"), negated).map(|expr| Expr::Not(Box::new(expr))),
        delimited(spaced("("), inner, cut_err(spaced(")"))),
        delimited(blanks, comparison, blanks),
    ))
    .parse_next(input)
}

fn all(depth: usize, input: &mut Input<'_>) -> Parsed<Expr<String>> {
    separated(
        1..,
        |input: &mut Input<'_>| part(depth, input),
        spaced("&&"),
    )
    .map(Expr::All)
    .parse_next(input)
}

fn any(depth: usize, input: &mut Input<'_>) -> Parsed<Expr<String>> {
    let first = all(depth, input)?;
    let next = |input: &mut Input<'_>| all(depth, input);
    let more: Vec<_> = repeat(0.., preceded(spaced("||"), cut_err(next))).parse_next(input)?;
    Ok(Expr::Any([vec![first], more].concat()))
}

impl std::str::FromStr for Condition {
    type Err = TriggerError;

    fn from_str(text: &str) -> Result<Self, TriggerError> {
        let mut input = LocatingSlice::new(text);
        let parsed = any(MAX_DEPTH, &mut input);
        let at = input.current_token_start();
        match parsed {
            Ok(expr) if at == text.len() => Ok(Condition {
                text: text.to_owned(),
                expr,
            }),
            _ => Err(TriggerError::Syntax {
                text: text.to_owned(),
                rest: text.get(at..).unwrap_or_default().to_owned(),
            }),
        }
    }
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// A condition over values, in the order of the names that it was made with.
#[derive(Clone, Debug)]
pub struct Resolved(Expr<usize>);

impl Condition {
    /// Finds its names among `names`.
    ///
    /// # Errors
    /// [`TriggerError::Unknown`] and [`TriggerError::Ambiguous`].
    pub fn resolve(&self, names: &[String]) -> Result<Resolved, TriggerError> {
        resolve(&self.expr, names).map(Resolved)
    }
}

fn resolve(expr: &Expr<String>, names: &[String]) -> Result<Expr<usize>, TriggerError> {
    let each = |list: &[Expr<String>]| -> Result<Vec<_>, _> {
        list.iter().map(|expr| resolve(expr, names)).collect()
    };
    Ok(match expr {
        Expr::Any(list) => Expr::Any(each(list)?),
        Expr::All(list) => Expr::All(each(list)?),
        Expr::Not(expr) => Expr::Not(Box::new(resolve(expr, names)?)),
        Expr::Compare(name, compare, number) => {
            Expr::Compare(find(name, names)?, *compare, *number)
        }
    })
}

fn find(name: &str, names: &[String]) -> Result<usize, TriggerError> {
    if let Some(at) = names.iter().position(|known| known == name) {
        return Ok(at);
    }
    let ends = |known: &String| {
        let scope = known.strip_suffix(name);
        scope.is_some_and(|scope| scope.ends_with('.'))
    };
    let found: Vec<usize> = (0..names.len()).filter(|at| ends(&names[*at])).collect();
    let some = |list: Vec<&String>| list.into_iter().take(4).cloned().collect();
    match found[..] {
        [at] => Ok(at),
        [] => {
            let last = name.rsplit('.').next().unwrap_or(name);
            let like = |known: &&String| {
                let own = known.rsplit('.').next();
                own.is_some_and(|own| own.contains(last))
            };
            Err(TriggerError::Unknown {
                name: name.to_owned(),
                near_names: some(names.iter().filter(like).collect()),
            })
        }
        _ => Err(TriggerError::Ambiguous {
            name: name.to_owned(),
            found: some(found.iter().map(|at| &names[*at]).collect()),
        }),
    }
}

impl Resolved {
    /// Whether it holds; a signal without a value yet compares with nothing.
    pub fn holds(&self, values: &[Option<u64>]) -> bool {
        holds(&self.0, values)
    }
}

fn holds(expr: &Expr<usize>, values: &[Option<u64>]) -> bool {
    match expr {
        Expr::Any(list) => list.iter().any(|expr| holds(expr, values)),
        Expr::All(list) => list.iter().all(|expr| holds(expr, values)),
        Expr::Not(expr) => !holds(expr, values),
        Expr::Compare(at, compare, number) => values[*at].is_some_and(|value| match compare {
            Compare::Equal => value == *number,
            Compare::Differs => value != *number,
            Compare::AtMost => value <= *number,
            Compare::AtLeast => value >= *number,
            Compare::Below => value < *number,
            Compare::Above => value > *number,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        ["sm.cycle", "sm.a.valid", "sm.b.valid", "sm.b.warp"]
            .map(str::to_owned)
            .to_vec()
    }

    fn holds(text: &str, values: [u64; 4]) -> bool {
        let condition: Condition = text.parse().unwrap();
        condition
            .resolve(&names())
            .unwrap()
            .holds(&values.map(Some))
    }

    #[test]
    fn or_binds_weaker_than_and_and_not_strongest() {
        assert!(holds("a.valid && b.valid || warp == 0x1f", [0, 0, 0, 31]));
        assert!(!holds("a.valid && (b.valid || warp == 31)", [0, 0, 0, 31]));
        assert!(holds("!a.valid && b.valid", [0, 0, 1, 0]));
        assert!(holds("!(a.valid || b.valid)&&cycle>=0b11", [3, 0, 0, 0]));
        assert!(!holds("cycle < 1_0", [10, 0, 0, 0]) && holds("cycle <= 10", [10, 0, 0, 0]));
        assert!(holds("warp != 2", [0, 0, 0, 3]) && holds("warp > 2", [0, 0, 0, 3]));
    }

    #[test]
    fn what_is_no_expression_is_refused_with_its_place() {
        for (text, rest) in [
            ("cycle ==", ""),
            ("cycle == x", "x"),
            ("cycle = 3", "= 3"),
            ("(cycle", ""),
            ("cycle &&", "&&"),
            ("", ""),
            ("3 == cycle", "3 == cycle"),
            ("cycle == 99999999999999999999", "99999999999999999999"),
        ] {
            let Err(TriggerError::Syntax { rest: found, .. }) = text.parse::<Condition>() else {
                panic!("{text} is taken");
            };
            assert_eq!(found.trim(), rest, "{text}");
        }
        let deep = "(".repeat(100_000);
        assert!(deep.parse::<Condition>().is_err());
    }

    #[test]
    fn names_are_whole_or_ends_that_only_one_signal_has() {
        let resolve = |text: &str| text.parse::<Condition>().unwrap().resolve(&names());
        assert!(resolve("sm.b.warp").is_ok() && resolve("b.warp").is_ok());
        let ambiguous = resolve("valid").unwrap_err().to_string();
        assert!(
            ambiguous.contains("sm.a.valid or sm.b.valid"),
            "{ambiguous}"
        );
        let unknown = resolve("c.warp").unwrap_err().to_string();
        assert!(unknown.contains("sm.b.warp"), "{unknown}");
        assert!(resolve("arp").is_err());
    }
}
