//! Threads that share the SMs and channels of a span of cycles. Each of them is simulated by one thread and touches only its
//! own state, so the result does not depend on who takes which.

use super::address::Mapper;
use super::decoded::Decoded;
use super::node::Node;
use super::partition::{Partition, Span};
use crate::trace::read::Ahead;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

/// What is to be done.
#[derive(Clone, Copy, Debug)]
pub enum Task {
    /// Channels run a span.
    Channels(Span),
    /// SMs run a span; whether CTAs are left.
    Sms(Span, bool),
}

struct Work {
    task: Task,
    items: Vec<u16>,
}

/// What all threads see.
pub struct Team {
    /// SMs.
    nodes: Vec<Mutex<Node>>,
    /// Channels.
    partitions: Vec<Mutex<Partition>>,
    /// Instructions that were decoded.
    program: RwLock<Vec<Decoded>>,
    mapper: Mapper,
    work: RwLock<Work>,
    /// Counts the tasks that were shared.
    round: AtomicU64,
    /// The next item of the task.
    next: AtomicUsize,
    /// Helpers that take part, and [`OPEN`] while others can join.
    gate: AtomicUsize,
    over: AtomicBool,
    helpers: usize,
}

/// A thread that ended in the middle has left numbers, not broken ones: its end is reported where it is waited for.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Team {
    /// `helpers` threads will join in.
    pub fn new(
        nodes: Vec<Node>,
        partitions: Vec<Partition>,
        mapper: Mapper,
        helpers: usize,
    ) -> Self {
        let span = Span {
            from: 0,
            until: 0,
            begins: false,
        };
        Team {
            nodes: nodes.into_iter().map(Mutex::new).collect(),
            partitions: partitions.into_iter().map(Mutex::new).collect(),
            program: RwLock::new(Vec::new()),
            mapper,
            work: RwLock::new(Work {
                task: Task::Channels(span),
                items: Vec::new(),
            }),
            round: AtomicU64::new(0),
            next: AtomicUsize::new(0),
            gate: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            helpers,
        }
    }

    /// The SMs and the channels again.
    pub fn into_parts(self) -> (Vec<Node>, Vec<Partition>) {
        let node = |mutex: Mutex<Node>| mutex.into_inner().unwrap_or_else(PoisonError::into_inner);
        let partition =
            |mutex: Mutex<Partition>| mutex.into_inner().unwrap_or_else(PoisonError::into_inner);
        (
            self.nodes.into_iter().map(node).collect(),
            self.partitions.into_iter().map(partition).collect(),
        )
    }

    /// An SM, while no task is on.
    pub fn node(&self, index: usize) -> MutexGuard<'_, Node> {
        lock(&self.nodes[index])
    }

    /// A channel, while no task is on.
    pub fn partition(&self, index: usize) -> MutexGuard<'_, Partition> {
        lock(&self.partitions[index])
    }

    /// Adds to the program.
    pub fn extend_program(&self, more: impl FnOnce(&mut Vec<Decoded>)) {
        more(&mut self.program.write().unwrap_or_else(PoisonError::into_inner));
    }

    /// Does a task for some SMs or channels; returns when it is done. It is shared if it is long enough to be worth it.
    pub fn perform(&self, task: Task, items: &[u16]) {
        {
            let mut work = self.work.write().unwrap_or_else(PoisonError::into_inner);
            work.task = task;
            work.items.clear();
            work.items.extend_from_slice(items);
        }
        self.next.store(0, Ordering::Relaxed);
        let (Task::Channels(span) | Task::Sms(span, _)) = task;
        // A busy channel has its slices and its memory to do in each cycle, an SM mostly waits.
        let weight = if matches!(task, Task::Channels(_)) {
            CHANNEL
        } else {
            1
        };
        let amount = items.len() as u64 * (span.until - span.from) * weight;
        if self.helpers == 0 || items.len() < 2 || amount < WORTH_SHARING {
            self.take_part();
            return;
        }
        self.round.fetch_add(1, Ordering::Release);
        self.gate.fetch_or(OPEN, Ordering::AcqRel);
        self.take_part();
        // A helper that has not come by now is not waited for.
        self.gate.fetch_and(!OPEN, Ordering::AcqRel);
        wait_until(|| self.gate.load(Ordering::Acquire) == 0);
    }

    /// Takes items until there are no more.
    fn take_part(&self) {
        let work = self.work.read().unwrap_or_else(PoisonError::into_inner);
        let program = self.program.read().unwrap_or_else(PoisonError::into_inner);
        while let Some(&item) = work.items.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            match work.task {
                Task::Channels(span) => {
                    let mut partition = self.partition(item.into());
                    partition.next = partition.run(span, &self.mapper);
                }
                Task::Sms(span, ctas) => {
                    let mut node = self.node(item.into());
                    node.next = node.run(span.from, span.until, ctas, &program);
                }
            }
        }
    }

    /// What a helper does until the team is told that it is over: it reads ahead, or takes part.
    pub fn help(&self, ahead: &Ahead<'_>) {
        let mut seen = 0;
        loop {
            wait_until(|| {
                self.over.load(Ordering::Acquire)
                    || ahead.wants()
                    || self.gate.load(Ordering::Acquire) >= OPEN
                        && self.round.load(Ordering::Acquire) != seen
            });
            if self.over.load(Ordering::Acquire) {
                return;
            }
            if ahead.work() {
                continue;
            }
            let gate = self.gate.load(Ordering::Acquire);
            let entered = gate >= OPEN
                && self.round.load(Ordering::Acquire) != seen
                && (self.gate)
                    .compare_exchange(gate, gate + 1, Ordering::AcqRel, Ordering::Relaxed)
                    .is_ok();
            if entered {
                let _inside = Inside(&self.gate);
                seen = self.round.load(Ordering::Acquire);
                self.take_part();
            } else {
                // Another one reads.
                std::thread::yield_now();
            }
        }
    }

    /// Lets the helpers go, also when the one who leads ends early.
    pub fn lead<T>(&self, work: impl FnOnce(&Team) -> T) -> T {
        let _over = Over(&self.over);
        work(self)
    }
}

/// How many SMs a channel is worth. // assumed
const CHANNEL: u64 = 20;
/// SMs times cycles from which on a task is shared.
const WORTH_SHARING: u64 = 512;
/// Set in the gate while helpers can join.
const OPEN: usize = 1 << 16;

/// Waits for a moment that comes soon: first busily, then with the processor left to others.
fn wait_until(done: impl Fn() -> bool) {
    let mut turns = 0u32;
    while !done() {
        turns = turns.saturating_add(1);
        match turns < 200 {
            true => std::hint::spin_loop(),
            false => std::thread::yield_now(),
        }
    }
}

/// A helper that takes part, until it is through or ends early.
struct Inside<'a>(&'a AtomicUsize);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}
