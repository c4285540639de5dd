//! Operand collector units and the queues of the register banks.

use crate::kernel::exec::Value;
use crate::machine::Pipeline;
use crate::sm::program::MAX_SOURCES;
use std::collections::VecDeque;

/// A collector unit: gathers the operands of one instruction.
#[derive(Clone, Debug)]
pub struct Collector {
    /// The instruction.
    pub flight: u16,
    /// Registers still to be read.
    pub missing: u8,
    /// General sources.
    pub operands: Box<[Value; MAX_SOURCES]>,
}

/// A register to be read.
#[derive(Clone, Copy, Debug)]
pub struct ReadRequest {
    /// Collector unit that asks.
    pub collector: u8,
    /// Which of the instruction's registers.
    pub register: u8,
    /// Where its value goes: source, and whether it is the upper half.
    pub source: u8,
    pub upper: bool,
    /// The cycle in which it must have been read: another register may be written into its pack in the next. `u64::MAX`: none may.
    pub by: u64,
}

/// The collector units of one kind of execution unit.
#[derive(Clone, Debug)]
pub struct Pool {
    /// First unit of the pool.
    first: u8,
    /// Bit of each free unit, relative to `first`.
    free: u32,
    /// Units with all operands, in the order in which they got them; for the load/store unit all taken units, in
    /// the order of issue, because memory instructions stay in order.
    pub queue: VecDeque<u8>,
    size: u8,
}

impl Pool {
    fn new(first: u8, size: u8) -> Self {
        Pool {
            first,
            free: ((1u64 << size) - 1) as u32,
            queue: VecDeque::with_capacity(size.into()),
            size,
        }
    }

    /// Free units.
    #[inline]
    pub fn free_units(&self) -> u32 {
        self.free.count_ones()
    }

    /// Takes the lowest free unit. There is one.
    #[inline]
    pub fn take(&mut self) -> u8 {
        let unit = self.free.trailing_zeros();
        self.free &= self.free - 1;
        self.first + unit as u8
    }

    /// Frees a unit.
    #[inline]
    pub fn give_back(&mut self, unit: u8) {
        self.free |= 1 << (unit - self.first);
    }

    /// Units of the pool in use.
    pub fn in_use(&self) -> u32 {
        u32::from(self.size) - self.free_units()
    }
}

/// All collector units and the banks' queues.
#[derive(Clone, Debug)]
pub struct Collectors {
    pub units: Vec<Collector>,
    /// Arithmetic, special function, load/store.
    pub pools: [Pool; 3],
    /// Reads that wait for each bank, oldest first.
    pub banks: Vec<VecDeque<ReadRequest>>,
    /// Banks with a read waiting.
    pub waiting_banks: u32,
}

impl Collectors {
    /// The collectors of a machine.
    pub fn new(pipeline: &Pipeline) -> Self {
        let sizes = [
            pipeline.sp_collectors,
            pipeline.sfu_collectors,
            pipeline.ldst_collectors,
        ];
        let total: u8 = sizes.iter().sum();
        let unit = Collector {
            flight: 0,
            missing: 0,
            operands: Box::new([Value::ZERO; MAX_SOURCES]),
        };
        Collectors {
            units: vec![unit; total.into()],
            pools: [
                Pool::new(0, sizes[0]),
                Pool::new(sizes[0], sizes[1]),
                Pool::new(sizes[0] + sizes[1], sizes[2]),
            ],
            banks: vec![VecDeque::with_capacity(64); pipeline.register_banks.into()],
            waiting_banks: 0,
        }
    }

    /// The pool that a unit belongs to.
    #[inline]
    pub fn pool_of(&self, unit: u8) -> usize {
        usize::from(unit >= self.pools[1].first) + usize::from(unit >= self.pools[2].first)
    }

    /// Banks in which some read would be too late if the first of them were in the cycle `first`, a bit each.
    pub fn late(&self, first: u64) -> u32 {
        let is_late = |bank: &VecDeque<ReadRequest>| {
            let mut reads = bank.iter().zip(first..);
            reads.any(|(read, cycle)| cycle > read.by)
        };
        let banks = self.banks.iter().enumerate();
        banks
            .filter(|(_, bank)| is_late(bank))
            .fold(0, |mask, (bank, _)| mask | 1 << bank)
    }

    /// Whether no unit is in use.
    pub fn is_empty(&self) -> bool {
        self.pools.iter().all(|pool| pool.in_use() == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bank reads one register in a cycle: the third of its queue two cycles after the first.
    #[test]
    fn a_read_is_late_if_those_before_it_in_its_bank_take_too_long() {
        let machine = crate::machine::Machine::preset("gtx480").unwrap();
        let mut collectors = Collectors::new(&machine.pipeline);
        for (bank, by) in [(0, 12), (0, 12), (0, 12), (3, u64::MAX), (5, 10)] {
            collectors.banks[bank].push_back(ReadRequest {
                collector: 0,
                register: 0,
                source: 0,
                upper: false,
                by,
            });
        }
        assert_eq!(collectors.late(10), 0);
        assert_eq!(collectors.late(11), 0b10_0001);
        collectors.banks[0].pop_front();
        assert_eq!(collectors.late(11), 0b10_0000);
        assert_eq!(collectors.late(13), 0b10_0001);
    }
}
