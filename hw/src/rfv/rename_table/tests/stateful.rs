//! Legal runs on a ledger of packs: warps start, define, read, release and end; a ledger of its own knows which register
//! has which pack and which packs are free. A failing sequence shrinks.

use super::*;
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use std::collections::BTreeMap;

const WARPS: usize = 4;
const PACKS: u16 = 64;

/// What the SM would like to do; the test makes it legal.
#[derive(Clone, Debug)]
enum Wish {
    /// An instruction, operand by operand: registers, which sources are dead after it, whether it writes all lanes.
    Instruction {
        warp: u8,
        x: [Option<u8>; OPERANDS],
        dead: [bool; 3],
        partial: bool,
    },
    /// The warp ends and another starts in its slot.
    Replace(u8),
}

#[derive(Clone, Debug)]
struct Kernel {
    exempt: u8,
    registers: Vec<u8>,
}

impl ReferenceStateMachine for Kernel {
    type State = Kernel;
    type Transition = Wish;

    fn init_state() -> BoxedStrategy<Self::State> {
        (0u8..6)
            .prop_flat_map(|exempt| {
                let register = 0..exempt + 16;
                (Just(exempt), prop::collection::vec(register, 3..20))
            })
            .prop_map(|(exempt, registers)| Kernel { exempt, registers })
            .boxed()
    }

    fn transitions(kernel: &Self::State) -> BoxedStrategy<Self::Transition> {
        let register = prop::sample::select(kernel.registers.clone());
        let instruction = (
            0..WARPS as u8,
            prop::array::uniform4(prop::option::weighted(0.7, register)),
            any::<[bool; 3]>(),
            prop::bool::weighted(0.2),
        )
            .prop_map(|(warp, x, dead, partial)| Wish::Instruction {
                warp,
                x,
                dead,
                partial,
            });
        prop_oneof![
            30 => instruction,
            1 => (0..WARPS as u8).prop_map(Wish::Replace),
        ]
        .boxed()
    }

    fn apply(state: Self::State, _: &Self::Transition) -> Self::State {
        state
    }
}

type Pins = RenameTableIn<4, 16, 64>;

struct Unit<const HARDWARE_ONLY: usize> {
    rtl: Rtl4<HARDWARE_ONLY>,
    exempt: u8,
    free: BTreeSet<u16>,
    /// Pack of each warp and register.
    mapped: BTreeMap<(u8, u8), u16>,
    /// Cycles, so that the offers vary.
    cycle: usize,
}

impl<const HARDWARE_ONLY: usize> Unit<HARDWARE_ONLY> {
    /// A cycle in which some free pack of each bank is offered; books what is taken and given back.
    fn cycle(&mut self, pins: Pins) -> RenameTableOut<4, 16, 64> {
        self.cycle += 1;
        let offers = std::array::from_fn(|bank| {
            let of_bank = self
                .free
                .iter()
                .filter(|&&p| usize::from(p) % BANKS == bank);
            let of_bank: Vec<_> = of_bank.collect();
            (!of_bank.is_empty()).then(|| *of_bank[self.cycle % of_bank.len()])
        });
        let pins = Pins {
            exempt: self.exempt,
            ..pins.with_offers(offers)
        };
        let out = self.rtl.edge(&pins);
        for (bank, offer) in offers.into_iter().enumerate() {
            if out.take >> bank & 1 == 1 {
                let taken = offer.expect("only what is offered is taken");
                assert!(self.free.remove(&taken));
            }
        }
        for pack in out.given().into_iter().flatten() {
            assert!(self.free.insert(pack), "{pack} was free");
        }
        out
    }

    /// An instruction, turn by turn; the packs of its operands.
    fn issue(&mut self, warp: u8, mut x: [Option<(u8, bool)>; OPERANDS]) -> [Option<u16>; 4] {
        let mut packs = [None; OPERANDS];
        let mut pending = 0;
        let mut idle_cycles = 0;
        while idle_cycles < 1 {
            let pins = Pins {
                warp,
                ..Pins::default()
            };
            let out = self.cycle(pins.with_operands(x));
            for (i, pack) in out.packs().into_iter().enumerate() {
                if pending >> i & 1 == 1 {
                    packs[i] = pack;
                } else {
                    assert_eq!(pack, None, "nobody asked");
                }
            }
            idle_cycles += usize::from(x == [None; OPERANDS]);
            pending = out.served;
            for (i, x) in x.iter_mut().enumerate() {
                *x = x.filter(|_| out.served >> i & 1 == 0);
            }
        }
        packs
    }

    fn instruction(&mut self, warp: u8, x: [Option<u8>; 4], dead: [bool; 3], partial: bool) {
        let flags = [dead[0], dead[1], dead[2], partial];
        let asked = std::array::from_fn(|i| Some((x[i]?, flags[i])));
        let free_before = self.free.clone();
        let packs = self.issue(warp, asked);
        let [sources @ .., destination] = x;
        for (x, pack) in sources.into_iter().zip(packs) {
            let Some(x) = x else { continue };
            let expected = if x < self.exempt {
                Some(u16::from(self.exempt) * u16::from(warp) + u16::from(x))
            } else {
                self.mapped.get(&(warp, x)).copied()
            };
            assert_eq!(pack, expected, "a look-up answers what was mapped last");
        }
        let before = destination.and_then(|x| self.mapped.get(&(warp, x)).copied());
        for (x, _) in sources.into_iter().zip(dead).filter(|(_, dead)| *dead) {
            if x.is_some_and(|x| x >= self.exempt) && x != destination {
                self.mapped.remove(&(warp, x.unwrap_or(0)));
            }
        }
        let Some(x) = destination.filter(|x| *x >= self.exempt) else {
            return;
        };
        let bank = u16::from(x) % 4;
        match packs[3] {
            Some(pack) => {
                assert_eq!(pack % 4, bank, "in the register's own bank");
                let read_last =
                    (0..3).any(|i| dead[i] && sources[i] == Some(x)) && before.is_some();
                let renewed = before.is_none() || read_last || (HARDWARE_ONLY == 1 && !partial);
                let bank_had_free = free_before.iter().any(|pack| pack % 4 == bank);
                if !(renewed && bank_had_free) && before.is_some() {
                    assert_eq!(Some(pack), before);
                }
                self.mapped.insert((warp, x), pack);
            }
            None => {
                let any = free_before.iter().any(|pack| pack % 4 == bank);
                assert!(before.is_none() && !any, "only for want of a pack");
            }
        }
    }

    fn replace(&mut self, warp: u8) {
        let had: BTreeSet<_> = self
            .mapped
            .iter()
            .filter(|((w, _), _)| *w == warp)
            .collect();
        let had: BTreeSet<u16> = had.into_iter().map(|(_, pack)| *pack).collect();
        let before = self.free.clone();
        let pins = Pins {
            exit: true,
            warp,
            ..Pins::default()
        };
        self.cycle(pins);
        while self.cycle(Pins::default()).busy {}
        let given: BTreeSet<_> = self.free.difference(&before).copied().collect();
        assert_eq!(
            given, had,
            "an end gives back all that the warp has, and nothing else"
        );
        self.mapped.retain(|(w, _), _| *w != warp);
    }
}

struct TableTest<const HARDWARE_ONLY: usize>;

impl<const HARDWARE_ONLY: usize> StateMachineTest for TableTest<HARDWARE_ONLY> {
    type SystemUnderTest = Unit<HARDWARE_ONLY>;
    type Reference = Kernel;

    fn init_test(kernel: &Kernel) -> Self::SystemUnderTest {
        let reserved = u16::from(kernel.exempt) * WARPS as u16;
        Unit {
            rtl: Rtl4::default(),
            exempt: kernel.exempt,
            free: (reserved..PACKS).collect(),
            mapped: BTreeMap::new(),
            cycle: 0,
        }
    }

    fn apply(mut unit: Self::SystemUnderTest, _: &Kernel, wish: Wish) -> Self::SystemUnderTest {
        match wish {
            Wish::Instruction {
                warp,
                x,
                dead,
                partial,
            } => unit.instruction(warp, x, dead, partial),
            Wish::Replace(warp) => unit.replace(warp),
        }
        unit
    }

    fn check_invariants(unit: &Self::SystemUnderTest, kernel: &Kernel) {
        let used: BTreeSet<_> = unit.mapped.values().collect();
        assert_eq!(used.len(), unit.mapped.len(), "no pack is mapped twice");
        assert!(used.iter().all(|pack| !unit.free.contains(pack)));
        let reserved = usize::from(kernel.exempt) * WARPS;
        assert_eq!(
            used.len() + unit.free.len() + reserved,
            PACKS.into(),
            "no pack is lost"
        );
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn no_pack_is_mapped_twice_and_none_is_lost(sequential 1..100 => TableTest<0>);
    #[test]
    fn nor_where_definitions_release(sequential 1..100 => TableTest<1>);
}
