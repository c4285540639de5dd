//! The plain model of each top behind the common pins. Pins go from one to the other by their names.

use super::{CTAS, PACKS as FILE, RegisterManagerIn, RegisterManagerOut, STACK, System, WARPS};
use crate::cars::cars_top;
use crate::clocked::{Clocked, Pins};
use crate::common::lookup::{Answers, Lookups};
use crate::common::reg_map::{self, RegMapIn};
use crate::owf::owf_top;
use crate::regmutex::{paired_top, regmutex_top};
use crate::rfv::rfv_top;

/// What a top calls its input that is `name` there; the same name but for these.
#[must_use]
pub fn input_name(system: System, top_pin: &str) -> &str {
    match (system, top_pin) {
        (System::Regmutex, "srp_offset") | (System::Owf, "upper_offset") => "offset",
        (System::Owf, "exit") => "cta_exit",
        (System::Owf, "cta") => "exit_cta",
        (System::Owf, "launch") => "starts",
        (System::Owf, "stall") => "stall_cycle",
        (System::Cars, "wake") => "freed",
        (_, same) => same,
    }
}

fn output_name(system: System, top_pin: &str) -> &str {
    match (system, top_pin) {
        (System::Rfv, "chosen") => "chosen_cta",
        (System::Cars, "empty") => "none_stalled",
        (_, same) => same,
    }
}

/// The outputs of a system that has none of them.
fn idle<const NW: usize, const T: usize, const PACKS: usize>() -> RegisterManagerOut<NW, T, PACKS> {
    RegisterManagerOut {
        memory_allowed: true,
        walk_grant: true,
        word_done: true,
        may_issue: u64::MAX >> (64 - T),
        powered: u16::MAX,
        awake: u16::MAX,
        none_stalled: true,
        ..RegisterManagerOut::default()
    }
}

/// A top asked through the common pins.
trait Top<const NW: usize, const T: usize, const PACKS: usize> {
    fn step(
        &mut self,
        pins: &RegisterManagerIn<NW, T, PACKS>,
        edge: bool,
    ) -> RegisterManagerOut<NW, T, PACKS>;
}

/// A top whose pins are among the common ones: the place of each of its inputs, and of each of its outputs that is there.
struct Wired<C, const NW: usize, const T: usize, const PACKS: usize> {
    top: C,
    inputs: Vec<usize>,
    outputs: Vec<Option<usize>>,
}

impl<C: Clocked, const NW: usize, const T: usize, const PACKS: usize> Wired<C, NW, T, PACKS> {
    fn new(system: System, top: C) -> Self {
        let (all_in, all_out) = (
            RegisterManagerIn::<NW, T, PACKS>::pins(),
            RegisterManagerOut::<NW, T, PACKS>::pins(),
        );
        let input = |pin: &str| {
            let name = input_name(system, pin);
            let found = all_in.iter().position(|common| common.name == name);
            found.unwrap_or_else(|| panic!("{system} reads {pin}, which is no pin of the list"))
        };
        let output = |pin: &str| {
            let name = output_name(system, pin);
            all_out.iter().position(|common| common.name == name)
        };
        Self {
            top,
            inputs: C::In::pins().iter().map(|pin| input(pin.name)).collect(),
            outputs: C::Out::pins().iter().map(|pin| output(pin.name)).collect(),
        }
    }

    /// Asks the top; its outputs are on the common pins, the others idle.
    fn ask(
        &mut self,
        pins: &RegisterManagerIn<NW, T, PACKS>,
        edge: bool,
    ) -> (C::Out, RegisterManagerOut<NW, T, PACKS>) {
        let (mut common, mut own, mut answers) = (Vec::new(), Vec::new(), Vec::new());
        pins.values(&mut common);
        let values: Vec<u64> = self.inputs.iter().map(|&at| common[at]).collect();
        let asked = C::In::from_values(&values);
        let out = if edge {
            self.top.edge(&asked)
        } else {
            self.top.outputs(&asked)
        };
        out.values(&mut own);
        idle::<NW, T, PACKS>().values(&mut answers);
        for (&at, value) in self.outputs.iter().zip(own) {
            if let Some(at) = at {
                answers[at] = value;
            }
        }
        (out, RegisterManagerOut::from_values(&answers))
    }
}

impl<C: Clocked, const NW: usize, const T: usize, const PACKS: usize> Top<NW, T, PACKS>
    for Wired<C, NW, T, PACKS>
{
    fn step(
        &mut self,
        pins: &RegisterManagerIn<NW, T, PACKS>,
        edge: bool,
    ) -> RegisterManagerOut<NW, T, PACKS> {
        let (_, mut out) = self.ask(pins, edge);
        at_once(&mut out);
        out
    }
}

/// Who is granted is answered in the same cycle, and what is valid is awake.
fn at_once<const NW: usize, const T: usize, const PACKS: usize>(
    out: &mut RegisterManagerOut<NW, T, PACKS>,
) {
    (out.a_answer, out.b_answer) = (out.a_grant, out.b_grant);
    (out.a_y0_awake, out.b_y0_awake) = (out.a_y0_valid, out.b_y0_valid);
    (out.a_y1_awake, out.b_y1_awake) = (out.a_y1_valid, out.b_y1_valid);
    (out.a_y2_awake, out.b_y2_awake) = (out.a_y2_valid, out.b_y2_valid);
    (out.a_y3_awake, out.b_y3_awake) = (out.a_y3_valid, out.b_y3_valid);
}

/// The baseline: who issues goes on, unless a kernel starts.
struct Baseline<const NW: usize, const PACKS: usize>;

impl<const NW: usize, const PACKS: usize> Baseline<NW, PACKS> {
    fn packs(coeff: u8, widx: u8, regs: [Option<u8>; 4]) -> [Option<u16>; 4] {
        let mut look_up = RegMapIn::<NW, PACKS> {
            widx,
            coeff,
            ..RegMapIn::default()
        };
        look_up.set_lookups(regs);
        reg_map::model::Model.outputs(&look_up).packs()
    }
}

impl<const NW: usize, const T: usize, const PACKS: usize> Top<NW, T, PACKS>
    for Baseline<NW, PACKS>
{
    fn step(
        &mut self,
        pins: &RegisterManagerIn<NW, T, PACKS>,
        _edge: bool,
    ) -> RegisterManagerOut<NW, T, PACKS> {
        let mut out = idle();
        if pins.clear {
            return out;
        }
        (out.a_grant, out.b_grant) = (pins.a_valid, pins.b_valid);
        if pins.a_valid {
            out.set_a_packs(Self::packs(pins.base_regs, pins.a_warp, pins.a_regs()));
        }
        if pins.b_valid {
            out.set_b_packs(Self::packs(pins.base_regs, pins.b_warp, pins.b_regs()));
        }
        at_once(&mut out);
        out
    }
}

type Rfv<const NW: usize, const T: usize, const PACKS: usize> =
    rfv_top::model::Model<NW, T, PACKS, 63, 1>;

/// Renaming: its table has no word for registers from 63 on, and one answer, which belongs to one port.
struct Renaming<const NW: usize, const T: usize, const PACKS: usize>(
    Wired<Rfv<NW, T, PACKS>, NW, T, PACKS>,
);

impl<const NW: usize, const T: usize, const PACKS: usize> Top<NW, T, PACKS>
    for Renaming<NW, T, PACKS>
{
    fn step(
        &mut self,
        pins: &RegisterManagerIn<NW, T, PACKS>,
        edge: bool,
    ) -> RegisterManagerOut<NW, T, PACKS> {
        let mut pins = *pins;
        pins.set_a_regs(pins.a_regs().map(|reg| reg.map(|reg| reg.min(63))));
        pins.set_b_regs(pins.b_regs().map(|reg| reg.map(|reg| reg.min(63))));
        let (top, mut out) = self.0.ask(&pins, edge);
        let awake = [top.y0_awake, top.y1_awake, top.y2_awake, top.y3_awake];
        if top.a_answer {
            out.a_starved = top.starved;
            out.set_a_packs(top.packs());
            [
                out.a_y0_awake,
                out.a_y1_awake,
                out.a_y2_awake,
                out.a_y3_awake,
            ] = awake;
        }
        if top.b_answer {
            out.b_starved = top.starved;
            out.set_b_packs(top.packs());
            [
                out.b_y0_awake,
                out.b_y1_awake,
                out.b_y2_awake,
                out.b_y3_awake,
            ] = awake;
        }
        out
    }
}

/// Plain model of a register manager for `NW` warps, `T` CTA slots and `PACKS` packs.
pub struct Model<const NW: usize = WARPS, const T: usize = CTAS, const PACKS: usize = FILE> {
    top: Box<dyn Top<NW, T, PACKS>>,
}

impl<const NW: usize, const T: usize, const PACKS: usize> Model<NW, T, PACKS> {
    /// The manager of `system`, at power-on.
    #[must_use]
    pub fn new(system: System) -> Self {
        fn wired<
            C: Clocked + Default + 'static,
            const NW: usize,
            const T: usize,
            const PACKS: usize,
        >(
            system: System,
        ) -> Box<dyn Top<NW, T, PACKS>> {
            Box::new(Wired::new(system, C::default()))
        }
        let top = match system {
            System::Baseline => Box::new(Baseline::<NW, PACKS>),
            System::Regmutex => {
                wired::<regmutex_top::model::Model<NW, PACKS>, NW, T, PACKS>(system)
            }
            System::Paired => {
                wired::<paired_top::model::PairBitTop<NW, PACKS>, NW, T, PACKS>(system)
            }
            System::SafePaired => {
                wired::<paired_top::model::WarpBitTop<NW, PACKS>, NW, T, PACKS>(system)
            }
            System::Owf => wired::<owf_top::model::Model<NW, T, PACKS>, NW, T, PACKS>(system),
            System::Rfv => Box::new(Renaming(Wired::new(system, Rfv::<NW, T, PACKS>::default()))),
            System::Cars => wired::<cars_top::model::Model<NW, PACKS, STACK>, NW, T, PACKS>(system),
        };
        Self { top }
    }
}

impl<const NW: usize, const T: usize, const PACKS: usize> Clocked for Model<NW, T, PACKS> {
    type In = RegisterManagerIn<NW, T, PACKS>;
    type Out = RegisterManagerOut<NW, T, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.top.step(pins, false)
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.top.step(pins, true)
    }
}
