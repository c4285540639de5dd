//! How programs of functions are drawn.

use super::program::{Function, Op, Program, Stmt, TABLE_ARGS, VARIABLES, Var};
use proptest::collection::vec;
use proptest::prelude::*;

fn var() -> impl Strategy<Value = Var> {
    0..VARIABLES
}

/// Any but the depth of the recursion.
fn written() -> impl Strategy<Value = Var> {
    1..VARIABLES
}

/// More often an argument, which differs from thread to thread, than what is the same in all.
fn differs() -> impl Strategy<Value = Var> {
    prop_oneof![4 => 1..TABLE_ARGS, 1 => var()]
}

fn op() -> impl Strategy<Value = Op> {
    use Op::{Add, And, Max, Min, Mul, Or, Sub, Xor};
    prop::sample::select(vec![Add, Sub, Mul, And, Or, Xor, Min, Max])
}

fn args() -> impl Strategy<Value = Vec<Var>> {
    vec(var(), usize::from(VARIABLES))
}

fn statement() -> impl Strategy<Value = Stmt> {
    let simple = prop_oneof![
        4 => (written(), op(), var(), var()).prop_map(|(to, op, a, b)| Stmt::Set(to, op, a, b)),
        2 => (written(), op(), var(), any::<u32>())
            .prop_map(|(to, op, a, by)| Stmt::SetConst(to, op, a, by)),
        3 => (any::<u8>(), args(), written()).prop_map(|(to, args, result)| Stmt::Call(to, args, result)),
        1 => (var(), args(), written()).prop_map(|(index, args, result)| Stmt::CallTable(index, args, result)),
        1 => (var(), var()).prop_map(|(which, value)| Stmt::Store(which, value)),
        1 => (written(), var()).prop_map(|(to, which)| Stmt::Load(to, which)),
        1 => (var(), 0u8..32, var()).prop_map(|(var, bit, result)| Stmt::ReturnIf(var, bit, result)),
        2 => (prop::option::weighted(0.9, (differs(), 0u8..31)), var())
            .prop_map(|(when, word)| Stmt::Exit(when, word)),
    ];
    simple.prop_recursive(2, 8, 4, |inner| {
        prop_oneof![
            2 => (var(), 0u8..32, vec(inner.clone(), 0..4), vec(inner.clone(), 0..3))
                .prop_map(|(var, bit, yes, no)| Stmt::If(var, bit, yes, no)),
            1 => (1u8..4, prop::option::of(written()), vec(inner, 1..4))
                .prop_map(|(times, by, body)| Stmt::Loop(times, by, body)),
        ]
    })
}

fn function() -> impl Strategy<Value = Function> {
    // Twelve words go in registers.
    let args_of = prop_oneof![3 => Just(TABLE_ARGS), 1 => 1u8..=12, 2 => 13..=VARIABLES];
    let recurses = prop::option::weighted(0.3, (args(), written()));
    let parts = (
        args_of,
        vec(statement(), 1..7),
        recurses,
        written(),
        any::<bool>(),
    );
    parts.prop_map(|(args, mut body, recurses, result, generic)| {
        if let Some((args, result)) = recurses {
            body.insert(body.len() / 2, Stmt::Recurse(args, result));
        }
        Function {
            args,
            body,
            result,
            generic,
        }
    })
}

/// Any program.
pub fn program() -> impl Strategy<Value = Program> {
    (vec(function(), 1..6), 1u8..32, any::<bool>()).prop_map(|(functions, again, exits)| Program {
        functions,
        again,
        exits,
    })
}
