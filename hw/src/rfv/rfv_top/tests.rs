use super::model::Model;
use super::rtl::*;
use super::strategy::rows;
use super::*;
use crate::clocked::Clocked;
use crate::rfv::cost::*;
use crate::rfv::flag_decoder::{PIR_SLOTS, pbr_word, pir_word};
use crate::rfv::free_list::reserved_packs;
use crate::rfv::rename_table::OPERANDS;
use crate::testing::{Storage, agree, check_block, check_ports, check_readme, storage};
use proptest::prelude::*;

mod flags;
mod issue;
mod ledger;
mod packs;
mod throttle;
mod uncached;
mod variants;

type In = RfvTopIn<4, 4, 256>;
type Out = RfvTopOut<4, 4, 256>;
type Packs = [Option<u16>; OPERANDS];

/// Model and RTL side by side: 4 warps, 256 packs, sub-arrays wake in three cycles. Warp w is of CTA w.
struct Both {
    model: Model<4, 4, 256, 63, 3>,
    rtl: Rtl4x63x256,
    /// What stays while the kernel runs.
    kernel: In,
}

impl Both {
    /// A kernel that has started, with a CTA of one warp in each slot that needs `need` packs.
    fn kernel(kernel: In, need: u16) -> Self {
        let mut both = Self {
            model: Model::default(),
            rtl: Rtl4x63x256::default(),
            kernel,
        };
        let all = pack_count(256, kernel.shrink.into(), kernel.reserved.into());
        both.edge(In {
            clear: true,
            pack_count: all as u16,
            ..kernel
        });
        for launch_cta in 0..4 {
            both.edge(In {
                cta_launch: true,
                launch_cta,
                need,
                ..kernel
            });
            both.walk(launch_cta, true);
        }
        both
    }

    fn new() -> Self {
        Self::kernel(In::default(), 10)
    }

    fn edge(&mut self, pins: In) -> Out {
        let (model, rtl) = (self.model.edge(&pins), self.rtl.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }

    fn idle(&mut self) -> Out {
        self.edge(self.kernel)
    }

    /// Starts or ends a warp; the cycles until something else is taken in.
    fn walk(&mut self, warp: u8, starts: bool) -> usize {
        let pins = In {
            launch: starts,
            exit: !starts,
            warp,
            warp_cta: warp,
            ..self.kernel
        };
        let mut cycles = 1;
        while !self.edge(pins).walk_grant {}
        while self.idle().busy {
            cycles += 1;
        }
        cycles
    }

    /// Issues on port a or b until it goes on, and returns its packs and the cycles until they are known.
    fn issue(&mut self, on_b: bool, issue: Issue) -> (Packs, usize) {
        let pins = if on_b {
            self.kernel.with_b(issue)
        } else {
            self.kernel.with_a(issue)
        };
        let mut packs = [None; OPERANDS];
        let mut asked = 0;
        for cycles in 0..50 {
            let done = cycles > 0 && asked >> 4 == 1;
            let out = self.edge(if done { self.kernel } else { pins });
            let (progress, other) = if on_b {
                (out.b_progress(), out.a_progress())
            } else {
                (out.a_progress(), out.b_progress())
            };
            assert!(!other.answer && !other.grant);
            assert_eq!(progress.answer, cycles > 0);
            for (i, pack) in out.packs().into_iter().enumerate() {
                if asked >> i & 1 == 1 {
                    packs[i] = pack;
                }
            }
            if done {
                return (packs, cycles);
            }
            asked = progress.served | u8::from(progress.grant) << 4;
        }
        panic!("{issue:?} does not go on");
    }

    fn write(&mut self, warp: u8, reg: u8) -> Option<u16> {
        self.issue(false, names(warp, [None, None, None, Some(reg)]))
            .0[3]
    }

    fn read(&mut self, warp: u8, reg: u8) -> Option<u16> {
        self.issue(true, names(warp, [Some(reg), None, None, None]))
            .0[0]
    }

    /// Hands a word to decode; the cycles until it is done.
    fn decode(&mut self, word: u64, pc: u16, warp: u8) -> usize {
        let pins = word_pins(self.kernel, word, pc, warp);
        (1..50)
            .find(|_| self.edge(pins).word_done)
            .expect("decode goes on")
    }

    /// Packs that the table maps, that are on their way back and that are free are all there are.
    fn check_count(&mut self) {
        let out = self.rtl.outputs(&self.kernel);
        let kernel = self.kernel;
        let all = pack_count(256, kernel.shrink.into(), kernel.reserved.into());
        let mapped = self.model.mapped().count();
        assert_eq!(
            usize::from(out.free_packs) + mapped + self.model.returning(),
            all
        );
        assert_eq!(self.model.used_packs(), mapped + self.model.returning());
    }
}

fn names(warp: u8, regs: [Option<u8>; OPERANDS]) -> Issue {
    Issue {
        warp,
        cta: warp,
        regs,
        ..Issue::default()
    }
}

fn word_pins(pins: In, word: u64, pc: u16, warp: u8) -> In {
    In {
        word_valid: true,
        word,
        word_pc: pc,
        word_warp: warp,
        word_cta: warp,
        ..pins
    }
}

/// A pir of which the first instruction has these flags.
fn pir(flags: u8) -> u64 {
    let mut slots = [0; PIR_SLOTS];
    slots[0] = flags;
    pir_word(&slots)
}

#[test]
fn state_is_that_of_the_units_and_of_the_stage_between_them() {
    let expected = |warps: u64, registers: u64, packs: u64, ctas: u64, wake: u64| {
        let table = RenameTableBits::new(warps, registers, packs, false);
        let cache = FlagCacheBits::new(10, 16);
        Storage {
            memories: 6,
            memory_bits: (table.names + cache.flags + cache.tags) as usize,
            flip_flops: (table.flip_flops()
                + cache.valid
                + availability_bits(packs)
                + CtaThrottleBits::new(ctas, packs).total()
                + power_gate_bits(16, wake)
                + RfvStageBits::new(packs, ctas).total()) as usize,
        }
    };
    let big = expected(48, 63, 1024, 8, 1);
    assert_eq!((big.memory_bits, big.flip_flops), (30_910, 1281));
    let v100 = expected(64, 63, 2048, 32, 1);
    assert_eq!((v100.memory_bits, v100.flip_flops), (45_022, 2634));
    let few_warps = expected(16, 63, 512, 8, 1);
    assert_eq!((few_warps.memory_bits, few_warps.flip_flops), (9_742, 752));
    let small = expected(4, 63, 256, 4, 3);
    let counted = storage(RfvTop4x63x256::default());
    assert!(
        counted.is_none_or(|counted| counted == small),
        "{small:?}: {counted:?}"
    );
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(RfvTop48x63x1024::default());
    check_block(RfvTop48x16x1024::default());
    check_block(RfvTop64x63x2048::default());
    check_block(RfvTop16x63x512::default());
    check_block(RfvTop4x63x256::default());
}

#[test]
fn pins_are_the_ports_of_the_blocks() {
    check_ports::<Model<48, 8, 1024, 63, 1>, _>(RfvTop48x63x1024::default());
    check_ports::<Model<48, 8, 1024, 16, 1>, _>(RfvTop48x16x1024::default());
    check_ports::<Model<64, 32, 2048, 63, 1>, _>(RfvTop64x63x2048::default());
    check_ports::<Model<16, 8, 512, 63, 1>, _>(RfvTop16x63x512::default());
    check_ports::<Model<4, 4, 256, 63, 3>, _>(RfvTop4x63x256::default());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<48, 8, 1024, 63, 1>>(include_str!("README.md"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn model_and_rtl_agree_with_4_warps(rows in rows::<4, 4, 256>()) {
        agree(Model::<4, 4, 256, 63, 3>::default(), Rtl4x63x256::default(), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn model_and_rtl_agree_with_16_warps(rows in rows::<16, 8, 512>()) {
        agree(Model::<16, 8, 512, 63, 1>::default(), Rtl16x63x512::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_48_warps(rows in rows::<48, 8, 1024>()) {
        agree(Model::<48, 8, 1024, 63, 1>::default(), Rtl48x63x1024::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_16_renamed_registers(rows in rows::<48, 8, 1024>()) {
        agree(Model::<48, 8, 1024, 16, 1>::default(), Rtl48x16x1024::default(), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]
    #[test]
    fn model_and_rtl_agree_with_64_warps(rows in rows::<64, 32, 2048>()) {
        agree(Model::<64, 32, 2048, 63, 1>::default(), Rtl64x63x2048::default(), &rows)?;
    }
}
