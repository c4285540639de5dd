//! A program of functions as PTX.

use super::program::{ARRAY, Function, Op, Program, STEP, Stmt, TABLE_ARGS, VARIABLES, initial};
use std::fmt::Write;

/// The program as one PTX module with the entry `kernel`: words `in`, words `out`.
pub fn ptx(program: &Program) -> String {
    let mut out = String::from(".version 6.3\n.target sm_70\n.address_size 64\n\n");
    for number in 0..program.functions.len() {
        let _ = writeln!(out, "{};", head(program, number));
    }
    for number in 0..program.functions.len() {
        let table = program.table(number);
        if !table.is_empty() {
            let names: Vec<_> = table.iter().map(|callee| format!("f{callee}")).collect();
            let _ = writeln!(
                out,
                ".visible .global .align 8 .u64 table{number}[{}] = {{{}}};",
                table.len(),
                names.join(", ")
            );
        }
    }
    if program.exits {
        out.push_str(".visible .global .align 8 .u64 words;\n");
    }
    for (number, function) in program.functions.iter().enumerate() {
        let mut writer = Writer {
            program,
            number,
            out: &mut out,
            labels: 0,
        };
        writer.function(function);
    }
    entry(program, &mut out);
    out
}

fn head(program: &Program, number: usize) -> String {
    let args =
        (0..program.functions[number].args).map(|arg| format!(".param .b32 f{number}_{arg}"));
    let args: Vec<_> = args.collect();
    let result = result(&format!("f{number}_r"), program.result_words());
    format!(".func ({result}) f{number}({})", args.join(", "))
}

/// A parameter for a result of so many words.
fn result(name: &str, words: u32) -> String {
    match words {
        1 => format!(".param .b32 {name}"),
        _ => format!(".param .align 4 .b8 {name}[{}]", 4 * words),
    }
}

/// How a call gives its result: how many words, the register for the first, and spare ones. Of several words, the middle and the
/// last one say the same.
struct Returned<'a> {
    words: u32,
    to: &'a str,
    spare: [&'a str; 2],
}

impl Returned<'_> {
    fn take(&self, out: &mut String) {
        let Returned {
            words,
            to,
            spare: [a, b],
        } = self;
        if *words == 1 {
            let _ = writeln!(out, "ld.param.b32 {to}, [retval0+0];\n}}");
            return;
        }
        let (middle, last) = (words / 2, words - 1);
        let _ = writeln!(
            out,
            "ld.param.b32 {to}, [retval0+0];\nld.param.b32 {a}, [retval0+{}];\nld.param.b32 {b}, [retval0+{}];\n}}\n\
             sub.u32 {to}, {a}, {to};\nadd.u32 {to}, {to}, {b};\nsub.u32 {to}, {to}, {};",
            4 * middle,
            4 * last,
            STEP.wrapping_mul(middle + last)
        );
    }
}

fn entry(program: &Program, out: &mut String) {
    let args = usize::from(program.functions[0].args);
    let again = program.again;
    let call = |out: &mut String, sequence: u32, words: [&str; 4]| {
        // Arguments beyond those that are given hold what variables hold at first.
        let given = |at: usize| match words.get(at) {
            Some(word) => (*word).to_owned(),
            None => initial(at as u8).to_string(),
        };
        let given: Vec<String> = (0..args).map(given).collect();
        let returned = Returned {
            words: program.result_words(),
            to: "%r9",
            spare: ["%r10", "%r11"],
        };
        write_call(out, "f0", &given, &returned, sequence, None);
    };
    let _ = write!(
        out,
        ".visible .entry kernel(.param .u64 kernel_0, .param .u64 kernel_1)\n{{\n\
         .reg .pred %p<2>;\n.reg .b32 %r<12>;\n.reg .b64 %rd<8>;\n\
         ld.param.u64 %rd1, [kernel_0];\nld.param.u64 %rd2, [kernel_1];\n\
         mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;\n\
         mul.wide.u32 %rd3, %r4, 4;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n\
         ld.global.u32 %r5, [%rd4];\nxor.b32 %r6, %r5, %r4;\n"
    );
    if program.exits {
        // Where a thread that ends in a function leaves its word.
        let _ = writeln!(out, "mov.u64 %rd6, words;\nst.global.u64 [%rd6], %rd2;");
    }
    call(out, 0, ["2", "%r5", "%r4", "%r6"]);
    let _ = write!(
        out,
        "mov.u32 %r7, %r9;\nand.b32 %r8, %r4, {again};\nsetp.ne.u32 %p1, %r8, 0;\n@%p1 bra DONE;\n"
    );
    call(out, 1, ["1", "%r7", "%r5", "%r4"]);
    let _ = write!(
        out,
        "add.u32 %r7, %r7, %r9;\nDONE:\nst.global.u32 [%rd5], %r7;\nret;\n}}\n"
    );
}

/// A call of `callee`, or, with `table`, of the function that register holds.
fn write_call(
    out: &mut String,
    callee: &str,
    args: &[String],
    returned: &Returned,
    sequence: u32,
    prototype: Option<u8>,
) {
    let _ = writeln!(out, "{{");
    for (at, arg) in args.iter().enumerate() {
        let _ = writeln!(
            out,
            ".param .b32 param{at};\nst.param.b32 [param{at}+0], {arg};"
        );
    }
    let _ = writeln!(out, "{};", result("retval0", returned.words));
    let names: Vec<_> = (0..args.len()).map(|at| format!("param{at}")).collect();
    let names = names.join(", ");
    match prototype {
        None => {
            let _ = writeln!(out, "call (retval0), {callee}, ({names});");
        }
        Some(args) => {
            let params = vec![".param .b32 _"; args.into()].join(", ");
            let _ = writeln!(
                out,
                "prototype_{sequence} : .callprototype ({}) _ ({params});\n\
                 call (retval0), {callee}, ({names}), prototype_{sequence};",
                result("_", returned.words)
            );
        }
    }
    returned.take(out);
}

struct Writer<'a> {
    program: &'a Program,
    number: usize,
    out: &'a mut String,
    labels: u32,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn function(&mut self, function: &Function) {
        let number = self.number;
        self.line(&head(self.program, number));
        // The first registers are the variables, %r30, %r31 and %r33 spare, %r34 and %r35 too, %r32 what the arguments make; each loop counts in a register of its own, from %r40.
        self.line("{\n.reg .pred %p<4>;\n.reg .b32 %r<240>;\n.reg .b64 %rd<4>;");
        if self.program.has_array(number) {
            self.line(&format!(".local .align 4 .b8 array[{}];", 4 * ARRAY));
            for word in 0..ARRAY {
                self.line(&format!(
                    "mov.u32 %r30, {word};\nst.local.u32 [array+{}], %r30;",
                    4 * word
                ));
            }
        }
        for var in 0..VARIABLES {
            if var < function.args {
                self.line(&format!("ld.param.u32 %r{var}, [f{number}_{var}];"));
            } else {
                self.line(&format!("mov.u32 %r{var}, {};", initial(var)));
            }
        }
        self.line("mov.u32 %r32, 0;");
        for arg in 0..function.args {
            self.line(&format!("mad.lo.u32 %r32, %r32, 3, %r{arg};"));
        }
        self.body(&function.body);
        self.give_back(function.result);
        self.line("}");
    }

    fn give_back(&mut self, result: u8) {
        let number = self.number;
        self.line(&format!(
            "add.u32 %r33, %r32, %r{result};\nst.param.b32 [f{number}_r+0], %r33;"
        ));
        for word in 1..self.program.result_words() {
            self.line(&format!(
                "add.u32 %r33, %r33, {STEP};\nst.param.b32 [f{number}_r+{}], %r33;",
                4 * word
            ));
        }
        self.line("ret;");
    }

    fn bit(&mut self, var: u8, bit: u8) {
        self.line(&format!(
            "shr.u32 %r30, %r{var}, {bit};\nand.b32 %r30, %r30, 1;"
        ));
        self.line("setp.eq.u32 %p1, %r30, 0;");
    }

    fn body(&mut self, body: &[Stmt]) {
        for stmt in body {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        let number = self.number;
        match stmt {
            Stmt::Set(to, op, a, b) => self.line(&format!("{} %r{to}, %r{a}, %r{b};", name(*op))),
            Stmt::SetConst(to, op, a, by) => {
                self.line(&format!("{} %r{to}, %r{a}, {by};", name(*op)));
            }
            Stmt::If(var, bit, yes, no) => {
                let label = self.label();
                self.bit(*var, *bit);
                self.line(&format!("@%p1 bra ELSE{number}_{label};"));
                self.body(yes);
                self.line(&format!("bra END{number}_{label};\nELSE{number}_{label}:"));
                self.body(no);
                self.line(&format!("END{number}_{label}:"));
            }
            Stmt::Loop(times, var, body) => {
                let label = self.label();
                let counter = 40 + label;
                match var {
                    Some(var) => self.line(&format!("and.b32 %r{counter}, %r{var}, 3;")),
                    None => self.line(&format!("mov.u32 %r{counter}, {times};")),
                }
                self.line(&format!(
                    "LOOP{number}_{label}:\nsetp.eq.u32 %p2, %r{counter}, 0;"
                ));
                self.line(&format!("@%p2 bra END{number}_{label};"));
                self.line(&format!("sub.u32 %r{counter}, %r{counter}, 1;"));
                self.body(body);
                self.line(&format!("bra LOOP{number}_{label};\nEND{number}_{label}:"));
            }
            Stmt::Call(to, args, result) => {
                if let Some(callee) = self.program.callee(number, *to) {
                    let count = usize::from(self.program.functions[callee].args);
                    self.call(&format!("f{callee}"), &args[..count], *result, None);
                }
            }
            Stmt::CallTable(index, args, result) => {
                let table = self.program.table(number);
                if !table.is_empty() {
                    self.line(&format!("rem.u32 %r30, %r{index}, {};", table.len()));
                    self.line(&format!(
                        "mov.u64 %rd1, table{number};\nmul.wide.u32 %rd2, %r30, 8;"
                    ));
                    self.line("add.s64 %rd1, %rd1, %rd2;\nld.global.u64 %rd3, [%rd1];");
                    let args = &args[..usize::from(TABLE_ARGS)];
                    self.call("%rd3", args, *result, Some(TABLE_ARGS));
                }
            }
            Stmt::Recurse(args, result) => {
                let label = self.label();
                self.line("sub.u32 %r31, %r0, 1;\nsetp.gt.u32 %p3, %r31, 6;");
                self.line(&format!("@%p3 bra END{number}_{label};"));
                let count = usize::from(self.program.functions[number].args);
                let mut given: Vec<String> =
                    args[..count].iter().map(|var| format!("%r{var}")).collect();
                given[0] = "%r31".to_owned();
                let sequence = self.label();
                let to = format!("%r{result}");
                let returned = self.returned(&to);
                write_call(
                    self.out,
                    &format!("f{number}"),
                    &given,
                    &returned,
                    sequence,
                    None,
                );
                self.line(&format!("END{number}_{label}:"));
            }
            Stmt::Store(which, value) => {
                let space = self.element(*which);
                self.line(&format!("st{space}.u32 [%rd1], %r{value};"));
            }
            Stmt::Load(to, which) => {
                let space = self.element(*which);
                self.line(&format!("ld{space}.u32 %r{to}, [%rd1];"));
            }
            Stmt::Exit(when, word) => {
                if self.program.exits {
                    self.exit(*when, *word);
                }
            }
            Stmt::ReturnIf(var, bit, result) => {
                let label = self.label();
                self.bit(*var, *bit);
                self.line(&format!("@%p1 bra END{number}_{label};"));
                self.give_back(*result);
                self.line(&format!("END{number}_{label}:"));
            }
        }
    }

    /// The thread leaves a word and ends: under a guard, or in a block of its own.
    fn exit(&mut self, when: Option<(u8, u8)>, word: u8) {
        let (number, label) = (self.number, self.label());
        let mut guard = "";
        if let Some((var, bit)) = when {
            self.line(&format!(
                "shr.u32 %r30, %r{var}, {bit};\nand.b32 %r30, %r30, 3;"
            ));
            self.line("setp.eq.u32 %p1, %r30, 3;");
            if bit % 2 == 0 {
                guard = "@%p1 ";
            } else {
                self.line(&format!("@!%p1 bra STAYS{number}_{label};"));
            }
        }
        self.line(&format!(
            "mov.u32 %r30, %ctaid.x;\nmov.u32 %r31, %ntid.x;\nmov.u32 %r33, %tid.x;\n\
             mad.lo.s32 %r30, %r30, %r31, %r33;\nmul.wide.u32 %rd2, %r30, 4;\n\
             mov.u64 %rd1, words;\nld.global.u64 %rd3, [%rd1];\nadd.s64 %rd3, %rd3, %rd2;\n\
             add.u32 %r33, %r32, %r{word};\n{guard}st.global.u32 [%rd3], %r33;\n{guard}exit;\nSTAYS{number}_{label}:"
        ));
    }

    /// The address of a word of the array, in %rd1, and the space in which it is one.
    fn element(&mut self, which: u8) -> &'static str {
        self.line(&format!(
            "and.b32 %r30, %r{which}, {};\nmul.wide.u32 %rd2, %r30, 4;",
            ARRAY - 1
        ));
        let generic = self.program.functions[self.number].generic;
        self.line(if generic {
            "cvta.local.u64 %rd1, array;"
        } else {
            "mov.u64 %rd1, array;"
        });
        self.line("add.s64 %rd1, %rd1, %rd2;");
        if generic { "" } else { ".local" }
    }

    fn call(&mut self, callee: &str, args: &[u8], result: u8, prototype: Option<u8>) {
        let args: Vec<String> = args.iter().map(|var| format!("%r{var}")).collect();
        let sequence = self.label();
        let to = format!("%r{result}");
        let returned = self.returned(&to);
        write_call(self.out, callee, &args, &returned, sequence, prototype);
    }

    fn returned<'b>(&self, to: &'b str) -> Returned<'b> {
        Returned {
            words: self.program.result_words(),
            to,
            spare: ["%r34", "%r35"],
        }
    }
}

fn name(op: Op) -> &'static str {
    match op {
        Op::Add => "add.u32",
        Op::Sub => "sub.u32",
        Op::Mul => "mul.lo.u32",
        Op::And => "and.b32",
        Op::Or => "or.b32",
        Op::Xor => "xor.b32",
        Op::Min => "min.u32",
        Op::Max => "max.u32",
    }
}
