use super::*;
use crate::kernel::text;
use crate::machine::Machine;
use crate::scheme::{CtaShape, CtaThrottle};

/// A kernel that maps `most` registers of bank 0 at once.
fn kernel(most: usize) -> crate::kernel::Kernel {
    let mut body = ".kernel k;\n.regs architected 61, 0;\nentry:\n".to_owned();
    for reg in (0..most).map(|i| 4 * i) {
        body += &format!(" mov.u32 r{reg}, {reg};\n");
    }
    for reg in (0..most).map(|i| 4 * i) {
        body += &format!(" st.global.u32 [r{reg} + 0], r{reg};\n");
    }
    text::parse(&(body + " exit;\n"), "test").expect("parses")
}

fn plan(scheme: Rfv, machine: &str, most: usize, threads: u32) -> Result<Plan, Refusal> {
    let machine = Machine::preset(machine).expect("exists");
    scheme.plan(&PlanInput {
        kernel: &kernel(most),
        machine: &machine,
        cta: CtaShape {
            threads,
            scratchpad_bytes: 0,
        },
        shares_sm: false,
    })
}

const ALL: Rfv = Rfv {
    shrink: None,
    flag_entries: 10,
    wake_up: 1,
    clocks: None,
    table_bytes: None,
    resident: Resident::Fit,
    cta_throttle: CtaThrottle::Banker,
    hardware_only: false,
};

#[test]
fn the_bits_are_those_of_the_paper() {
    let plan = plan(ALL, "gtx480", 2, 64).expect("plans");
    // Table, availability, flags of the cache, and eight counters of 11 bits.
    assert_eq!(plan.storage_bits, 30_240 + 1024 + 540 + 88);
}

/// 61 registers let 8 CTAs of 2 warps be resident (1024 / 64); a bank has 256, 179, 153 or 128 packs.
#[test]
fn as_many_ctas_as_each_bank_has_packs_for() {
    let by = |shrink| Rfv {
        shrink: Some(shrink),
        ..ALL
    };
    for (scheme, most, ctas) in [
        (ALL, 16, 8),
        (by(Shrink::By30), 16, 5),
        (by(Shrink::By40), 16, 4),
        (by(Shrink::By50), 16, 4),
        (by(Shrink::By50), 8, 8),
    ] {
        let plan = plan(scheme, "gtx480", most.min(16), 64).expect("plans");
        assert_eq!(plan.occupancy.ctas, ctas, "{scheme:?} {most}");
    }
}

/// A kernel of which one CTA wants more packs than a bank has is launched alone, and may spill; what fits never does.
#[test]
fn a_cta_that_does_not_fit_is_launched_alone_and_may_spill() {
    let half = Rfv {
        shrink: Some(Shrink::By50),
        ..ALL
    };
    for (most, threads, spilling, resident) in [(16, 512, true, 1), (8, 512, false, 1)] {
        let plan = plan(half, "gtx480", most, threads).expect("plans");
        let ManagerSpec::Renaming { spills, ctas, .. } = plan.manager else {
            panic!("renames");
        };
        assert_eq!(
            (spills, ctas, plan.occupancy.ctas),
            (spilling, resident, resident)
        );
    }
}

/// 8 CTAs by the architected registers, 4 of which have what they ever map: 16 registers of bank 0 of two warps each.
#[test]
fn more_ctas_than_fit_are_resident_and_told_what_each_may_need() {
    let with = |resident| Rfv {
        shrink: Some(Shrink::By50),
        resident,
        ..ALL
    };
    for (resident, ctas, waits) in [
        (Resident::Fit, 4, false),
        (Resident::All, 8, true),
        // A warp maps 8.7 in the mean: 26 of 512 packs by nine tenths.
        (Resident::Auto, 8, true),
        (Resident::AtMost(6), 6, true),
        (Resident::AtMost(3), 3, false),
        (Resident::AtMost(9), 8, true),
    ] {
        let plan = plan(with(resident), "gtx480", 16, 64).expect("plans");
        let ManagerSpec::Renaming { need, most, .. } = plan.manager else {
            panic!("renames");
        };
        assert_eq!(plan.occupancy.ctas, ctas, "{resident:?}");
        let limit = match resident {
            Resident::Fit => LimitedBy::Registers,
            Resident::AtMost(3 | 6) => LimitedBy::Asked,
            _ => LimitedBy::Ctas,
        };
        assert_eq!(plan.occupancy.limited_by, limit, "{resident:?}");
        assert_eq!(most, waits.then_some([16, 0, 0, 0]), "{resident:?}");
        // Two warps of 16, and four packs on their way back.
        assert_eq!(need, 36, "{resident:?}");
    }
}

/// 24 warps of 21 registers fit 512 packs, but not the banks: six registers of each are in bank 0.
#[test]
fn a_cta_that_does_not_fit_is_refused_without_flags() {
    let plan = |hardware_only| {
        let mut machine = Machine::preset("gtx480").expect("exists");
        machine.limits.packs_per_sm = 512;
        machine.limits.register_allocation_granularity = 1;
        let text = ".kernel k;\n.regs architected 21, 0;\nentry:\n mov.u32 r20, 1;\n exit;\n";
        let scheme = Rfv {
            hardware_only,
            ..ALL
        };
        scheme.plan(&PlanInput {
            kernel: &text::parse(text, "test").expect("parses"),
            machine: &machine,
            cta: CtaShape {
                threads: 768,
                scratchpad_bytes: 0,
            },
            shares_sm: false,
        })
    };
    assert!(plan(false).is_ok());
    let refusal = plan(true).expect_err("refuses").to_string();
    assert!(refusal.contains("a bank has 128 packs"), "{refusal}");
}

/// 31 exempt registers of 16 warps take 124 of 128 packs of a bank; the other 30 may have 8 in a bank.
#[test]
fn a_warp_that_does_not_fit_alone_is_refused_with_the_reason() {
    let mut body = ".kernel k;\n.regs architected 61, 0;\nentry:\n".to_owned();
    (0..61).for_each(|reg| body += &format!(" mov.u32 r{reg}, {reg};\n"));
    (0..61).for_each(|reg| body += &format!(" st.global.u32 [r{reg} + 0], r{reg};\n"));
    let kernel = text::parse(&(body + " exit;\n"), "test").expect("parses");
    let plan = |table_bytes| {
        let scheme = Rfv {
            shrink: Some(Shrink::By50),
            table_bytes: Some(table_bytes),
            ..ALL
        };
        scheme.plan(&PlanInput {
            kernel: &kernel,
            machine: &Machine::preset("gtx480").expect("exists"),
            cta: CtaShape {
                threads: 512,
                scratchpad_bytes: 0,
            },
            shares_sm: false,
        })
    };
    assert!(plan(1024).is_ok());
    let refusal = plan(600).expect_err("refuses").to_string();
    assert!(refusal.contains("a single warp has up to 8"), "{refusal}");
    assert!(refusal.contains("124 of the 128 packs"), "{refusal}");
}

#[test]
fn half_a_register_file_is_the_shrunk_hardware_and_others_are_refused() {
    let plan_of = |scheme: Rfv, packs: u16| {
        let mut machine = Machine::preset("gtx480").expect("exists");
        machine.limits.packs_per_sm = packs;
        scheme.plan(&PlanInput {
            kernel: &kernel(2),
            machine: &machine,
            cta: CtaShape {
                threads: 64,
                scratchpad_bytes: 0,
            },
            shares_sm: false,
        })
    };
    assert!(plan_of(ALL, 512).is_ok());
    let half = Rfv {
        shrink: Some(Shrink::By50),
        ..ALL
    };
    let refusal = plan_of(half, 512).expect_err("refuses").to_string();
    assert!(
        refusal.contains("no hardware for 512 packs less 50 %"),
        "{refusal}"
    );
    let refusal = plan_of(ALL, 768).expect_err("refuses").to_string();
    assert!(refusal.contains("no hardware for 768 packs"), "{refusal}");
}
