//! Theorems about the units of resource sharing.

use super::{Fault, MAPPING, PLAIN, Proof, fault, property};

const SCRATCHPAD_LOCK_FAULTS: &[Fault] = &[
    fault(
        "both CTAs of a pair take their lock at once",
        "a_locks = a_port$locks & (~(rivals & favor_b));",
        "a_locks = a_port$locks;",
    ),
    fault(
        "a CTA that ends keeps its lock",
        "changes = (frees | lower_takes) | upper_takes;",
        "changes = lower_takes | upper_takes;",
    ),
    fault(
        "CTA 0 as holder is mistaken for its partner",
        "(partner$0 ^ partner$1)",
        "partner$1",
    ),
    fault(
        "both CTAs of a pair are owners",
        "owner_bits$reset = owners$loses;",
        "owner_bits$reset = owners$loses & owners$gains;",
    ),
    fault(
        "a CTA is given a second partner",
        "(free & in_order)",
        "in_order",
    ),
    fault(
        "a CTA that does not share frees the lock of another",
        "if (ends & of_cta$shares) begin",
        "if (ends) begin",
    ),
];

const PAIR_LOCK_FAULTS: &[Fault] = &[
    fault(
        "two CTAs take their first locks at once",
        "a_locks = a_port$locks & (~(rivals & favor_b));",
        "a_locks = a_port$locks;",
    ),
    fault(
        "only the warp's own lock counts, not all of the partner CTA",
        "holding$by_upper = locks$by_upper;",
        "holding$by_upper = locks$by_upper & (24'h000001 << a_port$lock);",
    ),
    fault(
        "both CTAs of a pair are owners",
        "owner_bits$reset = owners$loses;",
        "owner_bits$reset = owners$loses & owners$gains;",
    ),
    fault(
        "a CTA is given a second partner",
        "(free & in_order)",
        "in_order",
    ),
    fault(
        "a pair reaches beyond the locks",
        "locks_from_cta = has_locks >> cta;",
        "locks_from_cta = fits >> cta;",
    ),
    fault(
        "a warp that ends keeps its lock",
        "locks$a_writes = a_locks | a_clears;",
        "locks$a_writes = a_locks;",
    ),
    fault(
        "an upper warp has shared registers of its own",
        "b_home = b_port$home;",
        "b_home = b_warp;",
    ),
];

const PRIORITY_FAULTS: &[Fault] = &[
    fault(
        "who shares counts as an owner",
        "owners$mask = owner;",
        "owners$mask = shared;",
    ),
    fault(
        "owners count as unshared",
        "sharers$mask = shared;",
        "sharers$mask = shared & (~owner);",
    ),
    fault(
        "odd slots are launched with the even ones",
        "scheduler$1$launch = launches$hand$1;",
        "scheduler$1$launch = launches$hand$0;",
    ),
    fault(
        "clear leaves the order of the odd slots",
        "scheduler$1$clear = clear;",
        "scheduler$1$clear = 1'b0;",
    ),
    fault(
        "the third of the last three never wins",
        "champion = slot$46;\n    end\n\nendmodule // warp_priority_w48_s2$scheduler$1$tournament\n",
        "champion = slot$45;\n    end\n\nendmodule // warp_priority_w48_s2$scheduler$1$tournament\n",
    ),
    fault(
        "who of slots 1 and 15 is older never changes",
        "q[place] <= 1'b1;\n            end\n        end\n    end\nendmodule // warp_priority_w48_s2$scheduler$1$order$7\n",
        "q[place] <= place != 0;\n            end\n        end\n    end\nendmodule // warp_priority_w48_s2$scheduler$1$order$7\n",
    ),
];

const THROTTLE_FAULTS: &[Fault] = &[
    fault(
        "SM 0 is throttled like the others",
        "memory_allowed = draw$drawn & (~sm_zero);",
        "memory_allowed = draw$drawn;",
    ),
    fault(
        "the probability falls below 0",
        "at_end = probability == never;",
        "at_end = 1'b0;",
    ),
    fault(
        "as many stalls as on SM 0 raise it",
        "if ((is_first & differs) & (~at_end)) begin",
        "if (is_first & (~at_end)) begin",
    ),
    fault(
        "more stalls raise it",
        "if (compare$above) begin",
        "if (!compare$above) begin",
    ),
    fault(
        "a period keeps the stalls of the one before",
        "            kept = first;",
        "            kept = count$q;",
    ),
    fault(
        "the generator begins at 0",
        "offset$d = never;",
        "offset$d = seed;",
    ),
    fault(
        "probability 1 refuses",
        "threshold$10 = 16'hffff;",
        "threshold$10 = 16'h7fff;",
    ),
];

const TOP_FAULTS: &[Fault] = &[
    fault(
        "a load that is held back takes the lock",
        "registers$a_valid = a_demand$asks;",
        "registers$a_valid = a_valid;",
    ),
    fault(
        "an instruction goes on without the scratchpad's lock",
        "b_goes = registers$b_grant & (scratchpad$b_grant | (~b_demand$accesses));",
        "b_goes = registers$b_grant;",
    ),
    fault(
        "a kernel shares registers and scratchpad",
        "scratchpad$share = share_scratchpad & (~share_regs);",
        "scratchpad$share = share_scratchpad;",
    ),
    fault(
        "owners of scratchpad are chosen as unshared warps are",
        "choice$shared = registers$shared | scratchpad$shared;",
        "choice$shared = registers$shared;",
    ),
    fault(
        "an upper warp keeps to the row of its own number",
        "a_mapper$home = registers$a_home;",
        "a_mapper$home = a_warp;",
    ),
    fault(
        "private registers of upper warps lie among those of lower ones",
        "b_mapper$upper_offset = upper_offset;",
        "b_mapper$upper_offset = 10'h000;",
    ),
    fault(
        "the last source needs no lock",
        "a_demand$named$2 = a_x2_valid;",
        "a_demand$named$2 = 1'b0;",
    ),
    fault(
        "the end of a warp has registers",
        "a_mapper$goes = a_goes & (~a_exit);",
        "a_mapper$goes = a_goes;",
    ),
];

pub(super) fn proofs() -> Vec<Proof> {
    vec![
        Proof {
            name: "scratchpad_lock",
            claims: "Never do both CTAs of a pair hold their lock; an access is granted exactly by Figure 4; a CTA holds \
                 until it ends; repeated requests change nothing; the CTA that is waited for is owner, and hands over \
                 when it ends; pairs are made exactly if they can be.",
            unit: Some("scratchpad_lock"),
            params: &[("ctas", 8)],
            faults: SCRATCHPAD_LOCK_FAULTS,
            source: property!("scratchpad_lock.sv"),
            events: 8,
            lemmas: true,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "pair_lock",
            claims: "Never do both CTAs of a pair hold locks, so never two warps of a pair; an access is granted exactly by \
                 Figure 3 and the rule against deadlock; repeated requests change nothing; the CTA that is waited for is \
                 owner, and hands over when it ends; pairs are made exactly if they can be; the shared registers of a pair \
                 are its lower warp's.",
            unit: Some("pair_lock"),
            params: &[("ctas", 8)],
            faults: PAIR_LOCK_FAULTS,
            source: property!("pair_lock.sv"),
            events: 8,
            lemmas: true,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "warp_priority",
            claims: "The chosen warp is ready, no ready warp is of a better class, and none of its class was launched earlier; \
                 one is chosen exactly if one is ready; the order of warps is strict and total.",
            unit: Some("warp_priority"),
            params: &[("schedulers", 2)],
            faults: PRIORITY_FAULTS,
            source: property!("warp_priority.sv"),
            events: 6,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "dynamic_throttle",
            claims: "The probability stays within 0 and 1, and moves by a tenth only when a period has ended, towards \
                     fewer stalls than SM 0; SM 0 never allows, probability 1 always does, 0 never; a draw succeeds in \
                     its tenths; the generator is never 0.",
            unit: Some("dynamic_throttle"),
            params: &[("period", 1000)],
            faults: THROTTLE_FAULTS,
            source: property!("dynamic_throttle.sv"),
            events: 6,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "owf_top",
            claims: "Every register of an instruction that goes on has a pack, and two never share one; a warp that is no owner \
                     is held back from memory and then asks for no lock; what both locks and the throttle allow goes on, and \
                     nothing else; warps are chosen among the ready ones by the classes that the locks tell; a kernel shares \
                     registers or scratchpad.",
            cut_units: &["registers", "scratchpad", "choice", "throttle"],
            unit: Some("owf_top"),
            params: &[("ctas", 8), ("packs", 1024)],
            faults: TOP_FAULTS,
            source: property!("owf_top.sv"),
            places: true,
            events: 6,
            ..MAPPING
        },
    ]
}
