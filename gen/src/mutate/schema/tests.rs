use super::*;

const TEXT: &str = "module m(a,b,y);\n    input wire [3:0] a;\n    input wire b;\n    output reg [3:0] y;\n\
    \x20   localparam two = 4'b10;\n    always @(*) begin\n        y = a & two;\n        if (b) begin\n\
    \x20           y = y + 4'h3;\n        end\n    end\nendmodule\n";

fn changes(operator: Operator) -> Vec<(String, String)> {
    let (schema, _) = Schema::new("m", TEXT, &[], &[], usize::MAX).expect("understood");
    let wanted = schema
        .mutants()
        .iter()
        .filter(|mutant| mutant.operator == operator);
    wanted
        .map(|mutant| (mutant.from.clone(), mutant.to.clone()))
        .collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|&(from, to)| (from.into(), to.into()))
        .collect()
}

#[test]
fn every_operator_is_replaced() {
    assert_eq!(
        changes(Operator::Binary),
        pairs(&[
            ("a & two", "(a) | (two)"),
            ("a & two", "(a) ^ (two)"),
            ("y + 4'h3", "(y) - (4'h3)")
        ])
    );
}

#[test]
fn every_constant_is_changed_where_it_is_used() {
    assert_eq!(
        changes(Operator::Constant),
        pairs(&[
            ("two", "4'h3"),
            ("two", "4'h0"),
            ("two", "4'ha"),
            ("4'h3", "4'h4"),
            ("4'h3", "4'h0"),
            ("4'h3", "4'hb"),
        ])
    );
}

#[test]
fn every_condition_is_forced_and_inverted() {
    assert_eq!(
        changes(Operator::Condition),
        pairs(&[("b", "1'b1"), ("b", "1'b0"), ("b", "!(b)")])
    );
}

#[test]
fn only_an_assignment_over_an_earlier_one_is_left_out() {
    assert_eq!(changes(Operator::Drop), pairs(&[("y + 4'h3", "y")]));
}

#[test]
fn mutants_are_numbered_from_1_and_know_their_line() {
    let (schema, _) = Schema::new("m", TEXT, &[], &[], usize::MAX).expect("understood");
    let numbers: Vec<_> = schema
        .mutants()
        .iter()
        .map(|mutant| mutant.number)
        .collect();
    assert_eq!(numbers, (1..=schema.mutants().len()).collect::<Vec<_>>());
    let last = schema.mutants().last().expect("some");
    assert_eq!((last.line, last.code.as_str()), (9, "y = y + 4'h3;"));
}

#[test]
fn a_fault_of_a_whole_statement_is_a_mutant_and_half_an_expression_is_not() {
    let fault = |from, to| Fault {
        name: "wrong",
        from,
        to,
    };
    let faults = [fault("y = a & two;", "y = a;"), fault("& two", "")];
    let (schema, rest) = Schema::new("m", TEXT, &[], &faults, usize::MAX).expect("understood");
    assert_eq!(rest.len(), 1);
    assert!(
        schema
            .verilog(true)
            .contains("begin y = a; end else begin y = ")
    );
}

#[test]
fn a_fault_of_half_an_expression_is_one_of_the_smallest_whole_around_it() {
    let fault = |from, to| Fault {
        name: "wrong",
        from,
        to,
    };
    let text = TEXT.replace("y = a & two;", "y = a - two;");
    let cases = [
        // Another operand.
        ("- two", "- 4'h3", Some(("two", "4'h3"))),
        // `two - a` is no operand of `a - two - a`.
        ("two;", "two - a;", Some(("a - two", "a - two - a"))),
        ("y = a - t", "y = a & t", Some(("a - two", "a & two"))),
        // The whole statement, since a target is no expression.
        (
            "y = a - two",
            "z = a - two",
            Some(("y = a - two;", "z = a - two;")),
        ),
        // Two statements are none.
        ("y = a - two;\n        if (b)", "if (!b)", None),
    ];
    for (from, to, expected) in cases {
        let (schema, numbers) =
            Schema::of_faults("m", &text, &[fault(from, to)]).expect("understood");
        let found = schema.mutants().first();
        let found = found.map(|mutant| (mutant.from.as_str(), mutant.to.as_str()));
        assert_eq!(found, expected, "{from} to {to}");
        assert_eq!(numbers, [expected.map(|_| 1)]);
    }
    // Numbers are those of the places, whatever the order of the faults.
    let both = [cases[4], cases[2], cases[0]].map(|(from, to, _)| fault(from, to));
    let (schema, numbers) = Schema::of_faults("m", &text, &both).expect("understood");
    assert_eq!(numbers, [None, Some(1), Some(2)]);
    let verilog = schema.verilog(false);
    let nested = "((mutant_number == 16'd1) ? (a & two) : (a - ((mutant_number == 16'd2) ? (4'h3) : (two))))";
    assert!(verilog.contains(nested), "{verilog}");
}

#[test]
fn a_limit_keeps_about_so_many_mutants_and_every_fault() {
    let fault = Fault {
        name: "wrong",
        from: "y = a & two;",
        to: "y = a;",
    };
    let (schema, _) = Schema::new("m", TEXT, &[], &[fault], 6).expect("understood");
    assert!(
        schema
            .mutants()
            .iter()
            .any(|mutant| mutant.operator == Operator::Fault)
    );
    assert!((2..12).contains(&schema.mutants().len()) && schema.possible() > 14);
}

#[test]
fn units_inside_keep_their_mutants_to_themselves() {
    let inner = TEXT.replace("module m(", "module t$unit(");
    let deeper = TEXT.replace("module m(", "module t$unit$m(");
    let own = TEXT.replace("module m(", "module t$units(");
    let text = TEXT.replace("module m(", "module t(") + &inner + &deeper + &own;
    let modules = |joins: &[&str]| {
        let (schema, _) = Schema::new("t", &text, joins, &[], usize::MAX).expect("understood");
        let modules: Vec<_> = (schema.mutants().iter())
            .map(|mutant| mutant.module.clone())
            .collect();
        (schema.possible(), modules)
    };
    let (all, _) = modules(&[]);
    let (some, left) = modules(&["unit"]);
    assert_eq!((2 * some, left.len()), (all, some));
    assert!(
        left.iter()
            .all(|module| ["", "$units"].contains(&module.as_str()))
    );
}

#[test]
fn what_is_not_understood_is_an_error_with_its_line() {
    let error = Schema::new(
        "m",
        "module m(a);\n    specify\nendmodule\n",
        &[],
        &[],
        usize::MAX,
    )
    .err()
    .expect("refused");
    assert!(error.to_string().contains("line 4"), "{error}");
}
