//! Chrome trace events as JSON, which Perfetto and `chrome://tracing` show. A cycle is a microsecond.
//!
//! Process 1 has a track per warp slot: a slice per instruction that issued, and between them slices by what the warp waits for.
//! Process 2 has a track per CTA slot, a slice per CTA. Counters: resident warps and CTAs, what is held of the shared pool, packs
//! mapped. A flow goes from where something was given back to the instruction of a refused warp that got it.

use crate::kernel::Line;
use crate::kernel::ptx::Files;
use crate::observe::cause::Cause;
use crate::observe::probe::ProbeError;
use crate::observe::watch::{Event, InstDef, Listing, Slots, States, Thing, Watcher};
use crate::observe::wave::Window;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Result, Write};

const WARPS: u32 = 1;
const CTAS: u32 = 2;

/// A slice that has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    since: u64,
    /// Index of [`States::names`].
    state: usize,
    pc: u32,
}

/// What is known of a warp slot.
#[derive(Clone, Copy, Debug, Default)]
struct Warp {
    open: Option<Open>,
    /// Start of its last slice.
    last: Option<u64>,
    issued_at: Option<u64>,
    /// Refused, and not issued since.
    waits: bool,
}

/// Writes a trace while a kernel runs.
pub struct Perfetto<W: Write + Send> {
    out: W,
    window: Option<Window>,
    insts: Vec<InstDef>,
    files: Files,
    warps_per_cta: usize,
    warps: Vec<Warp>,
    /// CTA number and start, by CTA slot.
    ctas: BTreeMap<usize, (u64, u64)>,
    resident: Option<u64>,
    packs: Option<u64>,
    held: BTreeSet<(Thing, usize)>,
    /// Who gave a thing back last: track and time.
    given_back: BTreeMap<Thing, (usize, u64)>,
    flows: u64,
    failed: Option<std::io::Error>,
}

/// A file that cannot be written.
pub(super) fn failed(error: std::io::Error) -> ProbeError {
    ProbeError(format!("cannot write the timeline: {error}"))
}

/// A window behind the end of the run.
pub(super) fn check_window(
    window: Option<Window>,
    cycles: u64,
) -> std::result::Result<(), ProbeError> {
    match window {
        Some(window) if window.from >= cycles => Err(ProbeError(format!(
            "the timeline's window begins at cycle {}, but the run ended after {cycles} cycles; begin it earlier",
            window.from
        ))),
        _ => Ok(()),
    }
}

impl<W: Write + Send> Perfetto<W> {
    /// A trace of the window into `out`.
    pub fn new(out: W, window: Option<Window>) -> Self {
        Perfetto {
            out,
            window,
            insts: Vec::new(),
            files: Files::default(),
            warps_per_cta: 1,
            warps: Vec::new(),
            ctas: BTreeMap::new(),
            resident: None,
            packs: None,
            held: BTreeSet::new(),
            given_back: BTreeMap::new(),
            flows: 0,
            failed: None,
        }
    }

    fn put(&mut self, event: &Value) -> Result<()> {
        self.out.write_all(b",\n")?;
        serde_json::to_writer(&mut self.out, event)?;
        Ok(())
    }

    fn name(&mut self, pid: u32, tid: Option<usize>, name: &str) -> Result<()> {
        let what = if tid.is_some() {
            "thread_name"
        } else {
            "process_name"
        };
        let tid = tid.unwrap_or(0);
        self.put(&json!({"ph": "M", "name": what, "pid": pid, "tid": tid, "args": {"name": name}}))
    }

    /// The part of a slice in the window.
    fn clip(&self, from: u64, until: u64) -> Option<(u64, u64)> {
        let (from, until) = match self.window {
            Some(window) => (from.max(window.from), until.min(window.until)),
            None => (from, until),
        };
        (from < until).then_some((from, until))
    }

    /// Program counter or address of an instruction, line, and the file where there are several.
    fn place(&self, pc: u32) -> Value {
        let inst = self.insts.get(pc as usize);
        let line = inst.map_or(Line(0), |inst| inst.line);
        if let Some(address) = inst.and_then(|inst| inst.address) {
            return match line {
                Line(0) => json!({"pc": address}),
                Line(line) => json!({"pc": address, "line": line}),
            };
        }
        match self.files.place(line) {
            Some((file, Line(line))) => json!({"pc": pc, "line": line, "file": &**file}),
            None => json!({"pc": pc, "line": line.0}),
        }
    }

    fn close(&mut self, warp: usize, until: u64) -> Result<()> {
        let Some(open) = self.warps[warp].open.take() else {
            return Ok(());
        };
        let Some((from, until)) = self.clip(open.since, until) else {
            return Ok(());
        };
        self.warps[warp].last = Some(from);
        let name = States::names()[open.state];
        let place = self.place(open.pc);
        self.put(
            &json!({"ph": "X", "cat": "wait", "name": name, "pid": WARPS, "tid": warp, "ts": from,
            "dur": until - from, "args": place}),
        )
    }

    fn counter(&mut self, cycle: u64, name: &str, value: u64) -> Result<()> {
        match self.clip(cycle, cycle + 1) {
            Some(_) => self.put(
                &json!({"ph": "C", "name": name, "pid": WARPS, "ts": cycle, "args": {"value": value}}),
            ),
            None => Ok(()),
        }
    }

    fn write_states(&mut self, cycle: u64, states: &States, pcs: &[u32]) -> Result<()> {
        for warp in 0..self.warps.len() {
            let bit = 1 << warp;
            let state = states.masks.iter().position(|mask| mask & bit != 0);
            if state == Some(Cause::Refused as usize) {
                self.warps[warp].waits = true;
            }
            let new = state
                .filter(|&state| state != Cause::Issued as usize)
                .map(|state| (state, pcs[warp]));
            let open = self.warps[warp].open;
            if open.map(|open| (open.state, open.pc)) != new {
                self.close(warp, cycle)?;
                self.warps[warp].open = new.map(|(state, pc)| Open {
                    since: cycle,
                    state,
                    pc,
                });
            }
        }
        let resident = states.masks.iter().fold(0, |all, mask| all | mask);
        if self.resident != Some(resident) {
            self.resident = Some(resident);
            self.counter(cycle, "resident warps", resident.count_ones().into())?;
        }
        Ok(())
    }

    fn issued(&mut self, cycle: u64, warp: usize, pc: u32) -> Result<()> {
        self.warps[warp].issued_at = Some(cycle);
        if self.clip(cycle, cycle + 1).is_none() {
            return Ok(());
        }
        self.warps[warp].last = Some(cycle);
        let text = self.insts.get(pc as usize).map_or("", |inst| &*inst.text);
        let event = json!({"ph": "X", "cat": "issue", "name": text, "pid": WARPS, "tid": warp,
            "ts": cycle, "dur": 1, "args": self.place(pc)});
        self.put(&event)
    }

    fn write_held(&mut self, cycle: u64, held: &BTreeSet<(Thing, usize)>) -> Result<()> {
        let before = std::mem::replace(&mut self.held, held.clone());
        // Of several possible holders, the one that issued.
        let issuer = |warps: &[Warp], thing: &Thing, warp: usize| {
            let mut may_hold = warp..(warp + usize::from(thing.holders)).min(warps.len());
            may_hold.find(|&warp| warps[warp].issued_at == Some(cycle))
        };
        for (thing, warp) in before.difference(held) {
            let giver = issuer(&self.warps, thing, *warp);
            let from = giver.unwrap_or(*warp);
            let better = giver.is_some() || !self.given_back.contains_key(thing);
            if let (Some(last), true) = (self.warps[from].last, better) {
                self.given_back.insert(thing.clone(), (from, last));
            }
        }
        for (thing, warp) in held.difference(&before) {
            let Some(warp) = issuer(&self.warps, thing, *warp) else {
                continue;
            };
            let waited = self.warps[warp].waits;
            let Some((from, since)) = self.given_back.remove(thing) else {
                continue;
            };
            if waited && from != warp && self.clip(cycle, cycle + 1).is_some() {
                self.flows += 1;
                let id = self.flows;
                let (name, cat) = (thing.what.clone(), "wakes");
                self.put(&json!({"ph": "s", "id": id, "name": name, "cat": cat, "pid": WARPS, "tid": from, "ts": since}))?;
                self.put(&json!({"ph": "f", "bp": "e", "id": id, "name": name, "cat": cat, "pid": WARPS, "tid": warp, "ts": cycle}))?;
            }
        }
        let things = |held: &BTreeSet<(Thing, usize)>| {
            held.iter()
                .map(|(thing, _)| thing)
                .collect::<BTreeSet<_>>()
                .len() as u64
        };
        let (old, new) = (things(&before), things(held));
        if old != new {
            self.counter(cycle, "held of the shared pool", new)?;
        }
        Ok(())
    }

    fn cta_ended(&mut self, cycle: u64, slot: usize) -> Result<()> {
        let Some((number, since)) = self.ctas.remove(&slot) else {
            return Ok(());
        };
        let Some((from, until)) = self.clip(since, cycle) else {
            return Ok(());
        };
        self.put(&json!({"ph": "X", "cat": "cta", "name": format!("CTA {number}"), "pid": CTAS, "tid": slot,
            "ts": from, "dur": until - from, "args": {"first_warp_slot": slot * self.warps_per_cta}}))
    }

    fn write(&mut self, cycle: u64, event: &Event) -> Result<()> {
        match event {
            Event::States { states, pcs } => self.write_states(cycle, states, pcs),
            Event::Issued { warp, pc, .. } => self.issued(cycle, *warp, *pc),
            Event::IssueDone { held, packs } => {
                if let Some(held) = held {
                    self.write_held(cycle, held)?;
                }
                for warp in &mut self.warps {
                    warp.waits &= warp.issued_at != Some(cycle);
                }
                match packs {
                    Some(packs) if self.packs != Some(*packs) => {
                        self.packs = Some(*packs);
                        self.counter(cycle, "packs mapped", *packs)
                    }
                    _ => Ok(()),
                }
            }
            Event::CtaStarted { slot, number } => {
                self.ctas.insert(*slot, (*number, cycle));
                self.counter(cycle, "resident CTAs", self.ctas.len() as u64)
            }
            Event::CtaEnded { slot } => {
                self.cta_ended(cycle, *slot)?;
                self.counter(cycle, "resident CTAs", self.ctas.len() as u64)
            }
            _ => Ok(()),
        }
    }

    fn finish(&mut self, cycles: u64) -> Result<()> {
        for warp in 0..self.warps.len() {
            self.close(warp, cycles)?;
        }
        let slots: Vec<usize> = self.ctas.keys().copied().collect();
        for slot in slots {
            self.cta_ended(cycles, slot)?;
        }
        self.out.write_all(b"\n]}\n")?;
        self.out.flush()
    }

    fn write_names(&mut self, listing: &Listing) -> Result<()> {
        self.out
            .write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")?;
        let first = json!({"ph": "M", "name": "process_name", "pid": WARPS, "tid": 0, "args": {"name": "warps (1 us is 1 cycle)"}});
        serde_json::to_writer(&mut self.out, &first)?;
        self.name(CTAS, None, "CTAs")?;
        for warp in 0..listing.warp_slots {
            self.name(WARPS, Some(warp), &format!("warp {warp:02}"))?;
        }
        for slot in 0..listing.warp_slots / listing.warps_per_cta.max(1) {
            self.name(CTAS, Some(slot), &format!("CTA slot {slot}"))?;
        }
        Ok(())
    }
}

impl<W: Write + Send> Watcher for Perfetto<W> {
    fn begin(&mut self, listing: &Listing) -> std::result::Result<(), ProbeError> {
        self.insts.clone_from(&listing.insts);
        self.files.clone_from(&listing.files);
        self.warps = vec![Warp::default(); listing.warp_slots];
        self.warps_per_cta = listing.warps_per_cta;
        self.write_names(listing).map_err(failed)
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
        check_window(self.window, cycles)?;
        if self.failed.is_none() {
            self.failed = self.finish(cycles).err();
        }
        self.failed
            .take()
            .map_or(Ok(()), |error| Err(failed(error)))
    }
}
