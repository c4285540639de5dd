//! Programs of functions: what they are, and what each thread computes, without any kernel.

/// Variables of a function; as many arguments at most.
pub const VARIABLES: u8 = 18;
/// Words of the array that a function may have in local memory; a power of two.
pub const ARRAY: u8 = 8;
/// Between the words of a result.
pub const STEP: u32 = 0x0101_0107;
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
    /// Ends the thread, which leaves a variable: always, or where two bits of a variable are set.
    Exit(Option<(Var, u8)>, Var),
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
    /// Whether threads end in functions; else [`Stmt::Exit`] is nothing.
    pub exits: bool,
}

/// How a call came about in which a thread is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Calls that are open.
    pub depth: u32,
    /// In the second call of the kernel, which only some threads make.
    pub again: bool,
    /// Some function has called itself.
    pub recursed: bool,
    /// Some function was called through a table.
    pub table: bool,
}

impl Place {
    fn deeper(self) -> Place {
        Place {
            depth: self.depth + 1,
            ..self
        }
    }
}

/// A thread that has ended in a function.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// What it leaves.
    pub word: u32,
    /// Where it was.
    pub place: Place,
}

/// What comes behind a statement.
enum Flow {
    GoesOn,
    Returns(u32),
    Ends(Ended),
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

    /// Words that each function returns: its word, and each of the others so many times [`STEP`] more.
    pub fn result_words(&self) -> u32 {
        [1, 6, 1, 13][usize::from(self.again % 4)]
    }

    /// Whether thread `number` of the launch calls twice.
    pub fn calls_again(&self, number: u32) -> bool {
        number & u32::from(self.again) == 0
    }

    /// What thread `number` of the launch leaves, with `word` to begin with; `None`: it takes too long. The error: it ends in a
    /// function.
    pub fn result(&self, number: u32, word: u32) -> Option<Result<u32, Ended>> {
        let mut fuel = FUEL;
        let args = [2, word, number, word ^ number];
        let mut place = Place::default();
        let mut result = match self.call(0, &args, place, &mut fuel)? {
            Ok(result) => result,
            Err(ended) => return Some(Err(ended)),
        };
        if self.calls_again(number) {
            let args = [1, result, word, number];
            place.again = true;
            match self.call(0, &args, place, &mut fuel)? {
                Ok(more) => result = result.wrapping_add(more),
                Err(ended) => return Some(Err(ended)),
            }
        }
        Some(Ok(result))
    }

    fn call(
        &self,
        number: usize,
        args: &[u32],
        from: Place,
        fuel: &mut u32,
    ) -> Option<Result<u32, Ended>> {
        let place = from.deeper();
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
        let memory = (&mut vars, &mut array);
        let word = match self.run((number, place), &function.body, memory, fuel)? {
            Flow::GoesOn => vars[usize::from(function.result)],
            Flow::Returns(word) => word,
            Flow::Ends(ended) => {
                let here = ended.place.depth == place.depth;
                let word = ended.word.wrapping_add(if here { fold } else { 0 });
                return Some(Err(Ended { word, ..ended }));
            }
        };
        Some(Ok(word.wrapping_add(fold)))
    }

    /// `None`: out of fuel.
    fn run(
        &self,
        at: (usize, Place),
        body: &[Stmt],
        (vars, array): (&mut [u32; VARIABLES as usize], &mut [u32; ARRAY as usize]),
        fuel: &mut u32,
    ) -> Option<Flow> {
        let (number, place) = at;
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
                    match self.run(at, if set { yes } else { no }, (vars, array), fuel)? {
                        Flow::GoesOn => {}
                        leaves => return Some(leaves),
                    }
                }
                Stmt::Loop(times, var, body) => {
                    let by = var.map(|var| (vars[usize::from(var)] & 3) as u8);
                    for _ in 0..by.unwrap_or(*times) {
                        match self.run(at, body, (vars, array), fuel)? {
                            Flow::GoesOn => {}
                            leaves => return Some(leaves),
                        }
                    }
                }
                Stmt::Call(to, args, result) => {
                    if let Some(callee) = self.callee(number, *to) {
                        match self.call(callee, &of(vars, args), place, fuel)? {
                            Ok(word) => vars[usize::from(*result)] = word,
                            Err(ended) => return Some(Flow::Ends(ended)),
                        }
                    }
                }
                Stmt::CallTable(index, args, result) => {
                    let table = self.table(number);
                    if !table.is_empty() {
                        let callee = table[vars[usize::from(*index)] as usize % table.len()];
                        let place = Place {
                            table: true,
                            ..place
                        };
                        match self.call(callee, &of(vars, args), place, fuel)? {
                            Ok(word) => vars[usize::from(*result)] = word,
                            Err(ended) => return Some(Flow::Ends(ended)),
                        }
                    }
                }
                Stmt::Recurse(args, result) => {
                    if vars[0] != 0 && vars[0] < 8 {
                        let mut args = of(vars, args);
                        args[0] = vars[0] - 1;
                        let place = Place {
                            recursed: true,
                            ..place
                        };
                        match self.call(number, &args, place, fuel)? {
                            Ok(word) => vars[usize::from(*result)] = word,
                            Err(ended) => return Some(Flow::Ends(ended)),
                        }
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
                        return Some(Flow::Returns(vars[usize::from(*result)]));
                    }
                }
                Stmt::Exit(when, word) => {
                    let both = |(var, bit): &(Var, u8)| vars[usize::from(*var)] >> bit & 3 == 3;
                    if self.exits && when.as_ref().is_none_or(both) {
                        let word = vars[usize::from(*word)];
                        return Some(Flow::Ends(Ended { word, place }));
                    }
                }
            }
        }
        Some(Flow::GoesOn)
    }
}

/// What a variable that is no argument holds at first.
pub fn initial(var: Var) -> u32 {
    0x9e37_79b9_u32.wrapping_mul(u32::from(var) + 1)
}
