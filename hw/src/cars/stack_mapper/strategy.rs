//! What the property tests of the mapper draw from.

use super::{FIRST_CALLEE_SAVED, StackMapperIn};
use crate::common::lookup::Lookups;
use crate::strategies::any_pins;
use proptest::prelude::*;

/// A place that a register is drawn near to.
#[derive(Clone, Copy, Debug)]
enum Near {
    FirstCalleeSaved,
    FrameEnd,
    Turn,
    BaseEnd,
    Nothing,
}

fn near() -> impl Strategy<Value = (Near, u8, bool)> {
    let place = prop_oneof![
        Just(Near::FirstCalleeSaved),
        Just(Near::FrameEnd),
        Just(Near::Turn),
        Just(Near::BaseEnd),
        Just(Near::Nothing),
    ];
    (place, 0..5u8, prop::bool::weighted(0.9))
}

/// Any pins; mostly pointers that lie in the stack and registers near where the answer changes.
pub fn row<const PACKS: usize, const STACK: usize>()
-> impl Strategy<Value = StackMapperIn<PACKS, STACK>> {
    let places = any::<(u8, u8)>();
    let registers = prop::array::uniform4(near());
    let wild = prop::bool::weighted(0.15);
    (any_pins(), places, registers, 0..80u16, wild).prop_map(
        |(mut pins, (frame, top), registers, base_regs, wild): (
            StackMapperIn<PACKS, STACK>,
            _,
            _,
            _,
            _,
        )| {
            if wild {
                return pins;
            }
            let capacity = pins.capacity.max(1);
            // One place in nine is just behind the stack.
            let place = |place: u8| place % capacity + u8::from(place > 226) * capacity;
            let pack = |place: u8| ((usize::from(pins.first) + usize::from(place)) % PACKS) as u16;
            let (frame, top) = (place(frame), place(top));
            (pins.rfp, pins.rsp) = (pack(frame), pack(top));
            pins.base = pins.first.saturating_sub(base_regs);
            pins.launched |= top % 4 != 0;
            let saved = FIRST_CALLEE_SAVED;
            let pushed = if top < frame { top + capacity } else { top }.wrapping_sub(frame);
            let any = pins.lookups().map(Option::unwrap_or_default);
            let mut number = 0;
            pins.set_lookups(registers.map(|(near, offset, wanted)| {
                let middle = match near {
                    Near::FirstCalleeSaved => saved,
                    Near::FrameEnd => saved.saturating_add(pushed),
                    Near::Turn => saved.saturating_add(capacity.saturating_sub(frame)),
                    Near::BaseEnd => base_regs as u8,
                    Near::Nothing => any[number],
                };
                number += 1;
                wanted.then_some(middle.saturating_add(offset).saturating_sub(2))
            }));
            pins
        },
    )
}

/// Sequences of [`row`].
pub fn rows<const PACKS: usize, const STACK: usize>()
-> impl Strategy<Value = Vec<StackMapperIn<PACKS, STACK>>> {
    prop::collection::vec(row(), 1..20)
}
