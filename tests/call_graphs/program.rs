//! Programs of functions: what they are, how they are drawn, and what each thread computes, without any kernel.

use proptest::collection::vec;
use proptest::prelude::*;

/// Variables of a function; as many arguments at most.
pub const VARIABLES: u8 = 18;
/// Words of the array that a function may have in local memory; a power of two.
pub const ARRAY: u8 = 8;
/// Steps of a thread after which a program is not worth running.
const FUEL: u32 = 4000;

/// What a statement computes from two words.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Min,
    Max,
}

impl Op {
    fn of(self, a: u32, b: u32) -> u32 {
        match self {
            Op::Add => a.wrapping_add(b),
            Op::Sub => a.wrapping_sub(b),
            Op::Mul => a.wrapping_mul(b),
            Op::And => a & b,
            Op::Or => a | b,
            Op::Xor => a ^ b,
            Op::Min => a.min(b),
            Op::Max => a.max(b),
        }
    }
}

/// Number of a variable.
pub type Var = u8;

/// A statement of a function.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `to = a op b`.
    Set(Var, Op, Var, Var),
    /// `to = a op constant`.
    SetConst(Var, Op, Var, u32),
    /// One of the two, by a bit of a variable.
    If(Var, u8, Vec<Stmt>, Vec<Stmt>),
    /// So often, or, with a variable, by its lowest two bits.
    Loop(u8, Option<Var>, Vec<Stmt>),
    /// A later function, with as many of the variables as it has arguments.
    Call(u8, Vec<Var>, Var),
    /// A later function out of a table, chosen by a variable.
    CallTable(Var, Vec<Var>, Var),
    /// The function itself, as long as its first variable, the depth, is not 0.
    Recurse(Vec<Var>, Var),
    /// Puts a variable into the word of the array that another one chooses.
    Store(Var, Var),
    /// Takes it out: `to`, which.
    Load(Var, Var),
    /// Returns a variable where a bit is set.
    ReturnIf(Var, u8, Var),
}

/// A function; its first `args` variables are its arguments, of which the first is how often it may call itself. To what it returns
/// is added what its arguments make together, so that each of them matters, and is kept over all its calls.
#[derive(Clone, Debug)]
pub struct Function {
    pub args: u8,
    pub body: Vec<Stmt>,
    pub result: Var,
    /// Its accesses to its array are generic.
    pub generic: bool,
}

/// Functions that call only later ones, or themselves; the kernel calls the first, once by all threads and once by some.
#[derive(Clone, Debug)]
pub struct Program {
    pub functions: Vec<Function>,
    /// Threads whose number has none of these bits call twice.
    pub again: u8,
}

/// Arguments of functions that are in tables, which all have one signature.
pub const TABLE_ARGS: u8 = 3;

/// Whether a statement, or one inside of another, is such.
fn contains(body: &[Stmt], is_such: &dyn Fn(&Stmt) -> bool) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::If(_, _, yes, no) => contains(yes, is_such) || contains(no, is_such),
        Stmt::Loop(_, _, body) => contains(body, is_such),
        other => is_such(other),
    })
}

impl Program {
    /// The function that `to` names in function `from`; `None`: there is no later one.
    pub fn callee(&self, from: usize, to: u8) -> Option<usize> {
        match self.functions.len() - from - 1 {
            0 => None,
            left => Some(from + 1 + usize::from(to) % left),
        }
    }

    /// Whether the function has an array.
    pub fn has_array(&self, number: usize) -> bool {
        let uses = |stmt: &Stmt| matches!(stmt, Stmt::Store(..) | Stmt::Load(..));
        contains(&self.functions[number].body, &uses)
    }

    /// The functions in the table of function `from`.
    pub fn table(&self, from: usize) -> Vec<usize> {
        let later = from + 1..self.functions.len();
        later
            .filter(|number| self.functions[*number].args == TABLE_ARGS)
            .collect()
    }

    /// Whether some function calls itself, or calls through a table: all that a compiler knows is the signature, which may be its own.
    pub fn may_recurse(&self) -> bool {
        let may = |stmt: &Stmt| matches!(stmt, Stmt::Recurse(..) | Stmt::CallTable(..));
        let mut functions = self.functions.iter();
        functions.any(|function| contains(&function.body, &may))
    }

    /// What thread `number` of the launch leaves, with `word` to begin with; `None`: it takes too long.
    pub fn result(&self, number: u32, word: u32) -> Option<u32> {
        let mut fuel = FUEL;
        let args = [2, word, number, word ^ number];
        let mut result = self.call(0, &args, &mut fuel)?;
        if number & u32::from(self.again) == 0 {
            let args = [1, result, word, number];
            result = result.wrapping_add(self.call(0, &args, &mut fuel)?);
        }
        Some(result)
    }

    fn call(&self, number: usize, args: &[u32], fuel: &mut u32) -> Option<u32> {
        let function = &self.functions[number];
        let mut vars = [0; VARIABLES as usize];
        for (at, var) in vars.iter_mut().enumerate() {
            *var = initial(at as u8);
        }
        let mut array = std::array::from_fn(|word| word as u32);
        let count = usize::from(function.args);
        for (var, arg) in vars.iter_mut().zip(args).take(count) {
            *var = *arg;
        }
        let given = vars.iter().take(count);
        let fold = given.fold(0_u32, |fold, arg| fold.wrapping_mul(3).wrapping_add(*arg));
        let returned = self.run(number, &function.body, (&mut vars, &mut array), fuel)?;
        let returned = returned.unwrap_or(vars[usize::from(function.result)]);
        Some(returned.wrapping_add(fold))
    }

    /// The outer `None`: out of fuel; the inner: it goes on.
    fn run(
        &self,
        number: usize,
        body: &[Stmt],
        (vars, array): (&mut [u32; VARIABLES as usize], &mut [u32; ARRAY as usize]),
        fuel: &mut u32,
    ) -> Option<Option<u32>> {
        let of = |vars: &[u32; VARIABLES as usize], args: &[Var]| -> Vec<u32> {
            args.iter().map(|var| vars[usize::from(*var)]).collect()
        };
        for stmt in body {
            *fuel = fuel.checked_sub(1)?;
            match stmt {
                Stmt::Set(to, op, a, b) => {
                    vars[usize::from(*to)] = op.of(vars[usize::from(*a)], vars[usize::from(*b)]);
                }
                Stmt::SetConst(to, op, a, by) => {
                    vars[usize::from(*to)] = op.of(vars[usize::from(*a)], *by);
                }
                Stmt::If(var, bit, yes, no) => {
                    let set = vars[usize::from(*var)] >> bit & 1 == 1;
                    let returned =
                        self.run(number, if set { yes } else { no }, (vars, array), fuel)?;
                    if returned.is_some() {
                        return Some(returned);
                    }
                }
                Stmt::Loop(times, var, body) => {
                    let by = var.map(|var| (vars[usize::from(var)] & 3) as u8);
                    for _ in 0..by.unwrap_or(*times) {
                        let returned = self.run(number, body, (vars, array), fuel)?;
                        if returned.is_some() {
                            return Some(returned);
                        }
                    }
                }
                Stmt::Call(to, args, result) => {
                    if let Some(callee) = self.callee(number, *to) {
                        vars[usize::from(*result)] = self.call(callee, &of(vars, args), fuel)?;
                    }
                }
                Stmt::CallTable(index, args, result) => {
                    let table = self.table(number);
                    if !table.is_empty() {
                        let callee = table[vars[usize::from(*index)] as usize % table.len()];
                        vars[usize::from(*result)] = self.call(callee, &of(vars, args), fuel)?;
                    }
                }
                Stmt::Recurse(args, result) => {
                    if vars[0] != 0 && vars[0] < 8 {
                        let mut args = of(vars, args);
                        args[0] = vars[0] - 1;
                        vars[usize::from(*result)] = self.call(number, &args, fuel)?;
                    }
                }
                Stmt::Store(which, value) => {
                    let word = vars[usize::from(*which)] % u32::from(ARRAY);
                    array[word as usize] = vars[usize::from(*value)];
                }
                Stmt::Load(to, which) => {
                    let word = vars[usize::from(*which)] % u32::from(ARRAY);
                    vars[usize::from(*to)] = array[word as usize];
                }
                Stmt::ReturnIf(var, bit, result) => {
                    if vars[usize::from(*var)] >> bit & 1 == 1 {
                        return Some(Some(vars[usize::from(*result)]));
                    }
                }
            }
        }
        Some(None)
    }
}

/// What a variable that is no argument holds at first.
pub fn initial(var: Var) -> u32 {
    0x9e37_79b9_u32.wrapping_mul(u32::from(var) + 1)
}

fn var() -> impl Strategy<Value = Var> {
    0..VARIABLES
}

/// Any but the depth of the recursion.
fn written() -> impl Strategy<Value = Var> {
    1..VARIABLES
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
    (vec(function(), 1..6), 1u8..32).prop_map(|(functions, again)| Program { functions, again })
}
