use super::*;
use crate::proof::properties::PLAIN;
use crate::proof::{Proof, TOOLS};
use crate::tools::have;

const ADDER: &str = "\
module adder(a, b, y);
    input wire [3:0] a;
    input wire [3:0] b;
    output reg [3:0] y;
    reg [3:0] sum;
    always @(*) begin
        sum = a + b;
        y = sum;
    end
endmodule
";

/// The unit inside the top; in a module of its own, connected by name; the same by place.
const CLAIMS: [&str; 3] = [
    "\
module proof (input wire clock, input wire [3:0] a, b);
    wire [3:0] y;
    `TOP uut (.*);
    always @(*) claim: assert (y == a + b);
endmodule
",
    "\
module sum (input wire [3:0] a, b, output wire [3:0] y);
    `TOP uut (.a(a), .b(b), .y(y));
endmodule
module proof (input wire clock, input wire [3:0] a, b);
    wire [3:0] y;
    sum s (
        .a(a), .b(b), .y(y)
    );
    always @(*) claim: assert (y == a + b);
endmodule
",
    "\
module sum (input wire [3:0] a, b, output wire [3:0] y);
    `TOP uut (.a(a), .b(b), .y(y));
endmodule
module proof (input wire clock, input wire [3:0] a, b);
    wire [3:0] y;
    sum s (a, b, y);
    always @(*) claim: assert (y == a + b);
endmodule
",
];

#[test]
fn faults_that_are_asked_together_are_told_apart() {
    if !have(TOOLS, "faults that are asked together") {
        return;
    }
    let fault = |from, to| Fault { name: "", from, to };
    let faults = [
        fault("sum = a + b;", "sum = b + a;"),
        fault("y = sum;", "y = sum | 4'h1;"),
        fault("a + b", "a - b"),
        // A part of an expression.
        fault("+ b", "+ a"),
        // Within no expression or statement: asked alone.
        fault("sum = a + b;\n        y = sum;", "y = a;"),
    ];
    for claim in CLAIMS {
        let proof = Proof {
            source: ("claim.sv", claim),
            frames: 1,
            ..PLAIN
        };
        let recipe = Recipe::of_module(&proof, "adder");
        let dir = tempfile::tempdir().expect("temporary folder");
        let job = Job {
            recipe,
            dir: dir.path(),
        };
        assert_eq!(job.decide(ADDER).expect("runs"), Verdict::Proved);
        let found = job.finds(ADDER, &faults).expect("runs");
        assert_eq!(found, [false, true, true, true, true], "{claim}");
    }
}

/// One frame, or a second one of which `LATER` is assumed.
const ASSUMED: &str = "\
module proof (input wire clock, input wire [3:0] a, b);
    wire [3:0] y;
    `TOP uut (.*);
    reg second;
    initial second = 0;
    always @(posedge clock) second <= 1;
    always @(*) begin
        if (second) assume (LATER);
        claim: assert (y == a + b);
    end
endmodule
";

#[test]
fn assumptions_that_contradict_each_other_are_noticed() {
    if !have(TOOLS, "assumptions that contradict each other") {
        return;
    }
    for (later, expected) in [("a < b", true), ("a < b && b < a", false)] {
        let text = ASSUMED.replace("LATER", later);
        let proof = Proof {
            source: ("claim.sv", Box::leak(text.into_boxed_str())),
            ..PLAIN
        };
        let recipe = Recipe::of_module(&proof, "adder");
        let dir = tempfile::tempdir().expect("temporary folder");
        let job = Job {
            recipe,
            dir: dir.path(),
        };
        let found = job.decide_and_meet(ADDER).expect("runs");
        assert_eq!(found, (Verdict::Proved, expected), "{later}");
    }
}

const MULTIPLIER: &str = "\
module multiplier(a, b, y);
    input wire [15:0] a;
    input wire [15:0] b;
    output reg y;
    always @(*) begin
        y = a * b == 16'd65521;
    end
endmodule
";

const PRIME: &str = "\
module proof (input wire clock, input wire [7:0] a, b);
    wire y;
    `TOP uut (.a({8'd0, a}), .b({8'd0, b}), .y(y));
    always @(*) begin
        assume (a > 1 && b > 1);
        claim: assert (!y);
    end
endmodule
";

/// Whether a number is a product is not found without a conflict.
#[test]
fn a_fault_that_is_not_decided_at_once_is_asked_again() {
    if !have(TOOLS, "a fault that is not decided at once") {
        return;
    }
    let fault = |to| Fault {
        name: "",
        from: "16'd65521",
        to,
    };
    let proof = Proof {
        source: ("claim.sv", PRIME),
        frames: 1,
        ..PLAIN
    };
    let dir = tempfile::tempdir().expect("temporary folder");
    let job = Job {
        recipe: Recipe::of_module(&proof, "multiplier"),
        dir: dir.path(),
    };
    // 239 times 241, and another prime.
    let faults = [fault("16'd57599"), fault("16'd65519")];
    let found = job.finds_after("0", MULTIPLIER, &faults);
    assert_eq!(found.expect("runs"), [true, false]);
    for number in [1, 2] {
        job.choose("faults0", number).expect("there");
        let first = job.ask("chosen.aig", "", &["-q", "-c", "0"]);
        assert_eq!(
            first.expect("runs"),
            None,
            "fault {number} is decided at once"
        );
    }
}
