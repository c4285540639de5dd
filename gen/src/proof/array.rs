//! Memories as arrays: what Yosys maps a memory to where a proof asks for it.

/// Name and text of the map.
pub(super) const MAP: (&str, &str) = ("array.v", include_str!("../../proofs/array.v"));

#[cfg(test)]
mod tests {
    use crate::proof::engine::{Job, Verdict};
    use crate::proof::properties::PLAIN;
    use crate::proof::{Proof, Recipe, TOOLS};
    use crate::tools::have;

    /// Three words of which all are 2 at power-on; two readers and one writer at rows of their own.
    const MEMORY: &str = "\
module small(input clock, input [1:0] a, b, c, input write, input [3:0] d, output [3:0] x, y);
    reg [3:0] words [0:2];
    integer i;
    initial for (i = 0; i < 3; i = i + 1) words[i] = 2;
    assign x = words[a], y = words[b];
    always @(posedge clock) if (write) words[c] <= d;
endmodule
";

    const WRAPPER: &str = "\
module proof(input clock, input [1:0] a, b, c, input write, input [3:0] d);
    wire [3:0] x, y;
    small uut (.*);
    reg second, wrote;
    reg [1:0] old_a, old_c;
    reg [3:0] old_x, old_d;
    initial second = 0;
    always @(posedge clock) begin
        second <= 1;
        wrote <= write;
        old_a <= a;
        old_c <= c;
        old_x <= x;
        old_d <= d;
    end
    always @(*) claim: assert (CLAIM);
endmodule
";

    /// What comes of `claim`, with the memory as flip-flops and as an array.
    fn verdicts(claim: &str, power_on: bool) -> Option<[Verdict; 2]> {
        if !have(TOOLS, "memories in proofs") {
            return None;
        }
        let text = WRAPPER.replace("CLAIM", claim);
        let [mapped, array] = [false, true].map(|arrays| {
            let dir = tempfile::tempdir().expect("temporary folder");
            let proof = Proof {
                source: ("claim.sv", Box::leak(text.clone().into_boxed_str())),
                defines: if power_on { &["POWER_ON"] } else { &[] },
                arrays,
                ..PLAIN
            };
            let recipe = Recipe::of_module(&proof, "small");
            let job = Job {
                recipe,
                dir: dir.path(),
            };
            let verdict = job.decide(MEMORY).expect("the programs run");
            let asked = std::fs::read(dir.path().join("property.aig")).expect("a question");
            (verdict, asked)
        });
        assert_ne!(mapped.1, array.1, "the map was not used");
        Some([mapped.0, array.0])
    }

    #[test]
    fn what_holds_of_flip_flops_holds_of_an_array() {
        for claim in [
            "a != b || a == 3 || x == y",
            "!second || !wrote || old_c != a || a == 3 || x == old_d",
            "!second || old_a != a || a == 3 || (wrote && old_c == a) || x == old_x",
        ] {
            let found = verdicts(claim, false);
            assert!(
                found.is_none_or(|found| found == [Verdict::Proved; 2]),
                "{claim}: {found:?}"
            );
        }
    }

    #[test]
    fn what_fails_of_flip_flops_fails_of_an_array() {
        for claim in [
            "x == y",
            "x == 2",
            "a != b || x == y",
            "!second || old_a != a || a == 3 || x == old_x",
            "!second || old_a != a || (wrote && old_c == a) || x == old_x",
            "!second || !wrote || old_c != a || x == old_d",
        ] {
            let found = verdicts(claim, false);
            assert!(
                found.is_none_or(|found| found == [Verdict::Refuted; 2]),
                "{claim}: {found:?}"
            );
        }
    }

    #[test]
    fn an_array_holds_its_words_at_power_on() {
        let proved = verdicts("second || a == 3 || x == 2", true);
        assert!(proved.is_none_or(|found| found == [Verdict::Proved; 2]));
        let refuted = verdicts("second || a == 3 || x == 1", true);
        assert!(refuted.is_none_or(|found| found == [Verdict::Refuted; 2]));
    }
}
