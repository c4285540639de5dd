//! A divergence is an answer, not a panic.

use super::super::unit::Unit;
use super::*;
use crate::clocked::Clocked;
use crate::common::reg_map::{RegMapIn, RegMapOut, model::Model};

/// Says pack 1 too much.
#[derive(Default)]
struct Broken;
impl Clocked for Broken {
    type In = RegMapIn<48, 1024>;
    type Out = RegMapOut<48, 1024>;
    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let out = Model::<48, 1024>.outputs(pins);
        RegMapOut {
            y1: out.y1 + 1,
            ..out
        }
    }
    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.outputs(pins)
    }
}

#[test]
fn names_unit_cycle_and_both_values() {
    let mut unit = Unit::<Model<48, 1024>, Broken>::with(
        "reg_map",
        "reg_map_a",
        0,
        &[("warps", 48), ("packs", 1024)],
        Backend::Lockstep,
        Broken,
    )
    .expect("lockstep needs no Verilog");
    let pins = RegMapIn {
        widx: 2,
        coeff: 20,
        x1: 7,
        x1_valid: true,
        ..Default::default()
    };
    let divergence = unit.look_up(&pins, &mut None).expect_err("y1 differs");
    assert_eq!(
        (divergence.unit.as_str(), divergence.cycle),
        ("reg_map_a", 0)
    );
    assert_eq!(divergence.differing, [("y1", 47, 48)]);
    assert!(
        divergence
            .to_string()
            .starts_with("y1: model 47, RTL 48 (with widx=2 coeff=20 x0=0")
    );
}
