//! From issue to the operand collector: an instruction takes a collector unit and asks the banks for its registers.

use crate::kernel::op::{BarKind, Op};
use crate::sm::Sm;
use crate::sm::collector::ReadRequest;
use crate::sm::error::{RunError, Step};
use crate::sm::issue::pool;
use crate::sm::program::{MicroOp, Source, Unit};
use crate::sm::rename::UNKNOWN;
use regshare_hw::ids::Pack;

impl Sm<'_> {
    /// Takes a collector unit and asks the banks for the registers.
    pub(super) fn collect_operands(
        &mut self,
        slot: usize,
        op: &MicroOp,
        lanes: u32,
        scheduler: usize,
    ) -> Step<Option<(u16, u8)>> {
        let Some(pool) = pool(op.unit) else {
            return Ok(None);
        };
        match op.unit {
            Unit::Sfu => self.counters.sfu_instructions += 1,
            Unit::Ldst => self.counters.ldst_instructions += 1,
            _ => self.counters.sp_instructions += 1,
        }
        let unit = self.collectors.pools[pool].take();
        let id = self.flights.take();
        let flight = &mut self.flights[id];
        flight.pc = self.warps.pc[slot];
        flight.warp = slot as u8;
        flight.lanes = lanes;
        flight.packs.clear();
        flight.written = 0;
        flight.lines_missing = 0;
        let later = op.asks && self.replies[scheduler].ticket.is_some();
        if later {
            flight.packs.extend(op.request.regs.iter().map(|_| UNKNOWN));
        } else if op.asks {
            flight.packs.clone_from(&self.replies[scheduler].packs);
        }
        for (i, &(pred, negated)) in op.pred_sources.iter().enumerate() {
            let value = self.warps.preds[slot][usize::from(pred)];
            flight.preds[i] = if negated { !value } else { value };
        }
        let exists = |pack: &Pack| pack.index() < self.registers.packs();
        if flight.packs.len() != op.request.regs.len() || !later && !flight.packs.iter().all(exists)
        {
            return Err(self.bad_packs(slot, op, id));
        }
        let collector = &mut self.collectors.units[usize::from(unit)];
        collector.flight = id;
        collector.missing = match later {
            true => op.request.regs.len() as u8,
            false => op.reads,
        };
        let missing = collector.missing;
        for (i, source) in op.sources.iter().enumerate() {
            let operand = &mut collector.operands[i];
            match *source {
                Source::Register {
                    first,
                    wide,
                    extend,
                } => {
                    if extend {
                        operand.hi = [0; 32];
                    }
                    for upper in (0..=u8::from(wide)).filter(|_| !later) {
                        let register = first + upper;
                        let bank = self
                            .registers
                            .bank(slot, flight.packs[usize::from(register)]);
                        self.collectors.waiting_banks |= 1 << bank;
                        self.collectors.banks[bank].push_back(ReadRequest {
                            collector: unit,
                            register,
                            source: i as u8,
                            upper: upper == 1,
                            by: u64::MAX,
                        });
                    }
                }
                Source::Constant { value, wide } => {
                    operand.lo = [value as u32; 32];
                    if wide {
                        operand.hi = [(value >> 32) as u32; 32];
                    }
                }
                Source::Special(special) => {
                    let warp = usize::from(self.warps.warp_in_cta[slot]);
                    let cta = usize::from(self.warps.cta_slot[slot]);
                    let index = self.ctas.slots[cta].index;
                    self.special.read(special, warp, index, self.cycle, operand);
                }
            }
        }
        if pool == 2 || missing == 0 {
            self.collectors.pools[pool].queue.push_back(unit);
        }
        let from_memory = op.unit == Unit::Ldst;
        self.scoreboard.reserve(slot, op, from_memory);
        self.warps.in_flight[slot] += 1;
        if matches!(op.op, Op::Bar(kind) if kind != BarKind::Arrive) {
            self.warps.at_barrier |= 1 << slot;
            self.warps.barrier_pc[slot] = self.warps.pc[slot];
        }
        Ok(Some((id, unit)))
    }

    #[cold]
    pub(super) fn bad_packs(&self, slot: usize, op: &MicroOp, id: u16) -> Box<RunError> {
        let place = self.place(slot);
        let packs = self.registers.packs();
        let mut mapped = op.request.regs.iter().zip(&self.flights[id].packs);
        match mapped.find(|(_, pack)| pack.index() >= packs) {
            Some((&reg, &pack)) => Box::new(RunError::NoSuchPack {
                place,
                reg,
                pack,
                packs: packs as u16,
            }),
            None => Box::new(RunError::Leak(format!(
                "{place}: the register hardware answered for {} registers, of {}",
                self.flights[id].packs.len(),
                op.request.regs.len()
            ))),
        }
    }
}
