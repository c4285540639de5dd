import re
R=''
def edit(p,*reps):
    s=open(R+p).read()
    for a,b in reps:
        assert a in s,(p,a)
        s=s.replace(a,b,1)
    open(R+p,'w').write(s)
edit('hw/src/owf/mod.rs',("pub mod cost;\n","pub mod cost;\npub mod dynamic_throttle;\n"))
s=open(R+'hw/src/owf/cost.rs').read()
new='''
/// Storage of the dynamic throttle (IV-C). The paper counts none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynamicThrottleBits {
    /// The cycle of the period.
    pub cycle: u64,
    /// Stall cycles of the period, 0 to all of them.
    pub stalls: u64,
    /// The probability in tenths, 0 to 10.
    pub probability: u64,
    /// The random number generator.
    pub generator: u64,
}

impl DynamicThrottleBits {
    /// For periods of `period` cycles.
    #[must_use]
    pub const fn new(period: u64) -> Self {
        Self {
            cycle: index_bits(period + 1),
            stalls: index_bits(period + 1),
            probability: index_bits(11),
            generator: 16,
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.cycle + self.stalls + self.probability + self.generator
    }
}
'''
if "use crate::cost::index_bits" not in s:
    i=s.index("\n\n")+1
    s=s[:i]+"\nuse crate::cost::index_bits;\n"+s[i:]
j=s.find("#[cfg(test)]")
s=s+new if j<0 else s[:j]+new.lstrip("\n")+"\n"+s[j:]
open(R+'hw/src/owf/cost.rs','w').write(s)
s=open(R+'gen/src/catalog/stimulus_owf_issue.rs').read()
open(R+'gen/src/catalog/stimulus_owf_issue.rs','w').write(s+open('gen/pending/dynamic_throttle_stim.rs.txt').read())
edit('gen/src/catalog/units/owf.rs',
 ("stimulus_owf_issue::warps_in_order;","stimulus_owf_issue::{throttled_periods, warps_in_order};"),
 ("cost::warp_priority_bits;","cost::{DynamicThrottleBits, warp_priority_bits};"),
 ("    warp_priority(entries);\n","    warp_priority(entries);\n    dynamic_throttle(entries);\n"))
s=open(R+'gen/src/catalog/units/owf.rs').read()
s+='''
fn dynamic_throttle(entries: &mut Vec<Entry>) {
    use regshare_hw::owf::dynamic_throttle::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "dynamic_throttle",
        summary: "Dynamic warp execution: how often non-owner warps may issue memory instructions (resource sharing, IV-C).",
        pins_source: source!("owf/dynamic_throttle/mod.rs").1,
        rtl_source: source!("owf/dynamic_throttle/rtl.rs"),
    };
    macro_rules! size {
        ($period:literal, $block:ty) => {
            entries.push(
                entry::<Model<$period>, $block>(
                    &unit,
                    &[("period", $period)],
                    DynamicThrottleBits::new($period).total() as usize,
                    || record::<Model<$period>>(|pins| throttled_periods(pins, $period, 600)),
                )
                .with_paper_bits(
                    0,
                    "V: counts nothing for dynamic warp execution (IV-C); it takes a cycle and a stall counter, the \\
                     probability, and something to draw from",
                )
                .with_cases(|seed, count| cases::<Model<$period>>(&strategy::rows(), seed, count)),
            );
        };
    }
    size!(1000, rtl::DynamicThrottle1000);
    size!(12, rtl::DynamicThrottle12);
}
'''
open(R+'gen/src/catalog/units/owf.rs','w').write(s)
edit('gen/src/proof/properties/owf.rs',("pub(super) fn proofs()",'''const THROTTLE_FAULTS: &[Fault] = &[
    fault(
        "SM 0 is throttled like the others",
        "memory_allowed = draw$drawn & (~sm_zero);",
        "memory_allowed = draw$drawn;",
    ),
    fault(
        "the probability falls below 0",
        "more = (count$q > zero_stalls) & (probability$q != never);",
        "more = count$q > zero_stalls;",
    ),
    fault(
        "as many stalls as on SM 0 raise it",
        "fewer = (count$q < zero_stalls) & (probability$q != always);",
        "fewer = (count$q <= zero_stalls) & (probability$q != always);",
    ),
    fault(
        "more stalls raise it",
        "probability$d = lower;",
        "probability$d = higher;",
    ),
    fault(
        "a period keeps the stalls of the one before",
        "counted = first;",
        "counted = count$q;",
    ),
    fault(
        "the generator begins at 0",
        "random$d = seed;",
        "random$d = never;",
    ),
    fault(
        "probability 1 refuses",
        "threshold$10 = 16'hffff;",
        "threshold$10 = 16'h7fff;",
    ),
];

pub(super) fn proofs()'''))
s=open(R+'gen/src/proof/properties/owf.rs').read()
i=s.rindex("..PLAIN\n"); k=s.index("}",i)
s=s[:k+1]+''', Proof {
            name: "dynamic_throttle",
            claims: "The probability stays within 0 and 1, and moves by a tenth only when a period has ended, towards \\
                     fewer stalls than SM 0; SM 0 never allows, probability 1 always does, 0 never; a draw succeeds in \\
                     its tenths; the generator is never 0.",
            unit: Some("dynamic_throttle"),
            params: &[("period", 1000)],
            faults: THROTTLE_FAULTS,
            source: property!("dynamic_throttle.sv"),
            events: 6,
            power_on: true,
            ..PLAIN
        }'''+s[k+1:]
open(R+'gen/src/proof/properties/owf.rs','w').write(s)
edit('docs/hardware.md',("Register file virtualization (RFV); numerals","@@"),)
s=open(R+'docs/hardware.md').read()
i=s.index("@@")
s=s[:i].rstrip("\n")+"\n| `dynamic_throttle` | how often non-owner warps may issue memory instructions, by comparing stall cycles with SM 0 (IV-C) | 40 | [page](../hw/src/owf/dynamic_throttle/README.md) | `dynamic_throttle_p1000`, `_p12` |\n\nRegister file virtualization (RFV); numerals"+s[i+2:]
assert "schedulers (`warp_priority`)." in s; s=s.replace("schedulers (`warp_priority`).","schedulers (`warp_priority`); `p` of `dynamic_throttle` is the cycles of a period.")
a="`stalled_warps`: no warp is in the list twice"
s=s.replace(a,"""`dynamic_throttle`: the probability stays within 0 and 1, and moves by a tenth only when a period has ended, down if this SM
had more stall cycles than SM 0 and up if it had fewer. SM 0 never allows what it throttles; at probability 1 all is allowed.

"""+a)
a="| `flag_decoder` | every output is the selection"
s=s.replace(a,"| `dynamic_throttle` | the probability is bounded and moves as the paper says; SM 0 never allows; draws succeed with exactly the probabilities of the page |\n"+a)
open(R+'docs/hardware.md','w').write(s)
edit('CHANGELOG.md',("- `warp_priority`, a unit of the hardware of resource sharing: the owner-warp-first choice of both schedulers, with proofs.","- `warp_priority` and `dynamic_throttle`, units of the hardware of resource sharing: the owner-warp-first choice of both\n  schedulers, and the probability of memory instructions of non-owner warps, with proofs."))
