//! One memory channel: requests reordered so that open rows are served first (FR-FCFS), banks in groups, and a data bus whose
//! delay is that of a read or of a write.
//!
//! All times are cycles of the command clock. Each command that opens, closes or uses a row holds back later ones for the
//! number of cycles that the timing parameters say (JEDEC's names).

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A memory channel. The timings, from `ccd` on, are cycles of the command clock, 0 ..= 1000 unless another range is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DramShape {
    /// Requests that the scheduler can hold, 1 ..= 1024.
    pub queue: u32,
    /// Answers that wait for the second level, 1 ..= 1024.
    pub return_queue: u32,
    /// Bytes that a column command moves, 16 ..= 256.
    pub burst_bytes: u32,
    /// Cycles of the command clock for which such a burst holds the data bus, 1 ..= 16.
    pub burst_cycles: u32,
    /// A row and a column command can go out in the same cycle.
    pub separate_row_bus: bool,
    /// Banks, a power of two, 1 ..= 64.
    pub banks: u32,
    /// Bank groups, a power of two, 1 ..= `banks`.
    pub bank_groups: u32,
    /// Column command to column command, 1 ..= 1000, at least `burst_cycles`.
    pub ccd: u32,
    /// The same in one bank group, at least `ccd` if there are several groups.
    pub ccdl: u32,
    /// Activation to activation, whatever the banks.
    pub rrd: u32,
    /// Activation to read, at most `ras`.
    pub rcd: u32,
    /// Activation to precharge.
    pub ras: u32,
    /// Precharge to activation.
    pub rp: u32,
    /// Activation to activation of one bank, at least `ras + rp - 1`.
    pub rc: u32,
    /// Read to its data, 1 ..= 1000.
    pub cl: u32,
    /// Write to its data, 1 ..= `cl`.
    pub wl: u32,
    /// Data of a write to the next read.
    pub cdlr: u32,
    /// Data of a write to precharge.
    pub wr: u32,
    /// Read to precharge in one bank group.
    pub rtpl: u32,
}

/// A request.
#[derive(Clone, Copy, Debug)]
pub struct DramRequest {
    /// Row.
    pub row: u64,
    /// Bank, below the channel's number of banks.
    pub bank: u32,
    /// Bytes to move.
    pub bytes: u32,
    /// A write; nobody waits for it.
    pub write: bool,
    /// Comes back with the answer, or when it has been written.
    pub token: u32,
}

#[derive(Clone, Debug, Default)]
struct Bank {
    open_row: Option<u64>,
    row: u64,
    serving: Option<Served>,
    /// First cycles at which commands may use the bank.
    read_from: u64,
    write_from: u64,
    precharge_from: u64,
    activate_from: u64,
    queue: VecDeque<DramRequest>,
    /// The row whose requests go first as long as there are any.
    streak: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Served {
    request: DramRequest,
    sent: u32,
}

/// An entry of the data bus, which moves on by one per cycle, so that data come `cl` cycles after a read and `wl` after a write:
/// the last burst of a request answers it.
type Burst = Option<Option<(u32, bool)>>;

/// The state of a channel.
#[derive(Clone, Debug)]
pub struct Dram {
    shape: DramShape,
    banks: Vec<Bank>,
    /// Bits of banks that serve a request, of those of them whose row is open, and of those with requests that wait.
    serving: u64,
    opened: u64,
    queued: u64,
    pending: u32,
    /// Requests that have come and whose data have not moved.
    inside: u32,
    entering: VecDeque<DramRequest>,
    bus: VecDeque<Burst>,
    bus_min: u32,
    bus_writes: bool,
    column_from: u64,
    activate_from: u64,
    read_from: u64,
    write_from: u64,
    group_column_from: Vec<u64>,
    group_precharge_from: Vec<u64>,
    first: usize,
    /// Answers, oldest first.
    pub returned: VecDeque<u32>,
    /// Bursts moved.
    pub burst_count: u64,
    /// Rows opened.
    pub activations: u64,
}

impl Dram {
    /// An idle channel with all rows closed.
    pub fn new(shape: &DramShape) -> Self {
        Dram {
            banks: vec![Bank::default(); shape.banks as usize],
            serving: 0,
            opened: 0,
            queued: 0,
            pending: 0,
            inside: 0,
            entering: VecDeque::new(),
            bus: std::iter::repeat_n(None, shape.cl as usize - 1).collect(),
            bus_min: shape.cl - 1,
            bus_writes: false,
            column_from: 0,
            activate_from: 0,
            read_from: 0,
            write_from: 0,
            group_column_from: vec![0; shape.bank_groups as usize],
            group_precharge_from: vec![0; shape.bank_groups as usize],
            first: 0,
            returned: VecDeque::new(),
            burst_count: 0,
            activations: 0,
            shape: shape.clone(),
        }
    }

    /// Whether the scheduler takes no more.
    pub fn is_full(&self) -> bool {
        self.pending >= self.shape.queue
    }

    /// Takes a request; the scheduler sees it in the next cycle.
    pub fn push(&mut self, request: DramRequest) {
        self.inside += 1;
        self.entering.push_back(request);
    }

    /// Whether a cycle would change anything.
    pub fn is_busy(&self) -> bool {
        self.inside > 0 || !self.returned.is_empty()
    }

    /// Cycles before which it does not give an answer.
    pub fn first_answer(&self) -> u64 {
        if !self.returned.is_empty() {
            return 0;
        }
        let read = (self.bus.iter()).position(|burst| matches!(burst, Some(Some((_, false)))));
        read.unwrap_or(self.shape.cl as usize - 1) as u64
    }

    fn group(&self, bank: usize) -> usize {
        bank & (self.shape.bank_groups as usize - 1)
    }

    /// One cycle of the command clock. Returns the token of a write whose last data have moved.
    pub fn cycle(&mut self, now: u64) -> Option<u32> {
        let written = match self.returned.len() < self.shape.return_queue as usize {
            true => self.move_bus(),
            false => None,
        };
        self.schedule();
        if self.serving > 0 {
            self.command(now);
        }
        written
    }

    fn command(&mut self, now: u64) {
        if self.shape.separate_row_bus {
            if now >= self.column_from && (self.bus.len() as u32) < self.shape.cl {
                for bank in in_turn(self.opened, self.first) {
                    if self.column_command(bank, now) {
                        break;
                    }
                }
            }
            for bank in in_turn(self.serving & !self.opened, self.first) {
                if self.row_command(bank, now) {
                    break;
                }
            }
            return;
        }
        let banks = self.banks.len();
        let mut row_done = false;
        for step in 0..banks {
            // A row command moves the turn on.
            let bank = (step + self.first) & (banks - 1);
            if self.opened >> bank & 1 == 1 {
                if self.column_command(bank, now) {
                    break;
                }
            } else if self.serving >> bank & 1 == 1 {
                row_done = row_done || self.row_command(bank, now);
            }
        }
    }

    fn move_bus(&mut self) -> Option<u32> {
        let mut written = None;
        if let Some(Some(Some((token, write)))) = self.bus.pop_front() {
            self.inside -= 1;
            match write {
                true => written = Some(token),
                false => self.returned.push_back(token),
            }
        }
        if (self.bus.len() as u32) < self.bus_min {
            self.bus.push_back(None);
        }
        written
    }

    fn schedule(&mut self) {
        while let Some(request) = self.entering.pop_front() {
            self.pending += 1;
            self.banks[request.bank as usize].queue.push_back(request);
            self.queued |= 1 << request.bank;
        }
        for at in in_turn(self.queued & !self.serving, self.first) {
            let bank = &mut self.banks[at];
            let streak = bank.streak.unwrap_or_else(|| {
                let open = bank.queue.iter().any(|request| request.row == bank.row);
                if open { bank.row } else { bank.queue[0].row }
            });
            let place = bank.queue.iter().position(|request| request.row == streak);
            let Some(request) = place.and_then(|place| bank.queue.remove(place)) else {
                continue;
            };
            let more = bank.queue.iter().any(|request| request.row == streak);
            bank.streak = more.then_some(streak);
            bank.serving = Some(Served { request, sent: 0 });
            self.serving |= 1 << at;
            self.opened |= u64::from(bank.open_row == Some(request.row)) << at;
            if bank.queue.is_empty() {
                self.queued &= !(1 << at);
            }
            self.pending -= 1;
            self.first = (self.first + 1) & (self.banks.len() - 1);
            break;
        }
    }

    fn column_command(&mut self, at: usize, now: u64) -> bool {
        let group = self.group(at);
        let shape = &self.shape;
        let Some(served) = self.banks[at].serving else {
            return false;
        };
        let bank = &self.banks[at];
        let write = served.request.write;
        let allowed = match write {
            false => bank.read_from.max(self.read_from),
            true => bank.write_from.max(self.write_from),
        };
        let from = (allowed.max(self.column_from)).max(self.group_column_from[group]);
        if now < from || self.bus.len() as u32 >= shape.cl {
            return false;
        }
        if write != self.bus_writes {
            self.bus_writes = write;
            let length = if write { shape.wl } else { shape.cl } - 1;
            self.set_bus_length(length);
        }
        let shape = &self.shape;
        let sent = served.sent + shape.burst_bytes;
        let done = sent >= served.request.bytes;
        self.bus
            .push_back(Some(done.then_some((served.request.token, write))));
        self.burst_count += 1;
        self.column_from = now + u64::from(shape.ccd);
        self.group_column_from[group] = now + u64::from(shape.ccdl);
        let burst = u64::from(shape.burst_cycles);
        let bank = &mut self.banks[at];
        if write {
            self.read_from = now + u64::from(shape.wl + shape.cdlr) + burst;
            bank.precharge_from =
                (bank.precharge_from).max(now + u64::from(shape.wl + shape.wr) + burst);
        } else {
            self.write_from = now + u64::from((shape.cl + 2).saturating_sub(shape.wl)) + burst;
            bank.precharge_from = bank.precharge_from.max(now + burst);
            self.group_precharge_from[group] = now + u64::from(shape.rtpl);
        }
        bank.serving = match done {
            true => None,
            false => Some(Served { sent, ..served }),
        };
        if done {
            self.serving &= !(1 << at);
            self.opened &= !(1 << at);
        }
        true
    }

    fn set_bus_length(&mut self, length: u32) {
        self.bus_min = length;
        while (self.bus.len() as u32) < length {
            self.bus.push_back(None);
        }
        while self.bus.len() as u32 > length && self.bus.back() == Some(&None) {
            self.bus.pop_back();
        }
    }

    fn row_command(&mut self, at: usize, now: u64) -> bool {
        let group = self.group(at);
        let shape = &self.shape;
        let bank = &mut self.banks[at];
        let Some(served) = bank.serving else {
            return false;
        };
        match bank.open_row {
            None if now >= self.activate_from.max(bank.activate_from) => {
                bank.open_row = Some(served.request.row);
                self.opened |= 1 << at;
                bank.row = served.request.row;
                self.activations += 1;
                self.activate_from = now + u64::from(shape.rrd);
                bank.read_from = now + u64::from(shape.rcd);
                bank.write_from = now + u64::from(shape.rcd.saturating_sub(shape.wl + 1));
                bank.precharge_from = bank.precharge_from.max(now + u64::from(shape.ras));
                bank.activate_from = bank.activate_from.max(now + u64::from(shape.rc));
            }
            Some(row)
                if row != served.request.row
                    && now >= bank.precharge_from.max(self.group_precharge_from[group]) =>
            {
                bank.open_row = None;
                bank.activate_from = bank.activate_from.max(now + u64::from(shape.rp));
            }
            _ => return false,
        }
        self.first = (at + 1) & (self.banks.len() - 1);
        true
    }
}

/// The bits of a mask from `first` on, then those below it.
fn in_turn(mask: u64, first: usize) -> impl Iterator<Item = usize> {
    let behind = mask & u64::MAX << first;
    let mut left = [behind, mask & !behind];
    std::iter::from_fn(move || {
        let part = if left[0] != 0 {
            &mut left[0]
        } else {
            &mut left[1]
        };
        let bit = (*part != 0).then(|| part.trailing_zeros() as usize);
        *part &= part.wrapping_sub(1);
        bit
    })
}
