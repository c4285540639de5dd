//! The Kanata log format, version 4, which Konata shows: per instruction its stages.
//!
//! F fetch, D decode and wait in the instruction buffer, I issue, O operand collection, X execute (for loads until the data is
//! there), W write-back. An instruction that is done at issue ends with I. What was fetched and not issued, because its warp
//! branched or ended, is flushed. The thread of an instruction is its warp slot.

use crate::kernel::Line;
use crate::kernel::ptx::Files;
use crate::observe::probe::ProbeError;
use crate::observe::watch::{Event, InstDef, Listing, Slots, Watcher};
use crate::observe::wave::Window;
use std::collections::{BTreeMap, VecDeque};
use std::io::{Result, Write};

/// An instruction that is on its way.
#[derive(Clone, Copy, Debug)]
struct Instance {
    id: u64,
    pc: u32,
}

/// What follows in the next cycle.
#[derive(Clone, Copy, Debug)]
enum Next {
    Collect(u64),
    Retire(u64),
}

/// Writes a Kanata log while a kernel runs.
pub struct Kanata<W: Write + Send> {
    out: W,
    window: Option<Window>,
    insts: Vec<InstDef>,
    files: Files,
    /// The cycle that the log has come to.
    cycle: u64,
    begun: u64,
    retired: u64,
    buffers: Vec<VecDeque<Instance>>,
    flights: BTreeMap<u16, Instance>,
    next: Vec<Next>,
    failed: Option<std::io::Error>,
}

impl<W: Write + Send> Kanata<W> {
    /// A log into `out` of what is fetched in the window, to its end.
    pub fn new(out: W, window: Option<Window>) -> Self {
        Kanata {
            out,
            window,
            insts: Vec::new(),
            files: Files::default(),
            cycle: 0,
            begun: 0,
            retired: 0,
            buffers: Vec::new(),
            flights: BTreeMap::new(),
            next: Vec::new(),
            failed: None,
        }
    }

    fn go_to(&mut self, cycle: u64) -> Result<()> {
        if cycle <= self.cycle {
            return Ok(());
        }
        if !self.next.is_empty() {
            self.advance(self.cycle + 1)?;
            for next in std::mem::take(&mut self.next) {
                match next {
                    Next::Collect(id) => self.stage(id, "O")?,
                    Next::Retire(id) => self.retire(id, 0)?,
                }
            }
        }
        if cycle > self.cycle {
            self.advance(cycle)?;
        }
        Ok(())
    }

    fn advance(&mut self, cycle: u64) -> Result<()> {
        writeln!(self.out, "C\t{}", cycle - self.cycle)?;
        self.cycle = cycle;
        Ok(())
    }

    fn stage(&mut self, id: u64, stage: &str) -> Result<()> {
        writeln!(self.out, "S\t{id}\t0\t{stage}")
    }

    /// `how` is 0 for an instruction that is done and 1 for one that is flushed.
    fn retire(&mut self, id: u64, how: u8) -> Result<()> {
        writeln!(self.out, "R\t{id}\t{}\t{how}", self.retired)?;
        self.retired += 1;
        Ok(())
    }

    fn flush_buffer(&mut self, warp: usize) -> Result<()> {
        while let Some(instance) = self.buffers[warp].pop_front() {
            self.retire(instance.id, 1)?;
        }
        Ok(())
    }

    fn fetched(&mut self, warp: usize, pcs: &[u32]) -> Result<()> {
        self.flush_buffer(warp)?;
        for &pc in pcs {
            let id = self.begun;
            self.begun += 1;
            let inst = &self.insts[pc as usize];
            writeln!(self.out, "I\t{id}\t{id}\t{warp}")?;
            writeln!(self.out, "L\t{id}\t0\t{}: {}", inst.named(pc), inst.text)?;
            let line = match self.files.place(inst.line) {
                Some((file, line)) => format!(", line {} of {file}", line.0),
                None if inst.line == Line(0) => String::new(),
                None => format!(", line {}", inst.line.0),
            };
            writeln!(self.out, "L\t{id}\t1\twarp slot {warp}{line}")?;
            self.stage(id, "F")?;
            self.buffers[warp].push_back(Instance { id, pc });
        }
        Ok(())
    }

    /// The buffered instruction of the warp at `pc`; what comes before it was jumped over.
    fn take(&mut self, warp: usize, pc: u32) -> Result<Option<Instance>> {
        if !self.buffers[warp].iter().any(|instance| instance.pc == pc) {
            return Ok(None);
        }
        while let Some(instance) = self.buffers[warp].pop_front() {
            if instance.pc == pc {
                return Ok(Some(instance));
            }
            self.retire(instance.id, 1)?;
        }
        Ok(None)
    }

    fn write(&mut self, cycle: u64, event: &Event) -> Result<()> {
        if self.window.is_some_and(|window| cycle < window.from) {
            return Ok(());
        }
        let ends = self.window.is_some_and(|window| cycle >= window.until);
        match *event {
            Event::Fetched { warp, pcs } => {
                self.go_to(cycle)?;
                match ends {
                    true => self.flush_buffer(warp),
                    false => self.fetched(warp, pcs),
                }
            }
            Event::Decoded { warp } => {
                self.go_to(cycle)?;
                for at in 0..self.buffers[warp].len() {
                    self.stage(self.buffers[warp][at].id, "D")?;
                }
                Ok(())
            }
            Event::Issued { warp, pc, flight } => {
                self.go_to(cycle)?;
                let Some(instance) = self.take(warp, pc)? else {
                    return Ok(());
                };
                self.stage(instance.id, "I")?;
                match flight {
                    Some(flight) => {
                        self.flights.insert(flight, instance);
                        self.next.push(Next::Collect(instance.id));
                    }
                    None => self.next.push(Next::Retire(instance.id)),
                }
                Ok(())
            }
            Event::WordDecoded { warp, pc } => {
                self.go_to(cycle)?;
                if let Some(instance) = self.take(warp, pc)? {
                    self.next.push(Next::Retire(instance.id));
                }
                Ok(())
            }
            Event::Started { flight } => self.moved(cycle, flight, "X"),
            Event::Result { flight } => self.moved(cycle, flight, "W"),
            Event::Finished { flight } => {
                self.go_to(cycle)?;
                if let Some(instance) = self.flights.remove(&flight) {
                    self.next.push(Next::Retire(instance.id));
                }
                Ok(())
            }
            Event::WarpEnded { warp } => {
                self.go_to(cycle)?;
                self.flush_buffer(warp)
            }
            _ => Ok(()),
        }
    }

    fn moved(&mut self, cycle: u64, flight: u16, stage: &str) -> Result<()> {
        self.go_to(cycle)?;
        match self.flights.get(&flight) {
            Some(instance) => self.stage(instance.id, stage),
            None => Ok(()),
        }
    }

    fn finish(&mut self, cycles: u64) -> Result<()> {
        // What retires in the last cycle does so after it.
        self.go_to(cycles.max(self.cycle + u64::from(!self.next.is_empty())))?;
        for warp in 0..self.buffers.len() {
            self.flush_buffer(warp)?;
        }
        for (_, instance) in std::mem::take(&mut self.flights) {
            self.retire(instance.id, 1)?;
        }
        self.out.flush()
    }
}

impl<W: Write + Send> Watcher for Kanata<W> {
    fn begin(&mut self, listing: &Listing) -> std::result::Result<(), ProbeError> {
        self.insts.clone_from(&listing.insts);
        self.files.clone_from(&listing.files);
        self.buffers = vec![VecDeque::new(); listing.warp_slots];
        self.cycle = self.window.map_or(0, |window| window.from);
        writeln!(self.out, "Kanata\t0004\nC=\t{}", self.cycle).map_err(super::perfetto::failed)
    }

    fn more(&mut self, insts: &[InstDef]) {
        self.insts.extend_from_slice(insts);
    }

    fn wants_pipeline(&self) -> bool {
        true
    }

    fn slots(&mut self, _cycle: u64, _slots: Slots) {}

    fn event(&mut self, cycle: u64, event: &Event) {
        if self.failed.is_none() {
            self.failed = self.write(cycle, event).err();
        }
    }

    fn end(&mut self, cycles: u64) -> std::result::Result<(), ProbeError> {
        super::perfetto::check_window(self.window, cycles)?;
        if self.failed.is_none() {
            self.failed = self.finish(cycles).err();
        }
        self.failed
            .take()
            .map_or(Ok(()), |error| Err(super::perfetto::failed(error)))
    }
}
