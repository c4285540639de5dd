//! The file as written, with places: what the parser makes and the lowering reads.

use super::constant::Expr;
use crate::kernel::op::{Space, Ty};

/// Bytes `start .. end` of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn to(self, end: Span) -> Span {
        Span {
            start: self.start,
            end: end.end.max(self.end),
        }
    }
}

/// A word and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Name<'s> {
    pub text: &'s str,
    pub span: Span,
}

/// Who else sees a name of module level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Linkage {
    /// Nobody: each file has its own of that name.
    #[default]
    Local,
    /// It is that of another file.
    Extern,
    /// All files; there is one.
    Visible,
    /// All files; of several definitions any will do, and a visible one is preferred.
    Weak,
    /// All files, for variables: of several the largest.
    Common,
}

/// A file.
#[derive(Debug, Default)]
pub struct File<'s> {
    pub version: (u32, u32),
    pub target: &'s str,
    pub variables: Vec<Variable<'s>>,
    pub functions: Vec<Function<'s>>,
}

/// A type with its vector length, as in `.v4 .f32`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeclTy {
    pub ty: Ty,
    pub vec: u8,
}

/// `.global .align 4 .f32 name[8] = {...}`; in any space.
#[derive(Clone, Debug)]
pub struct Variable<'s> {
    pub space: Space,
    pub name: Name<'s>,
    pub align_bytes: Option<u32>,
    pub ty: DeclTy,
    /// Extents; `None` for `[]`. Empty for a scalar.
    pub dims: Vec<Option<u64>>,
    pub init: Option<Init<'s>>,
    pub linkage: Linkage,
}

impl Variable<'_> {
    /// Whether this only declares what another file defines, or dynamic scratchpad.
    pub fn is_extern(&self) -> bool {
        self.linkage == Linkage::Extern
    }
}

/// Initial value.
#[derive(Clone, Debug)]
pub enum Init<'s> {
    List(Vec<Init<'s>>, Span),
    Value(Expr<'s>),
}

/// A parameter or a result.
#[derive(Clone, Debug)]
pub struct Formal<'s> {
    /// Declared `.reg` instead of `.param`.
    pub in_register: bool,
    pub var: Variable<'s>,
}

/// `.entry` or `.func`.
#[derive(Debug)]
pub struct Function<'s> {
    pub is_entry: bool,
    pub linkage: Linkage,
    pub name: Name<'s>,
    pub results: Vec<Formal<'s>>,
    pub params: Vec<Formal<'s>>,
    pub bounds: super::LaunchBounds,
    /// `None` for a declaration.
    pub body: Option<Vec<Stmt<'s>>>,
}

/// A statement. Scopes are flat: `Open` and `Close` balance within a body.
#[derive(Debug)]
pub enum Stmt<'s> {
    Open,
    Close,
    /// `.reg .b32 %r<10>` gives (`%r`, Some(10)).
    Reg {
        name: Name<'s>,
        ty: DeclTy,
        count: Option<u32>,
    },
    Var(Variable<'s>),
    Label(Name<'s>),
    /// `name: .branchtargets a, b;`
    Targets {
        name: Name<'s>,
        targets: Vec<Name<'s>>,
    },
    /// `name: .callprototype (results) _ (params);`
    Prototype {
        name: Name<'s>,
        results: Vec<Formal<'s>>,
        params: Vec<Formal<'s>>,
    },
    /// `name: .calltargets f, g;`
    CallTargets {
        name: Name<'s>,
        targets: Vec<Name<'s>>,
    },
    Inst(Inst<'s>),
}

/// An instruction.
#[derive(Debug)]
pub struct Inst<'s> {
    /// `@p` or `@!p`: (negated, name).
    pub guard: Option<(bool, Name<'s>)>,
    pub opcode: Name<'s>,
    /// With their dots.
    pub modifiers: Vec<Name<'s>>,
    pub operands: Vec<Operand<'s>>,
    pub span: Span,
}

/// An operand and its place.
#[derive(Clone, Debug)]
pub struct Operand<'s> {
    pub kind: OperandKind<'s>,
    pub span: Span,
}

/// Forms of operands.
#[derive(Clone, Debug)]
pub enum OperandKind<'s> {
    /// A register, label, function or variable; `_`.
    Name(&'s str),
    /// `%tid.x`: name and field (with its dot).
    Field(&'s str, &'s str),
    /// `!p`
    Not(Name<'s>),
    /// `p|q`
    Pair(Name<'s>, Name<'s>),
    /// A constant expression, also with a symbol in it (`name+4`).
    Const(Expr<'s>),
    /// `{a, b}`
    Vector(Vec<Operand<'s>>),
    /// `[a]`, `[a+4]`
    Mem(Expr<'s>),
    /// `[a, {b, c}]`: texture and tensor coordinates; never lowered.
    Coordinates,
    /// `(a, b)` of a call
    List(Vec<Operand<'s>>),
}
