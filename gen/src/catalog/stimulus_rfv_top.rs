//! Input sequences for the top of RFV.

use super::stimulus::{Random, Rows, any_values};
use super::stimulus_rfv_sm::{Kernel, Sm};
use regshare_hw::clocked::{Clocked, PinDef, Pins};
use regshare_hw::rfv::flag_decoder::pbr_word;
use regshare_hw::rfv::free_list::BANKS;
use regshare_hw::rfv::rfv_top::model::Model;
use regshare_hw::rfv::rfv_top::{Issue, RfvTopIn, RfvTopOut, pack_count};

/// For `rfv_top`: a kernel with packs for all, one that is throttled, one in which instructions and pbr are withdrawn and that
/// ends before its warps do; then the first again, two CTAs that are chosen in turn, and any values.
pub(super) fn rfv_kernels<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
    const ENTRIES: usize,
>(
    pins: &[PinDef],
    count: usize,
) -> Rows {
    let mut unit = Model::<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY, ENTRIES>::default();
    let mut random = Random(53);
    let mut rows = Rows::new();
    let last = NW as u8 - 1;
    let top = T as u8 - 1;
    let roomy = |cycles| Kernel {
        exempt: 3,
        shrink: 0,
        bank_packs: None,
        warps: vec![(last, top), (0, 0), (2, 0)],
        // Most share a bank, so that an instruction takes several cycles.
        registers: (0..63)
            .step_by(if RENAMED < 63 { 4 } else { 7 * 4 })
            .chain([1, 2, 5, 6, 7, 4, 8, 12])
            .collect(),
        pirs: [0x52c7, 10],
        withdraws: false,
        cycles,
    };
    let tight = Kernel {
        exempt: 0,
        shrink: 3,
        bank_packs: Some(3),
        warps: vec![(1, 1), (last - 1, 2), (3, 1), (last - 3, 3)],
        registers: (0..9).collect(),
        pirs: [0xff_f1, 3],
        withdraws: false,
        cycles: count / 3,
    };
    let broken = Kernel {
        exempt: 1,
        shrink: 1,
        bank_packs: Some(4),
        warps: vec![(2, 2), (last, top), (0, 0)],
        registers: (0..12).collect(),
        pirs: [10, 10],
        withdraws: true,
        cycles: count / 4,
    };
    for kernel in [roomy(count / 3), tight, broken, roomy(count / 8)] {
        Sm::new(&mut unit, &mut random, &mut rows, kernel).run();
    }
    chosen_too_early(&mut unit, &mut rows);
    rows.extend(any_values(pins, 80));
    rows
}

/// Of 8 packs CTA 3 has 2 and CTA 1 one. CTA 3 takes one more while one of its own comes back: for a cycle both have as many,
/// and CTA 1 is the chosen one, but must not issue.
fn chosen_too_early<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
    const ENTRIES: usize,
>(
    unit: &mut Model<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY, ENTRIES>,
    rows: &mut Rows,
) {
    let mut step = |pins: RfvTopIn<NW, T, PACKS>| -> RfvTopOut<NW, T, PACKS> {
        let mut values = Vec::new();
        pins.values(&mut values);
        rows.push((values, true));
        unit.edge(&pins)
    };
    let idle = RfvTopIn {
        reserved: (PACKS / BANKS - 2) as u16,
        ..RfvTopIn::default()
    };
    step(RfvTopIn {
        clear: true,
        pack_count: pack_count(PACKS, 0, idle.reserved.into()) as u16,
        ..idle
    });
    for cta in [1, 3] {
        step(RfvTopIn {
            cta_launch: true,
            launch_cta: cta,
            need: 7,
            ..idle
        });
        step(RfvTopIn {
            launch: true,
            warp: cta,
            warp_cta: cta,
            ..idle
        });
        while step(idle).busy {}
    }
    let write = |cta, reg| {
        idle.with_a(Issue {
            warp: cta,
            cta,
            regs: [None, None, None, Some(reg)],
            ..Issue::default()
        })
    };
    for (cta, reg) in [(3, 0), (3, 1), (1, 2)] {
        step(write(cta, reg));
        step(idle);
    }
    step(RfvTopIn {
        word_valid: true,
        word: pbr_word(&[0]).unwrap_or_default(),
        word_warp: 3,
        word_cta: 3,
        ..idle
    });
    step(idle);
    step(write(3, 4));
    for _ in 0..3 {
        step(write(1, 3));
    }
}
