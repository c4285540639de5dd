//! The theorems, with the faults that each must find.

use super::Verdict;

/// A change of the Verilog that breaks it.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// What goes wrong.
    pub name: &'static str,
    /// Text that occurs exactly once in the exported Verilog.
    pub from: &'static str,
    /// What takes its place.
    pub to: &'static str,
}

/// A theorem about one unit, or a lemma of arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    /// Its name.
    pub name: &'static str,
    /// The claims in words.
    pub claims: &'static str,
    /// The unit; none for a lemma.
    pub unit: Option<&'static str>,
    /// Packs of the register file, for units that have that parameter; otherwise 0.
    pub packs: u64,
    /// Faults that must be found.
    pub faults: &'static [Fault],
    /// `Refuted` if the point is that it fails.
    pub expected: Verdict,
    pub(super) source: &'static str,
    pub(super) defines: &'static [&'static str],
    /// Text of the Verilog before which wires are added that show a memory, and those wires.
    pub(super) observe: Option<(&'static str, &'static str)>,
    pub(super) frames: u32,
    pub(super) events: usize,
    pub(super) power_on: bool,
    /// Whether the main run may cut multipliers out, after another has shown what they compute.
    pub(super) cut_products: bool,
}

macro_rules! property {
    ($file:literal) => {
        include_str!(concat!("../../proofs/", $file))
    };
}

const fn fault(name: &'static str, from: &'static str, to: &'static str) -> Fault {
    Fault { name, from, to }
}

const ALLOCATOR_FAULTS: &[Fault] = &[
    fault(
        "both ports take the same section",
        "b_taken = (b_wants & may_take) & (~(a_wants & (~favor_b)));",
        "b_taken = b_wants & may_take;",
    ),
    fault(
        "release leaves the section marked",
        "srp$d = srp$q ^ section_toggle;",
        "srp$d = srp$q | section_toggle;",
    ),
    fault(
        "sections beyond the count begin free",
        "srp$d = ones << section_count;",
        "srp$d = none;",
    ),
    fault(
        "grant without a free section",
        "may_take = finder$found & (~(a_frees | b_frees));",
        "may_take = ~(a_frees | b_frees);",
    ),
    fault(
        "port b writes port a's row",
        "lut$write_row = b_warp;",
        "lut$write_row = a_warp;",
    ),
];

const LOCK_FAULTS: &[Fault] = &[fault(
    "both warps of a pair win",
    "b_takes = ((b_asks & (~b_release)) & (~b_busy)) & (~(rivals & (~favor_b)));",
    "b_takes = (b_asks & (~b_release)) & (~b_busy);",
)];

const BASELINE_FAULTS: &[Fault] = &[fault(
    "the register is not checked",
    "(asked$2 & (x$2 < coeff))",
    "asked$2",
)];

const MAPPER_FAULTS: &[Fault] = &[fault(
    "extended rows ignore the offset",
    "ext_row = ext_product + offset_wide;",
    "ext_row = ext_product;",
)];

const PAIRED_MAPPER_FAULTS: &[Fault] = &[fault(
    "the odd warp has the even one's base set",
    "odd_row = pair_row + base_wide32;",
    "odd_row = pair_row;",
)];

/// Every theorem, in the order of dependence.
#[must_use]
pub fn proofs() -> Vec<Proof> {
    let plain = Proof {
        name: "",
        claims: "",
        unit: None,
        packs: 0,
        faults: &[],
        expected: Verdict::Proved,
        source: "",
        defines: &[],
        observe: None,
        frames: 2,
        events: 0,
        power_on: false,
        cut_products: false,
    };
    let mapping = Proof {
        packs: 1024,
        frames: 1,
        cut_products: true,
        ..plain
    };
    vec![
        Proof {
            name: "srp_allocator",
            claims: "No two warps hold one section; a section is marked exactly if held or beyond the count; repeated \
                     requests change nothing; a grant comes exactly when a section is free and the port is served; after \
                     a release the next acquire succeeds.",
            unit: Some("srp_allocator"),
            faults: ALLOCATOR_FAULTS,
            source: property!("srp_allocator.sv"),
            observe: Some((
                "    always @(posedge clock) begin\n        if (write) rows[write_row] <= write_section;",
                "    wire [NW*IW-1:0] observed;\n    genvar g;\n    generate for (g = 0; g < NW; g = g + 1) begin : o\n\
                 \x20       assign observed[g*IW +: IW] = rows[g];\n    end endgenerate\n",
            )),
            events: 9,
            power_on: true,
            ..plain
        },
        Proof {
            name: "safe_paired_lock",
            claims: "Never both warps of a pair hold, whatever they ask; a grant comes exactly when the set is free.",
            unit: Some("safe_paired_lock"),
            faults: LOCK_FAULTS,
            source: property!("paired_lock.sv"),
            defines: &["SAFE"],
            events: 6,
            power_on: true,
            ..plain
        },
        Proof {
            name: "paired_lock",
            claims: "Never both warps of a pair hold, if only holders release and only others acquire.",
            unit: Some("paired_lock"),
            faults: LOCK_FAULTS,
            source: property!("paired_lock.sv"),
            events: 6,
            power_on: true,
            ..plain
        },
        Proof {
            name: "paired_lock_undisciplined",
            claims: "The same without the compiler's discipline: fails, one bit per pair is not enough.",
            unit: Some("paired_lock"),
            expected: Verdict::Refuted,
            source: property!("paired_lock.sv"),
            defines: &["UNDISCIPLINED"],
            ..plain
        },
        Proof {
            name: "rows_do_not_overlap",
            claims: "Rows at multiples of their size do not overlap: the arithmetic under the three mappings.",
            source: property!("rows_do_not_overlap.sv"),
            frames: 1,
            events: 1,
            ..plain
        },
        Proof {
            name: "reg_map",
            claims: "Two registers of resident warps never share a pack; every register has one, inside the file.",
            unit: Some("reg_map"),
            faults: BASELINE_FAULTS,
            source: property!("reg_map.sv"),
            events: 3,
            ..mapping
        },
        Proof {
            name: "register_mapper",
            claims: "Two registers, base or extended, never share a pack; every register has one, inside the file.",
            unit: Some("register_mapper"),
            faults: MAPPER_FAULTS,
            source: property!("register_mapper.sv"),
            events: 4,
            ..mapping
        },
        Proof {
            name: "paired_mapper",
            claims: "Two registers of paired warps never share a pack, but for the one extended set of a pair.",
            unit: Some("paired_mapper"),
            faults: PAIRED_MAPPER_FAULTS,
            source: property!("paired_mapper.sv"),
            events: 4,
            ..mapping
        },
    ]
}
