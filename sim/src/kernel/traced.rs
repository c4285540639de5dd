//! Instructions of traces: what they cost and which registers they name is known, what they compute is not.
//!
//! [`crate::trace::lift`] makes them; only a run that follows a trace executes them. Each stands for the execution of one line,
//! so none is ever inserted by a pass.

use super::modifier::Space;

/// What a traced instruction costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Traced {
    /// It is done at issue and names no register: branches, and what only orders instructions.
    Issue,
    /// Simple integer arithmetic, logic, moves, comparisons.
    Int,
    /// Integer minimum or maximum.
    IntMax,
    /// Integer product.
    IntMul,
    /// Integer multiply-add.
    IntMad,
    /// The same with a 64-bit result.
    IntMadWide,
    /// Addition, comparison or conversion in single or half precision.
    Float,
    /// Minimum or maximum.
    FloatMax,
    /// Product.
    FloatMul,
    /// Multiply-add.
    FloatMad,
    /// Special functions.
    Special,
    /// Addition, comparison or conversion in double precision.
    Double,
    /// Product.
    DoubleMul,
    /// Multiply-add.
    DoubleMad,
    /// Steps of a division in double precision.
    DoubleDiv,
    /// Shuffles and votes.
    Shuffle,
    /// A load of so many bytes per lane.
    Load(Space, u8),
    /// A store.
    Store(Space, u8),
    /// An atomic operation.
    Atomic(Space, u8),
}

/// Those whose name says all.
const PLAIN: [(Traced, &str); 16] = [
    (Traced::Issue, "issue"),
    (Traced::Int, "int"),
    (Traced::IntMax, "intmax"),
    (Traced::IntMul, "intmul"),
    (Traced::IntMad, "intmad"),
    (Traced::IntMadWide, "intmadwide"),
    (Traced::Float, "float"),
    (Traced::FloatMax, "floatmax"),
    (Traced::FloatMul, "floatmul"),
    (Traced::FloatMad, "floatmad"),
    (Traced::Special, "special"),
    (Traced::Double, "double"),
    (Traced::DoubleMul, "doublemul"),
    (Traced::DoubleMad, "doublemad"),
    (Traced::DoubleDiv, "doublediv"),
    (Traced::Shuffle, "shuffle"),
];

impl Traced {
    /// Memory and bytes of an access.
    #[must_use]
    pub fn access(self) -> Option<(Space, u8)> {
        match self {
            Traced::Load(space, bytes)
            | Traced::Store(space, bytes)
            | Traced::Atomic(space, bytes) => Some((space, bytes)),
            _ => None,
        }
    }

    /// Its word in the text form; of an access without memory and bytes.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Traced::Load(..) => "load",
            Traced::Store(..) => "store",
            Traced::Atomic(..) => "atomic",
            plain => PLAIN
                .iter()
                .find(|(other, _)| *other == plain)
                .map_or("?", |(_, word)| word),
        }
    }

    /// The inverse, given memory and bytes where it is an access.
    #[must_use]
    pub fn from_word(word: &str, access: Option<(Space, u8)>) -> Option<Traced> {
        match (word, access) {
            ("load", Some((space, bytes))) => Some(Traced::Load(space, bytes)),
            ("store", Some((space, bytes))) => Some(Traced::Store(space, bytes)),
            ("atomic", Some((space, bytes))) => Some(Traced::Atomic(space, bytes)),
            (_, None) => PLAIN
                .iter()
                .find(|(_, name)| *name == word)
                .map(|&(traced, _)| traced),
            _ => None,
        }
    }

    /// All of them, each access with one memory and size.
    #[cfg(test)]
    pub(crate) fn examples() -> impl Iterator<Item = Traced> {
        let accesses = [
            Traced::Load(Space::Global, 4),
            Traced::Store(Space::Shared, 16),
            Traced::Atomic(Space::Generic, 8),
            Traced::Load(Space::Const, 1),
        ];
        PLAIN.map(|(traced, _)| traced).into_iter().chain(accesses)
    }
}
