//! Whole kernels, run by an SM that keeps to the rules: CTAs are launched, their warps run a program with pir and pbr, and
//! end. A ledger of its own knows which register of which warp has which pack.

use super::*;
use crate::rfv::free_list::kept_packs;
use std::collections::{BTreeMap, BTreeSet};

mod book;
mod drive;

/// A word of the program.
#[derive(Clone, Debug)]
enum Word {
    Instruction([Option<u8>; OPERANDS]),
    Pbr(Vec<u8>),
}

#[derive(Clone, Debug)]
struct Kernel {
    exempt: u8,
    shrink: u8,
    /// Packs of each bank that may be assigned.
    bank_packs: u16,
    warps_per_cta: u8,
    ctas: usize,
    /// Renamed registers of a warp.
    renamed: u8,
    program: Vec<Word>,
    /// Flags of the slots, and how far apart the pirs lie: at a distance of 10 they share an entry of the cache.
    flags: [u8; PIR_SLOTS],
    distance: u16,
}

/// Instructions under one pir.
const COVERED: usize = 4;

fn kernel() -> impl Strategy<Value = Kernel> {
    (0u8..5, 1u8..10, 1u8..=2)
        .prop_flat_map(|(exempt, renamed, warps_per_cta)| {
            let register = 0..exempt + renamed;
            let operands = prop::array::uniform4(prop::option::weighted(0.7, register.clone()));
            let ids = prop::collection::vec(register, 0..9);
            let word = prop_oneof![
                6 => operands.prop_map(Word::Instruction),
                1 => ids.prop_map(Word::Pbr),
            ];
            // Plenty of packs, or about what one CTA needs.
            let enough = u16::from(renamed.div_ceil(4) * warps_per_cta);
            let bank_packs = prop_oneof![2 => enough..enough + 4, 1 => 12u16..28, 1 => 1..=enough];
            (
                Just((exempt, renamed, warps_per_cta)),
                (0u8..4, bank_packs, 1usize..7),
                prop::collection::vec(word, 1..24),
                prop::array::uniform18(0u8..8),
                prop_oneof![Just(10u16), Just(3)],
            )
        })
        .prop_map(
            |(
                (exempt, renamed, warps_per_cta),
                (shrink, bank_packs, ctas),
                program,
                flags,
                distance,
            )| Kernel {
                exempt,
                shrink,
                bank_packs,
                warps_per_cta,
                ctas,
                renamed,
                program,
                flags,
                distance,
            },
        )
}

/// A chance per cycle: which warps the ports would issue, which port is favoured, how long operands wait to be read.
type Luck = (u8, u8, bool, u8);

/// A warp that runs.
#[derive(Clone, Debug)]
struct Warp {
    cta: u8,
    at: usize,
    /// Operands of the present instruction that are still to be looked up; `None` before it is fetched.
    left: Option<[Option<u8>; OPERANDS]>,
    /// Only the destination is asked for again.
    again: bool,
}

/// What the answer of the next cycle belongs to.
struct Asked {
    warp: u8,
    x: [Option<u8>; OPERANDS],
    dead: [bool; 3],
}

struct Sm {
    kernel: Kernel,
    pins: In,
    model: Model<4, 4, 256, 63, 3>,
    rtl: Rtl4x63x256,
    cycle: usize,
    warps: BTreeMap<u8, Warp>,
    /// Warps of each CTA that are still to end; CTAs that are still to start.
    running: BTreeMap<u8, u8>,
    waiting: usize,
    mapped: BTreeMap<(u8, u8), u16>,
    asked: Option<Asked>,
    /// Packs that operand collectors are to read, and the cycle in which they do.
    unread: Vec<(u16, u8, usize)>,
    /// Warps on the ports, which keep their instruction until it goes on.
    ports: [Option<u8>; 2],
    /// A warp that ends.
    walk: Option<u8>,
    /// A warp whose pir or pbr is in decode.
    decode: Option<(u8, In)>,
    starved: BTreeSet<u8>,
    idle_cycles: usize,
    spills: usize,
}

impl Sm {
    fn new(kernel: Kernel) -> Self {
        let kept = kept_packs(64)[usize::from(kernel.shrink)] as u16;
        let reserved = kept - kernel.bank_packs.min(kept - 5);
        let pins = In {
            exempt: kernel.exempt,
            shrink: kernel.shrink,
            reserved,
            ..In::default()
        };
        let waiting = kernel.ctas;
        let mut sm = Self {
            kernel,
            pins,
            model: Model::default(),
            rtl: Rtl4x63x256::default(),
            cycle: 0,
            warps: BTreeMap::new(),
            running: BTreeMap::new(),
            waiting,
            mapped: BTreeMap::new(),
            asked: None,
            unread: Vec::new(),
            ports: [None; 2],
            walk: None,
            decode: None,
            starved: BTreeSet::new(),
            idle_cycles: 0,
            spills: 0,
        };
        sm.step(In {
            clear: true,
            pack_count: sm.all() as u16,
            ..sm.pins
        });
        // Slots are wiped once.
        for warp in 0..4 {
            let launch = In {
                launch: true,
                warp,
                ..sm.pins
            };
            assert!(sm.step(launch).walk_grant);
            while sm.step(sm.pins).busy {}
        }
        sm
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_pack_is_lost_doubled_or_taken_from_a_reader_and_all_are_free_at_the_end(
        kernel in kernel(),
        luck in prop::collection::vec(any::<Luck>(), 30..60),
    ) {
        let mut sm = Sm::new(kernel);
        let mut luck = luck.into_iter().cycle();
        while !sm.is_done() {
            sm.cycle(luck.next().expect("it never ends"));
            prop_assert!(sm.cycle < 20_000, "it ends after {} spills", sm.spills);
        }
        for _ in 0..3 {
            sm.step(sm.pins);
        }
        let out = sm.step(sm.pins);
        prop_assert_eq!(usize::from(out.free_packs), sm.all());
        prop_assert_eq!(sm.model.mapped().count(), 0, "nothing is mapped at the kernel's end");
        prop_assert!(sm.mapped.is_empty() && out.may_issue == 0);
    }
}
