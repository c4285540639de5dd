//! Input sequences for the top of RFV.

use super::stimulus::{Random, Rows, any_values};
use super::stimulus_rfv_sm::{Kernel, Sm};
use regshare_hw::clocked::PinDef;
use regshare_hw::rfv::rfv_top::model::Model;

/// For `rfv_top`: a kernel with packs for all, one that is throttled, one in which instructions and pbr are withdrawn and that
/// ends before its warps do; then the first again, and any values.
pub(super) fn rfv_kernels<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
>(
    pins: &[PinDef],
    count: usize,
) -> Rows {
    let mut unit = Model::<NW, T, PACKS, RENAMED, WAIT>::default();
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
    rows.extend(any_values(pins, 80));
    rows
}
