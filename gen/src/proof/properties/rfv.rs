//! Theorems about the units of register file virtualization.

use super::{Fault, PLAIN, Proof, fault, property};

const DECODER_FAULTS: &[Fault] = &[
    fault(
        "slots 16 and 17 read as 0 and 1",
        "select$slot = slot;",
        "select$slot = {1'b0, slot[3:0]};",
    ),
    fault(
        "unused ids are released",
        "id_valid$1 = is_pbr & (triple[(32'h6 * 1)+:(6)] != no_register);",
        "id_valid$1 = is_pbr;",
    ),
    fault(
        "six registers are released in one turn",
        "else if (used$1) begin\n                turns = count$2;",
        "else if (used$1) begin\n                turns = count$1;",
    ),
    fault(
        "the second turn is the third",
        "triple = word[(32'h16)+:(18)];",
        "triple = word[(32'h28)+:(18)];",
    ),
];

// The banks are alike: a text that occurs once is at the end of one of them, or where they are connected.
const FREE_FAULTS: &[Fault] = &[
    fault(
        "the first pack of one sub-array goes with the number of another",
        "            offer = offer | sub_array_from$3;\n        end\n        found = |mask;\n        pack = offer;\n        sub_array = mask;\n    end\n\nendmodule // free_list_p1024$bank_0$search",
        "            offer = offer | sub_array_from$2;\n        end\n        found = |mask;\n        pack = offer;\n        sub_array = mask;\n    end\n\nendmodule // free_list_p1024$bank_0$search",
    ),
    fault(
        "a sub-array asleep is as good as one awake",
        "bank_1$awake = split$bank_awake$1;",
        "bank_1$awake = 4'hf;",
    ),
    fault(
        "clear leaves the last packs of a bank",
        "if (clear | (gives$7 & (~given_upper))) begin\n            given_half$7 = given_half$7 | lower_half;\n        end\n        reset$7 = given_half$7 & given_bits;\n    end\n\nendmodule // free_list_p1024$bank_2$change",
        "if (gives$7 & (~given_upper)) begin\n            given_half$7 = given_half$7 | lower_half;\n        end\n        reset$7 = given_half$7 & given_bits;\n    end\n\nendmodule // free_list_p1024$bank_2$change",
    ),
    fault(
        "another bank's pack is freed",
        "bank_3$given = give3;",
        "bank_3$given = give2;",
    ),
    fault(
        "a take is forgotten while a pack is given back",
        "bank_0$take = split$bank_take$0;",
        "bank_0$take = split$bank_take$0 & (~split$bank_give$0);",
    ),
    fault(
        "a smaller file offers all packs",
        "left_out$shrink = shrink;",
        "left_out$shrink = 2'b0;",
    ),
    fault(
        "packs of exempt registers are offered",
        "part$2 = ~from_place;",
        "part$2 = none;",
    ),
    fault(
        "sub-arrays of exempt registers may sleep",
        "bank_3$reserved = left_out$sub_arrays;",
        "bank_3$reserved = 4'b0;",
    ),
    fault(
        "sub-arrays in use are woken instead of the next one",
        "request = search$sub_array;\n    end\n\nendmodule // free_list_p1024$bank_1\n",
        "request = used_sub_arrays;\n    end\n\nendmodule // free_list_p1024$bank_1\n",
    ),
];

const CACHE_FAULTS: &[Fault] = &[
    fault(
        "tags are not compared",
        "b_found = b_valid & (tags$b_word == b_pc[(3)+:(13)]);",
        "b_found = b_valid;",
    ),
    fault(
        "clear leaves the entries",
        "valid$d = none;",
        "valid$d = valid$q;",
    ),
    fault(
        "a fill leaves the old tag",
        "tags$write = keep;",
        "tags$write = 1'b0;",
    ),
    fault(
        "flags go to the entry that port a looks up",
        "data$write_row = fill_line$line[(32'h0)+:(4)];",
        "data$write_row = a_line$line[(32'h0)+:(4)];",
    ),
];

const THROTTLE_FAULTS: &[Fault] = &[
    fault(
        "of equals the last is chosen",
        "((left & (~right)) & (~differ));\n        key$11 = (left & (~right_wins)) | (right & right_wins);\n        left = slot$0;\n        right = slot$0 >> half$2;",
        "(~differ);\n        key$11 = (left & (~right_wins)) | (right & right_wins);\n        left = slot$0;\n        right = slot$0 >> half$2;",
    ),
    fault(
        "the throttle stops the chosen CTA too",
        "b_may_issue = chosen_mask;",
        "b_may_issue = none;",
    ),
    fault(
        "the second port ignores the first",
        "wide_open = open & (~one_more);",
        "wide_open = open;",
    ),
    fault(
        "as many packs as the balance are enough",
        "open = more & differ;",
        "open = more | (~differ);",
    ),
];

const SUPPLY_FAULTS: &[Fault] = &[
    fault(
        "the second port ignores the first",
        "wide_open = open & (~one_more);",
        "wide_open = open;",
    ),
    fault(
        "a pack that port a takes stays free",
        "free_moved$change = change;",
        "free_moved$change = b_change;",
    ),
    fault(
        "of two changes of one CTA one counts",
        "a_added = change;",
        "a_added = a_change;",
    ),
    fault(
        "a launch keeps the old balance",
        "balance$2$d = need;",
        "balance$2$d = balance$2$q;",
    ),
];

const GATE_FAULTS: &[Fault] = &[
    fault(
        "a request does not wake",
        "sleeps = ~(occupied | request);",
        "sleeps = ~occupied;",
    ),
    fault(
        "a sub-array is awake at once",
        "awake = ~waking;",
        "awake = powered_mask;",
    ),
    fault(
        "an awake sub-array counts on",
        "plane$0$write = waking | runs_on;",
        "plane$0$write = all;",
    ),
    fault(
        "clear lets them wake",
        "if (clear) begin",
        "if (1'b0) begin",
    ),
];

const RENAME_FAULTS: &[Fault] = &[
    fault(
        "a dead source stays mapped",
        "unmap$1 = unmaps$1;",
        "unmap$1 = 1'b0;",
    ),
    fault(
        "a start gives back what it should forget",
        "walk_gives$d = ~launch;",
        "walk_gives$d = 1'b1;",
    ),
    fault(
        "bank 3 has sixteen rows to a warp",
        "minus$b = less;",
        "minus$b = no_row;",
    ),
    fault(
        "two registers of one bank are served at once",
        "first$1 = renamed$1 & (~(renamed$0 & near$0));",
        "first$1 = renamed$1;",
    ),
    fault(
        "a walk does not end",
        "goes_on = walks & (~ends);",
        "goes_on = walks;",
    ),
    fault(
        "an exit unmaps the packs of a bank and does not give them back",
        "bank_2$wipe_gives = walk_gives$q;",
        "bank_2$wipe_gives = 1'b0;",
    ),
    fault(
        "an exempt register beyond the file gets a pack",
        "fits$3 = (~|above) & (~(carry$3 & all));",
        "fits$3 = 1'b1;",
    ),
];

const TOP_FAULTS: &[Fault] = &[
    fault(
        "port a goes on without its pir",
        "a_port$hit = cache$a_hit;",
        "a_port$hit = 1'b1;",
    ),
    fault(
        "what the throttle holds back goes on",
        "a_port$urgent = a_urgent;",
        "a_port$urgent = 1'b1;",
    ),
    fault(
        "what is urgent is held back",
        "b_port$urgent = b_urgent;",
        "b_port$urgent = 1'b0;",
    ),
    fault(
        "a warp starts in the midst of an instruction",
        "walks = (is_open & (~goes_on)) & (launch | ends);",
        "walks = is_open & (launch | ends);",
    ),
    fault(
        "hold does not keep the next instruction out",
        "is_open = (~clear) & ((~hold) & (~walking));",
        "is_open = (~clear) & (~walking);",
    ),
    fault(
        "a register that is written as well is given back",
        "last$1 = flags_now[1] & (~(names$3 & (register$1 == register$3)));",
        "last$1 = flags_now[1];",
    ),
    fault(
        "what was served is asked for again",
        "done_now$d = was_done | served;",
        "done_now$d = served;",
    ),
    fault(
        "a pack that is being assigned is not reckoned with",
        "admission$assigning = stage$destination;",
        "admission$assigning = 1'b0;",
    ),
    fault(
        "a CTA that was chosen too early issues",
        "if (throttled & (chosen != cta)) begin",
        "if (1'b0) begin",
    ),
    fault(
        "a pack is free before its operand was read",
        "leaves = of_walk$q | (~held$q);",
        "leaves = 1'b1;",
    ),
    fault(
        "of four packs the throttle counts three",
        "a_give = one;",
        "a_give = none;",
    ),
    fault(
        "what comes back counts for the CTA that asks now",
        "b_cta = giver$q;",
        "b_cta = cta;",
    ),
];

pub(super) fn proofs() -> Vec<Proof> {
    vec![
        Proof {
            name: "flag_decoder",
            claims: "Every output is the selection that the format of pir and pbr says.",
            unit: Some("flag_decoder"),
            faults: DECODER_FAULTS,
            source: property!("flag_decoder.sv"),
            frames: 1,
            events: 3,
            ..PLAIN
        },
        Proof {
            name: "free_list",
            claims: "A pack is in use exactly from the take that gets it offered to its give, and free otherwise. An \
                     offer is free, kept and not reserved, a sub-array with a reserved pack is occupied, a bank with a \
                     free pack that is not reserved offers one, none awake is passed over, and of equals the lowest is \
                     offered.",
            unit: Some("free_list"),
            params: &[("packs", 1024)],
            faults: FREE_FAULTS,
            source: property!("free_list.sv"),
            events: 8,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "release_flag_cache",
            claims: "A hit answers what was filled last for exactly that program counter; what was filled hits until \
                     another pir takes its entry.",
            unit: Some("release_flag_cache"),
            params: &[("entries", 10)],
            faults: CACHE_FAULTS,
            source: property!("release_flag_cache.sv"),
            events: 4,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "cta_throttle",
            claims: "In any state whatever: while a CTA is active some CTA may issue on each port, the chosen one \
                     always; it has the smallest balance; all may issue exactly if more packs are free than that.",
            unit: Some("cta_throttle"),
            params: &[("ctas", 8), ("packs", 1024)],
            faults: THROTTLE_FAULTS,
            source: property!("cta_throttle.sv"),
            frames: 1,
            events: 3,
            ..PLAIN
        },
        Proof {
            name: "cta_throttle_supply",
            claims: "In legal runs at least as many packs are free as the chosen CTA may still need; with the theorem of \
                     cta_throttle, that no balance is smaller than that of the chosen CTA.",
            unit: Some("cta_throttle"),
            params: &[("ctas", 8), ("packs", 1024)],
            faults: SUPPLY_FAULTS,
            source: property!("cta_throttle.sv"),
            defines: &["RUN"],
            events: 4,
            ..PLAIN
        },
        Proof {
            name: "power_gate",
            claims: "What is in use or requested has power; a sub-array is awake exactly when it has been wanted for \
                     the whole latency.",
            unit: Some("power_gate"),
            params: &[("latency", 10)],
            faults: GATE_FAULTS,
            source: property!("power_gate.sv"),
            events: 4,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "rename_table",
            claims: "No pack is mapped twice, nor is one that is free or an exempt register's; a pack that was taken is \
                     mapped until it is given back, so mapped + free = all of what no launch forgets; a pack lies in the bank \
                     of its register; a release unmaps; a look-up answers what was mapped last.",
            unit: Some("rename_table"),
            // With every definition partial it is the table that leaves releases to the compiler.
            params: &[("registers", 63), ("packs", 1024), ("hardware_only", 1)],
            faults: RENAME_FAULTS,
            source: property!("rename_table.sv"),
            events: 8,
            power_on: true,
            arrays: true,
            ..PLAIN
        },
        Proof {
            name: "rfv_top",
            claims: "One at a time is taken in: what has begun, then a warp's start or end, then a pbr, then a port; nothing at \
                     clear, on hold or in a walk. An instruction is taken in only if its CTA may issue and no pir is missing, \
                     and goes on when its last operand is served; answers come a cycle later. A register that is written as \
                     well is never given back; what the table gives back is free exactly once, a cycle later or after hold, and \
                     the throttle counts it then, for the CTA of its warp. While a pack is assigned the throttle's rule is that \
                     of a second port. The units are asked exactly what the ports say.",
            unit: Some("rfv_top"),
            params: &[("registers", 63), ("packs", 1024)],
            cut_units: &["cache", "names", "packs", "throttle", "gate"],
            faults: TOP_FAULTS,
            source: property!("rfv_top.sv"),
            events: 7,
            power_on: true,
            arrays: true,
            lemmas: true,
            ..PLAIN
        },
    ]
}
