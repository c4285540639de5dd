//! Constant expressions (PTX ISA 4.5): 64-bit integers, signed or unsigned, and floats.

use super::ast::{Name, Span};
use super::error::{Problem, Res};
use crate::kernel::op::Ty;

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
    AndAlso,
    OrElse,
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Plus,
    Minus,
    Not,
    Complement,
    ToS64,
    ToU64,
}

/// An expression as written.
#[derive(Clone, Debug)]
pub struct Expr<'s> {
    pub node: Node<'s>,
    pub span: Span,
}

/// Forms of expressions.
#[derive(Clone, Debug)]
pub enum Node<'s> {
    Value(Value),
    /// A variable or register.
    Symbol(&'s str),
    /// `generic(name)`
    Generic(Name<'s>),
    Unary(Unary, Box<Expr<'s>>),
    Binary(Binary, Box<Expr<'s>>, Box<Expr<'s>>),
    Choose(Box<Expr<'s>>, Box<Expr<'s>>, Box<Expr<'s>>),
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Signed(i64),
    Unsigned(u64),
    /// Bits of an f32, kept exact.
    F32(u32),
    F64(f64),
}

impl Value {
    /// The 64 bits of an integer.
    pub fn integer(self) -> Option<u64> {
        match self {
            Value::Signed(value) => Some(value as u64),
            Value::Unsigned(value) => Some(value),
            _ => None,
        }
    }

    /// The bits of the value as an immediate of type `ty`; `None` where PTX does not allow it there.
    pub fn bits(self, ty: Ty) -> Option<u64> {
        match (self, ty) {
            (Value::F32(bits), Ty::F32 | Ty::B32) => Some(u64::from(bits)),
            (Value::F64(value), Ty::F32) => Some(u64::from((value as f32).to_bits())),
            (Value::F64(value), Ty::F64 | Ty::B64) => Some(value.to_bits()),
            (Value::F32(_) | Value::F64(_), _) => None,
            (_, Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2 | Ty::F32 | Ty::F64) => None,
            (_, Ty::Pred) => self.integer().map(|value| u64::from(value != 0)),
            (_, Ty::B8 | Ty::U8 | Ty::S8) => self.integer().map(|value| value & 0xff),
            (_, Ty::B16 | Ty::U16 | Ty::S16) => self.integer().map(|value| value & 0xffff),
            (_, Ty::B32 | Ty::U32 | Ty::S32) => self.integer().map(|value| value & 0xffff_ffff),
            (_, Ty::B64 | Ty::U64 | Ty::S64) => self.integer(),
        }
    }
}

/// The value of an expression without symbols.
pub fn evaluate(expr: &Expr<'_>) -> Res<Value> {
    match &expr.node {
        Node::Value(value) => Ok(*value),
        Node::Symbol(name) => Err(Problem::new(
            expr.span,
            format!("`{name}` is not a constant"),
            "expected a constant",
        )),
        Node::Generic(_) => Err(Problem::new(
            expr.span,
            "an address is not a constant here",
            "expected a constant",
        )),
        Node::Unary(op, a) => unary(*op, evaluate(a)?, expr.span),
        Node::Binary(op, a, b) => binary(*op, evaluate(a)?, evaluate(b)?, expr.span),
        Node::Choose(condition, a, b) => {
            let condition = truth(evaluate(condition)?, condition.span)?;
            evaluate(if condition { a } else { b })
        }
    }
}

fn truth(value: Value, span: Span) -> Res<bool> {
    value
        .integer()
        .map(|value| value != 0)
        .ok_or_else(|| no_integer(span))
}

fn no_integer(span: Span) -> Box<Problem> {
    Problem::new(
        span,
        "this operator takes integers",
        "a floating-point constant stands here",
    )
}

fn unary(op: Unary, a: Value, span: Span) -> Res<Value> {
    Ok(match (op, a) {
        (Unary::Plus, a) => a,
        (Unary::Minus, Value::F64(a)) => Value::F64(-a),
        (Unary::Minus, Value::F32(bits)) => Value::F32(bits ^ 0x8000_0000),
        (Unary::Minus, Value::Signed(a)) => Value::Signed(a.wrapping_neg()),
        (Unary::Minus, Value::Unsigned(a)) => Value::Unsigned(a.wrapping_neg()),
        (Unary::Not, a) => Value::Signed(i64::from(!truth(a, span)?)),
        (Unary::Complement, Value::Signed(a)) => Value::Signed(!a),
        (Unary::Complement, Value::Unsigned(a)) => Value::Unsigned(!a),
        (Unary::ToS64, a) => Value::Signed(a.integer().ok_or_else(|| no_integer(span))? as i64),
        (Unary::ToU64, a) => Value::Unsigned(a.integer().ok_or_else(|| no_integer(span))?),
        (Unary::Complement, _) => return Err(no_integer(span)),
    })
}

fn binary(op: Binary, a: Value, b: Value, span: Span) -> Res<Value> {
    if let (Some(x), Some(y)) = (a.integer(), b.integer()) {
        let signed = matches!((a, b), (Value::Signed(_), Value::Signed(_)));
        let shifts = matches!(op, Binary::Shl | Binary::Shr);
        let left_signed = matches!(a, Value::Signed(_));
        return integers(op, x, y, if shifts { left_signed } else { signed }, span);
    }
    let (Some(x), Some(y)) = (as_f64(a), as_f64(b)) else {
        return Err(Problem::new(
            span,
            "a 32-bit float constant cannot be part of an expression",
            "PTX allows 0f.. constants only alone",
        ));
    };
    let flag = |value: bool| Ok(Value::Signed(i64::from(value)));
    match op {
        Binary::Mul => Ok(Value::F64(x * y)),
        Binary::Div => Ok(Value::F64(x / y)),
        Binary::Add => Ok(Value::F64(x + y)),
        Binary::Sub => Ok(Value::F64(x - y)),
        Binary::Lt => flag(x < y),
        Binary::Gt => flag(x > y),
        Binary::Le => flag(x <= y),
        Binary::Ge => flag(x >= y),
        Binary::Eq => flag(x == y),
        Binary::Ne => flag(x != y),
        _ => Err(no_integer(span)),
    }
}

/// Both must be f64; PTX converts no integers.
fn as_f64(value: Value) -> Option<f64> {
    match value {
        Value::F64(value) => Some(value),
        _ => None,
    }
}

fn integers(op: Binary, x: u64, y: u64, signed: bool, span: Span) -> Res<Value> {
    let (sx, sy) = (x as i64, y as i64);
    let flag = |value: bool| Value::Signed(i64::from(value));
    let typed = |value: u64| {
        if signed {
            Value::Signed(value as i64)
        } else {
            Value::Unsigned(value)
        }
    };
    if matches!(op, Binary::Div | Binary::Rem) && y == 0 {
        return Err(Problem::new(
            span,
            "division by zero",
            "in a constant expression",
        ));
    }
    if matches!(op, Binary::Shl | Binary::Shr) && y > 63 {
        return Err(Problem::new(
            span,
            "shift by more than 63",
            "in a constant expression",
        ));
    }
    Ok(match op {
        Binary::Mul => typed(x.wrapping_mul(y)),
        Binary::Add => typed(x.wrapping_add(y)),
        Binary::Sub => typed(x.wrapping_sub(y)),
        Binary::Div if signed => Value::Signed(sx.wrapping_div(sy)),
        Binary::Div => Value::Unsigned(x / y),
        Binary::Rem if signed => Value::Signed(sx.wrapping_rem(sy)),
        Binary::Rem => Value::Unsigned(x % y),
        Binary::Shl => typed(x << y),
        Binary::Shr if signed => Value::Signed(sx >> y),
        Binary::Shr => Value::Unsigned(x >> y),
        Binary::And => typed(x & y),
        Binary::Or => typed(x | y),
        Binary::Xor => typed(x ^ y),
        Binary::Eq => flag(x == y),
        Binary::Ne => flag(x != y),
        Binary::Lt => flag(if signed { sx < sy } else { x < y }),
        Binary::Gt => flag(if signed { sx > sy } else { x > y }),
        Binary::Le => flag(if signed { sx <= sy } else { x <= y }),
        Binary::Ge => flag(if signed { sx >= sy } else { x >= y }),
        Binary::AndAlso => flag(x != 0 && y != 0),
        Binary::OrElse => flag(x != 0 || y != 0),
    })
}

/// An address: at most one symbol plus a constant, as PTX allows in operands and initialisers.
pub struct Address<'s> {
    pub symbol: Option<Name<'s>>,
    pub offset: i64,
}

/// Splits `name + c`, `name - c`, `generic(name) + c`, or a constant alone.
pub fn address<'s>(expr: &Expr<'s>) -> Res<Address<'s>> {
    match &expr.node {
        Node::Symbol(text) => Ok(Address {
            symbol: Some(Name {
                text,
                span: expr.span,
            }),
            offset: 0,
        }),
        Node::Generic(name) => Ok(Address {
            symbol: Some(*name),
            offset: 0,
        }),
        Node::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
            let (mut found, other) = match (address(a), op) {
                (Ok(found), _) if found.symbol.is_some() => (found, b),
                (_, Binary::Add) if has_symbol(b) => (address(b)?, a),
                _ => return plain(expr),
            };
            let offset = evaluate(other)?
                .integer()
                .ok_or_else(|| no_integer(other.span))? as i64;
            found.offset = match op {
                Binary::Add => found.offset.wrapping_add(offset),
                _ => found.offset.wrapping_sub(offset),
            };
            Ok(found)
        }
        _ => plain(expr),
    }
}

fn has_symbol(expr: &Expr<'_>) -> bool {
    match &expr.node {
        Node::Value(_) => false,
        Node::Symbol(_) | Node::Generic(_) => true,
        Node::Unary(_, a) => has_symbol(a),
        Node::Binary(_, a, b) => has_symbol(a) || has_symbol(b),
        Node::Choose(a, b, c) => has_symbol(a) || has_symbol(b) || has_symbol(c),
    }
}

fn plain<'s>(expr: &Expr<'s>) -> Res<Address<'s>> {
    let offset = evaluate(expr)?
        .integer()
        .ok_or_else(|| no_integer(expr.span))? as i64;
    Ok(Address {
        symbol: None,
        offset,
    })
}
