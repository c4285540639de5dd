//! A block inside another one that is computed only when there is something to compute.

use rust_hdl::core::ast::Verilog;
use rust_hdl::core::probe::Probe;
use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;
use std::ops::{Deref, DerefMut};

pub use regshare_hw_macros::Inputs;

/// The inputs of a block, by `#[derive(Inputs)]`.
pub trait Inputs {
    /// Whether an input, the clock among them, has another value than the block was computed with.
    fn pending(&self) -> bool;
}

/// A block of which nothing is computed while its inputs stay and all in it has settled. rust-hdl computes all blocks in every pass,
/// however little of a design has changed.
///
/// What is computed is the same: all that a block does follows from its inputs and from what changed in the pass before. In the
/// Verilog, in its names and in waveforms it does not appear.
#[derive(Clone, Debug, Default)]
pub struct Lazy<B> {
    // Boxed: what is built of such blocks is built on the stack, and the largest would not fit into that of a thread.
    block: Box<B>,
    settled: bool,
}

impl<B> Lazy<B> {
    /// `block`, not computed yet.
    pub fn new(block: B) -> Self {
        Self {
            block: Box::new(block),
            settled: false,
        }
    }
}

impl<B> Deref for Lazy<B> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.block
    }
}

impl<B> DerefMut for Lazy<B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.block
    }
}

impl<B: Logic> Logic for Lazy<B> {
    fn update(&mut self) {
        self.block.update();
    }

    fn connect(&mut self) {
        self.block.connect();
    }

    fn hdl(&self) -> Verilog {
        self.block.hdl()
    }

    fn timing(&self) -> Vec<TimingInfo> {
        self.block.timing()
    }
}

impl<B: Block + Inputs> Block for Lazy<B> {
    fn connect_all(&mut self) {
        self.block.connect_all();
    }

    fn update_all(&mut self) {
        if !self.settled || self.block.pending() {
            self.block.update_all();
            self.settled = !self.block.has_changed();
        }
    }

    fn has_changed(&self) -> bool {
        !self.settled
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.block.accept(name, probe);
    }
}
