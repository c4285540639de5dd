use super::*;
use crate::compiler::rfv::exempt::renamed_registers;
use crate::machine::Machine;
use crate::scheme::{CtaShape, LimitedBy, Occupancy, SharedCtas};
use regshare_hw::cost::index_bits;

/// What an SM of RFV's machine holds of such a kernel.
fn resident(threads: u32, regs: u16) -> Occupancy {
    let limits = Machine::preset("fermi16").unwrap().limits;
    let cta = CtaShape {
        threads,
        scratchpad_bytes: 0,
    };
    Occupancy::with_regs(&limits, cta, limits.rounded_regs(regs)).unwrap()
}

/// Registers of such a kernel that a renaming table of 1 KiB has no room for.
fn exempt(threads: u32, regs: u16) -> u16 {
    let packs = Machine::preset("fermi16").unwrap().limits.packs_per_sm;
    let name_bits = index_bits(packs.into()) as u32;
    regs.saturating_sub(renamed_registers(
        1024,
        resident(threads, regs).warps,
        name_bits,
    ))
}

fn row(kernel: &str) -> (u32, u16, u16) {
    let row = RFV_TABLE_1.iter().find(|row| row.0 == kernel);
    let &(_, threads, regs, printed) = row.unwrap();
    (threads, regs, printed)
}

#[test]
fn of_table_1_of_rfv_14_rows_follow_and_hotspot_and_lud_do_not() {
    let others: Vec<_> = (RFV_TABLE_1.iter())
        .map(|&(kernel, threads, regs, printed)| (kernel, printed, resident(threads, regs)))
        .filter(|(_, printed, found)| found.ctas != *printed)
        .map(|(kernel, printed, found)| (kernel, printed, found.ctas, found.limited_by))
        .collect();
    assert_eq!(
        others,
        [
            ("HotSpot", 3, 5, LimitedBy::Registers),
            ("LUD", 6, 8, LimitedBy::Ctas)
        ]
    );
    assert_eq!(RFV_TABLE_1.len() - others.len(), 14);
}

#[test]
fn the_two_slips_of_table_1_follow_from_other_registers_and_other_ctas() {
    for (kernel, threads, regs) in RFV_TABLE_1_SLIPS {
        let (.., printed) = row(kernel);
        assert_eq!(resident(threads, regs).ctas, printed, "{kernel}");
    }
    // The registers of HotSpot are those that resource sharing prints for it.
    let hotspot = SHARING_TABLE_6.iter().find(|row| row.0 == "hotspot");
    let found = hotspot.map(|&(_, threads, regs, _)| (threads, regs));
    assert_eq!(
        found,
        Some((RFV_TABLE_1_SLIPS[0].1, RFV_TABLE_1_SLIPS[0].2))
    );
}

#[test]
fn as_many_registers_are_exempt_in_1_kib_as_rfv_says_but_for_lud_with_the_threads_of_table_1() {
    for (kernel, printed) in RFV_EXEMPT {
        let (threads, regs, _) = row(kernel);
        let found = exempt(threads, regs);
        assert_eq!(found, if kernel == "LUD" { 0 } else { printed }, "{kernel}");
    }
    let (_, threads, regs) = RFV_TABLE_1_SLIPS[1];
    assert_eq!(exempt(threads, regs), 2);
}

/// Of SRAD1 two CTAs fit, so there are at most two pairs; six is what its threads allow.
#[test]
fn equation_4_alone_gives_more_ctas_of_srad1_than_table_8_has() {
    let limits = Machine::preset("fermi14").unwrap().limits;
    let row = SHARING_TABLE_8.iter().find(|row| row.0 == "SRAD1");
    let &(_, threads, bytes, printed) = row.unwrap();
    let cta = CtaShape {
        threads,
        scratchpad_bytes: 0,
    };
    let most = Occupancy::fit(&limits, cta, |_| 0).unwrap().ctas.into();
    let percent = Percent::new(90).unwrap();
    let equation = sharing_equation_4(limits.scratchpad_bytes, bytes, percent);
    let bounded = SharedCtas::new(limits.scratchpad_bytes, bytes, percent, most);
    assert_eq!((equation, equation.min(most)), (8, 6));
    assert_eq!((bounded.total(), printed[5]), (4, 4));
}

#[test]
fn equation_4_is_the_number_of_ctas_where_no_bound_is_met() {
    let percent = Percent::new(50).unwrap();
    assert_eq!(sharing_equation_4(35, 10, percent), 4);
    assert_eq!(sharing_equation_4(30, 10, percent), 3);
    assert_eq!(sharing_equation_4(30, 0, percent), 0);
}

#[test]
fn figure_4_of_cars_has_a_kernel_of_20_a_largest_function_of_10_and_watermarks_30_and_56() {
    let graph = cars_figure_4();
    assert_eq!((graph.times_low(0), graph.largest_fru()), (20, 10));
    assert_eq!((graph.low(), graph.high()), (30, 56));
    assert!(!graph.has_recursion());
}
