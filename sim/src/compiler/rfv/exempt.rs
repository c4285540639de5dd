//! Which registers are not renamed where the renaming table is too small for all (RFV 7.1): the longest-lived ones, which hardly
//! ever give a pack back. They get the lowest numbers, and with N of them the hardware finds register i of a warp at
//! N x warp + i.

use super::{FlagError, MAX_REGS};
use crate::compiler::cfg::Cfg;
use crate::compiler::first_use::{named, with_numbers};
use crate::compiler::liveness::{Liveness, WarpOptions};
use crate::kernel::{BlockId, Kernel, Reg, RegSpace, Width};
use std::collections::BTreeSet;

/// Registers that stay together: one, or the aligned pair of a 64-bit value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group {
    first: u16,
    width: Width,
    /// Instructions behind which it is live.
    live: u64,
    /// Instructions that write it: its value instances.
    instances: u64,
}

impl Group {
    /// Instructions per value instance, times 2^20.
    fn lifetime(&self) -> u64 {
        (self.live << 20) / self.instances.max(1)
    }
}

/// Registers that a table of `bytes` bytes can rename for each of `warps` warps, with `name_bits` bits for a pack (RFV 7.1:
/// 1024 B / (10 bits x warps of a CTA x CTAs), without the unit that does not fit).
#[must_use]
pub fn renamed_registers(bytes: u32, warps: u16, name_bits: u32) -> u16 {
    let registers = u64::from(bytes) * 8 / (u64::from(name_bits) * u64::from(warps.max(1)));
    registers.min(MAX_REGS.into()) as u16
}

/// The groups of a kernel, longest-lived first. Ties: more value instances, then the lower number.
fn by_lifetime(kernel: &Kernel, regs: u16, live: &Liveness) -> Vec<Group> {
    let all = || kernel.blocks.iter().flat_map(|block| &block.insts);
    let mut paired = vec![false; usize::from(regs) / 2 + 1];
    for reg in all().flat_map(named) {
        paired[usize::from(reg.index / 2)] |= reg.width == Width::W64;
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut reg = 0;
    while reg < regs {
        let width = match reg % 2 == 0 && paired[usize::from(reg / 2)] {
            true => Width::W64,
            false => Width::W32,
        };
        groups.push(Group {
            first: reg,
            width,
            live: 0,
            instances: 0,
        });
        reg += width.regs();
    }
    for (number, block) in kernel.blocks.iter().enumerate() {
        for (index, inst) in block.insts.iter().enumerate() {
            let after = live.after(BlockId(number as u32), index);
            for group in &mut groups {
                let mut units = group.first..group.first + group.width.regs();
                group.live += u64::from(units.any(|unit| after.contains(unit.into())));
            }
            for unit in inst.dst_regs().map(|reg: Reg| reg.index) {
                let written = |group: &&mut Group| {
                    (group.first..group.first + group.width.regs()).contains(&unit)
                };
                if let Some(group) = groups.iter_mut().find(written) {
                    group.instances += 1;
                }
            }
        }
    }
    groups.sort_by_key(|group| {
        let longest = (group.lifetime(), group.instances);
        (std::cmp::Reverse(longest), group.first)
    });
    groups
}

/// The kernel with at least `count` of its registers, the longest-lived, in front, and how many these are: one more where a pair
/// would be parted.
///
/// # Errors
/// [`FlagError`] for a kernel without a control-flow graph or architected registers.
pub fn exempt_longest(kernel: &Kernel, count: u16) -> Result<(Kernel, u16), FlagError> {
    let RegSpace::Architected { regs, preds } = kernel.regs else {
        return Err(FlagError::NotAllocated(kernel.name.clone()));
    };
    if count == 0 {
        return Ok((kernel.clone(), 0));
    }
    let cfg = Cfg::new(kernel)?;
    let live = Liveness::warp_wide(kernel, &cfg, WarpOptions::default());
    let mut groups = by_lifetime(kernel, regs, &live);
    let (mut exempt, mut taken) = (0, 0);
    while exempt < count && taken < groups.len() {
        exempt += groups[taken].width.regs();
        taken += 1;
    }
    let mut rest = groups.split_off(taken);
    // Pairs at even numbers: first in front, and behind an odd number of exempt registers after a single one.
    groups.sort_by_key(|group| (group.width != Width::W64, group.first));
    rest.sort_by_key(|group| (group.width != Width::W64, group.first));
    if exempt % 2 == 1
        && let Some(single) = rest.iter().position(|group| group.width == Width::W32)
    {
        let single = rest.remove(single);
        rest.insert(0, single);
    }
    let mut number = vec![0; usize::from(regs) + 1];
    let mut next = 0u16;
    for group in groups.iter().chain(&rest) {
        next = next.next_multiple_of(group.width.regs());
        for unit in 0..group.width.regs() {
            if let Some(number) = number.get_mut(usize::from(group.first + unit)) {
                *number = next + unit;
            }
        }
        next += group.width.regs();
    }
    if next > MAX_REGS {
        return Err(FlagError::Registers(next));
    }
    Ok((with_numbers(kernel, &number, next, preds), exempt))
}

/// Registers from `exempt` on that a kernel names: those that are renamed. Behind an odd number of exempt ones a number can be
/// left out.
#[must_use]
pub fn renamed_in(kernel: &Kernel, exempt: u16) -> usize {
    let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    let units = insts.flat_map(named).flat_map(Reg::units);
    units
        .filter(|&unit| unit >= exempt)
        .collect::<BTreeSet<u16>>()
        .len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::first_use;
    use crate::kernel::text;

    fn kernel(body: &str) -> Kernel {
        let head = ".kernel k;\n.regs architected 6, 1;\nentry:\n";
        text::parse(&format!("{head}{body} exit;\n"), "test").expect("parses")
    }

    /// Table 1 and 9.4: Heartwall has 29 registers and 2 CTAs of 16 warps, 4 of them are exempt; MUM 19 and 6 of 8, 2 of them.
    #[test]
    fn heartwall_and_mum_have_as_many_exempt_registers_as_the_paper_says() {
        assert_eq!(29 - renamed_registers(1024, 32, 10), 4);
        assert_eq!(19 - renamed_registers(1024, 48, 10), 2);
        assert!(renamed_registers(1024, 6 * 4, 10) >= 29);
    }

    #[test]
    fn the_longest_lived_comes_first_and_nothing_but_numbers_changes() {
        let kernel = kernel(
            " mov.u32 r0, 1;\n mov.u32 r5, 7;\n add.u32 r1, r0, 1;\n add.u32 r2, r1, 1;\n st.global.u32 [r2 + 0], r2;\n \
             st.global.u32 [r5 + 0], r5;\n",
        );
        let (renumbered, exempt) = exempt_longest(&kernel, 1).expect("renumbers");
        assert_eq!(exempt, 1);
        let first = renumbered.blocks[0].insts[1].dst_regs().next();
        assert_eq!(first.map(|reg| reg.index), Some(0));
        first_use::check(&kernel, &renumbered).expect("the same but for numbers");
    }

    #[test]
    fn of_two_that_live_as_long_the_one_with_more_value_instances_goes_first() {
        // Each instance of r0 and of r1 lives for one instruction; r1 has two.
        let kernel = kernel(
            " mov.u32 r0, 1;\n st.global.u32 [r0 + 0], r0;\n mov.u32 r1, 1;\n st.global.u32 [r1 + 0], r1;\n mov.u32 r1, 1;\n \
             st.global.u32 [r1 + 0], r1;\n",
        );
        let (renumbered, _) = exempt_longest(&kernel, 1).expect("renumbers");
        let number = |inst: usize| renumbered.blocks[0].insts[inst].dst_regs().next();
        assert_eq!(number(2).map(|reg| reg.index), Some(0));
        assert_ne!(number(0).map(|reg| reg.index), Some(0));
    }

    #[test]
    fn a_pair_is_exempt_as_a_whole_and_stays_at_an_even_number() {
        let kernel = kernel(
            " mov.u64 r2:3, 1;\n mov.u32 r0, 1;\n st.global.u32 [r0 + 0], r0;\n st.global.u64 [r2:3 + 0], r2:3;\n",
        );
        let (renumbered, exempt) = exempt_longest(&kernel, 1).expect("renumbers");
        assert_eq!(exempt, 2);
        let pair = renumbered.blocks[0].insts[0].dst_regs().next();
        assert_eq!(
            pair.map(|reg| (reg.index, reg.width)),
            Some((0, Width::W64))
        );
        first_use::check(&kernel, &renumbered).expect("the same but for numbers");
    }

    #[test]
    fn a_number_that_a_pair_leaves_out_is_no_register_that_is_renamed() {
        let kernel = kernel(
            " mov.u32 r0, 1;\n mov.u64 r2:3, 1;\n st.global.u64 [r2:3 + 0], r2:3;\n st.global.u32 [r0 + 0], r0;\n",
        );
        let (renumbered, exempt) = exempt_longest(&kernel, 1).expect("renumbers");
        assert_eq!(exempt, 1);
        assert!(matches!(
            renumbered.regs,
            RegSpace::Architected { regs: 4.., .. }
        ));
        assert_eq!(renamed_in(&renumbered, exempt), 2);
    }
}
