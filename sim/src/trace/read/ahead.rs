//! CTAs read before they are asked for, by threads that have nothing else to do.
//!
//! A thread cuts the text of a CTA out of the file, in turn, and reads it with a copy of what is known of the program. If that
//! text has nothing new in it and is without a fault, what it read is what a reader in order would have read. Otherwise the one
//! who wants the CTA reads the same text again, in order, so that instructions are numbered, and errors told, as by one thread.

use super::cta::{Ctas, LAST_LINE};
use super::cut_off;
use super::lines::Lines;
use crate::trace::error::{TraceError, TraceErrorKind};
use crate::trace::record::{CtaTrace, Program};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// How far ahead is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// CTAs that wait at once, at most.
    pub ctas: usize,
    /// Bytes of text that wait at once, but for the last CTA; one with more is not read ahead.
    pub bytes: usize,
}

impl Default for Limits {
    /// A whole GPU's worth of short CTAs, or two long ones. // assumed
    fn default() -> Self {
        Limits {
            ctas: 64,
            bytes: 8 << 20,
        }
    }
}

/// The text of a CTA.
struct Text {
    /// Lines before it.
    line: u64,
    bytes: Vec<u8>,
}

/// A CTA that was cut out.
enum Slot {
    /// Somebody reads it.
    Begun,
    /// Read, if it was known and faultless.
    Read(Text, Option<CtaTrace>),
}

/// The slots from the next CTA on.
#[derive(Default)]
struct Slots {
    first: u64,
    slots: VecDeque<Slot>,
    bytes: usize,
}

/// What is known of the program, and how often it has grown.
#[derive(Clone)]
struct Known {
    version: usize,
    ctas: Ctas,
}

/// The part of the file that nobody has cut.
struct Uncut<'a> {
    lines: &'a mut Lines,
    most_bytes: usize,
    /// CTAs left, if somebody is to read ahead.
    left: u64,
    /// The next one must be read from the file itself.
    streams: bool,
}

/// What all threads see.
pub(crate) struct Ahead<'a> {
    format: &'static str,
    limits: Limits,
    is_shared: bool,
    uncut: Mutex<Uncut<'a>>,
    slots: Mutex<Slots>,
    /// The newest one.
    known: Mutex<Option<Arc<Known>>>,
    /// Copies for who reads next.
    copies: Mutex<Vec<Known>>,
    /// Whether there may be something to read; only a hint.
    wants: AtomicBool,
}

/// The one who wants the CTAs, in order.
pub(crate) struct InOrder<'a> {
    path: &'a Path,
    ctas: &'a mut Ctas,
    published: usize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Ahead<'a> {
    /// Over the lines after the head; `left`: CTAs, if several threads read.
    pub fn new(
        lines: &'a mut Lines,
        format: &'static str,
        left: Option<u64>,
        limits: Limits,
    ) -> Self {
        Ahead {
            format,
            limits,
            is_shared: left.is_some(),
            uncut: Mutex::new(Uncut {
                lines,
                most_bytes: limits.bytes,
                left: left.unwrap_or(0),
                streams: false,
            }),
            slots: Mutex::default(),
            known: Mutex::default(),
            copies: Mutex::default(),
            wants: AtomicBool::new(false),
        }
    }

    /// Whether [`Ahead::work`] may find something to do.
    pub fn wants(&self) -> bool {
        self.wants.load(Ordering::Relaxed)
    }

    /// Reads a CTA ahead, if there is one and room for it; false: not now.
    pub fn work(&self) -> bool {
        let mut uncut = match self.uncut.try_lock() {
            Ok(uncut) => uncut,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        let Some(known) = lock(&self.known).clone() else {
            return false;
        };
        {
            let slots = lock(&self.slots);
            let is_full = slots.slots.len() >= self.limits.ctas || slots.bytes >= self.limits.bytes;
            if is_full || uncut.streams || uncut.left == 0 {
                self.wants.store(false, Ordering::Relaxed);
                return false;
            }
        }
        let Some(text) = uncut.cut() else {
            uncut.streams = true;
            return false;
        };
        let mut begun = {
            let mut slots = lock(&self.slots);
            slots.slots.push_back(Slot::Begun);
            slots.bytes += text.bytes.len();
            Begun {
                slots: &self.slots,
                number: slots.first + slots.slots.len() as u64 - 1,
                text,
                read: None,
            }
        };
        drop(uncut);
        let copy = lock(&self.copies).pop();
        let mut copy = copy
            .filter(|copy| copy.version == known.version)
            .unwrap_or_else(|| Known::clone(&known));
        copy.ctas.forget_read();
        let mut lines = begun.text.take_lines();
        let read = copy.ctas.next(&mut lines, self.format);
        begun.text.bytes = lines.into_text();
        if copy.ctas.program().insts.len() == copy.version
            && let Ok(read) = read
        {
            begun.read = read;
            lock(&self.copies).push(copy);
        }
        true
    }
}

impl Uncut<'_> {
    fn cut(&mut self) -> Option<Text> {
        let line = self.lines.number();
        let bytes = self.lines.cut(LAST_LINE, self.most_bytes)?;
        self.left = self.left.saturating_sub(1);
        Some(Text { line, bytes })
    }
}

impl Text {
    /// The lines; the text is empty then.
    fn take_lines(&mut self) -> Lines {
        Lines::after(self.line, std::mem::take(&mut self.bytes))
    }
}

/// A slot that is filled when the one who reads has read, or has given up.
struct Begun<'a> {
    slots: &'a Mutex<Slots>,
    number: u64,
    text: Text,
    read: Option<CtaTrace>,
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        let mut slots = lock(self.slots);
        let index = (self.number - slots.first) as usize;
        let text = Text {
            line: self.text.line,
            bytes: std::mem::take(&mut self.text.bytes),
        };
        slots.slots[index] = Slot::Read(text, self.read.take());
    }
}

impl<'a> InOrder<'a> {
    /// Of the file at `path`, with what is known of it.
    pub fn new(path: &'a Path, ctas: &'a mut Ctas) -> Self {
        InOrder {
            path,
            ctas,
            published: 0,
        }
    }

    /// The static instructions met so far.
    pub fn program(&self) -> &Program {
        self.ctas.program()
    }

    /// The next CTA of the file, or none at its end.
    pub fn next(&mut self, ahead: &Ahead<'_>) -> Result<Option<CtaTrace>, TraceError> {
        if !ahead.is_shared {
            return self.stream(ahead, &mut lock(&ahead.uncut));
        }
        let next = loop {
            let mut slots = lock(&ahead.slots);
            if let Some(slot) = slots.slots.pop_front() {
                match slot {
                    Slot::Read(text, read) => {
                        slots.first += 1;
                        slots.bytes -= text.bytes.len();
                        drop(slots);
                        break self.check(ahead, text, read);
                    }
                    Slot::Begun => {
                        slots.slots.push_front(slot);
                        drop(slots);
                        // Better than to wait.
                        if !ahead.work() {
                            std::thread::yield_now();
                        }
                        continue;
                    }
                }
            }
            drop(slots);
            let mut uncut = lock(&ahead.uncut);
            let mut slots = lock(&ahead.slots);
            if !slots.slots.is_empty() {
                continue;
            }
            slots.first += 1;
            drop(slots);
            match uncut.cut() {
                Some(text) => {
                    drop(uncut);
                    break self.read(ahead, text);
                }
                None => {
                    uncut.streams = false;
                    uncut.left = uncut.left.saturating_sub(1);
                    break self.stream(ahead, &mut uncut);
                }
            }
        };
        self.publish(ahead);
        next
    }

    /// Takes what another has read, if that is all there is to it.
    fn check(
        &mut self,
        ahead: &Ahead<'_>,
        text: Text,
        read: Option<CtaTrace>,
    ) -> Result<Option<CtaTrace>, TraceError> {
        match read {
            Some(cta) if self.ctas.mark_read(cta.index) => Ok(Some(cta)),
            _ => self.read(ahead, text),
        }
    }

    fn read(&mut self, ahead: &Ahead<'_>, mut text: Text) -> Result<Option<CtaTrace>, TraceError> {
        let mut lines = text.take_lines();
        let read = self.ctas.next(&mut lines, ahead.format);
        read.map_err(|kind| self.error(kind, &lines))
    }

    fn stream(
        &mut self,
        ahead: &Ahead<'_>,
        uncut: &mut Uncut<'_>,
    ) -> Result<Option<CtaTrace>, TraceError> {
        let read = self.ctas.next(uncut.lines, ahead.format);
        read.map_err(|kind| self.error(kind, uncut.lines))
    }

    fn error(&self, kind: TraceErrorKind, lines: &Lines) -> TraceError {
        cut_off(kind, lines).at(self.path, lines.number())
    }

    /// Shows the others what is known now.
    fn publish(&mut self, ahead: &Ahead<'_>) {
        let version = self.ctas.program().insts.len();
        if version != self.published {
            self.published = version;
            let ctas = self.ctas.clone();
            *lock(&ahead.known) = Some(Arc::new(Known { version, ctas }));
        }
        ahead.wants.store(true, Ordering::Relaxed);
    }
}
