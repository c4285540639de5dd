//! Release flags of a decoded kernel: which pir covers an instruction, and how its registers go through a renaming table.

use super::{MicroOp, Word};
use crate::compiler::rfv::operands;
use crate::kernel::exit::MAPS_NOTHING;
use crate::kernel::op::Op;
use crate::kernel::{Inst, Operand};
use regshare_hw::manager::FlagSource;
use regshare_hw::rfv::flag_decoder::{OPERANDS, PIR_SLOTS, pbr_registers};

/// The last pir of a block, and how many instructions came behind it.
#[derive(Default)]
pub(super) struct Covered {
    pir: Option<FlagSource>,
}

impl Covered {
    /// Says of `op` at `pc` which pir covers it and how its registers go through a renaming table.
    pub(super) fn by_pir(&mut self, inst: &Inst, pc: usize, op: &mut MicroOp) {
        let constant = match inst.srcs.first() {
            Some(&Operand::Imm(bits)) => bits,
            _ => 0,
        };
        match inst.op {
            Op::Pir => {
                op.word = Some(Word::Pir);
                self.pir = Some(FlagSource {
                    pc: pc as u16,
                    slot: 0,
                    word: constant,
                });
            }
            Op::Pbr => {
                op.word = Some(Word::Pbr(constant));
                // Nothing of the warp may still read or write what is given back.
                pbr_registers(constant).for_each(|reg| op.write_mask.insert(reg.into()));
            }
            _ => {
                op.request.places = (operands::places(inst).iter())
                    .map(|located| located.place)
                    .collect();
                // What a later step reads must still be there.
                let located = operands::places(inst);
                op.request.partial = located.iter().any(|written| {
                    usize::from(written.place.pin) == OPERANDS
                        && (located.iter()).any(|read| {
                            read.reg == written.reg && read.place.step > written.place.step
                        })
                });
                op.request.flags = self.pir.filter(|pir| usize::from(pir.slot) < PIR_SLOTS);
                op.empties = (inst.exit_marks()).is_some_and(|marks| marks & MAPS_NOTHING != 0);
                if let Some(pir) = &mut self.pir {
                    pir.slot = pir.slot.saturating_add(1);
                }
            }
        }
    }
}
