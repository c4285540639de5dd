//! The curve: live registers over instructions, executed or in program order.

use super::{Row, rows};
use crate::compiler::liveness::{Liveness, Point};
use crate::kernel::Kernel;

/// Live registers, instruction by instruction.
pub struct Curve {
    /// What each instruction needs, in order.
    pub live: Vec<usize>,
    /// Registers of the kernel, at least 1.
    pub allocated: usize,
    /// `executed` or `in program order`.
    pub order: &'static str,
}

impl Curve {
    /// The curve over `executed`, or over the text.
    pub fn new(kernel: &Kernel, liveness: &Liveness, executed: Option<&[Point]>) -> Self {
        let rows = rows(kernel, liveness, None);
        // Where each block starts in the text.
        let mut starts = Vec::with_capacity(kernel.blocks.len());
        let mut next = 0;
        for block in &kernel.blocks {
            starts.push(next);
            next += block.insts.len();
        }
        let needed = |row: &Row| row.needed;
        let live = match executed {
            Some(points) => (points.iter())
                .map(|point| needed(&rows[starts[point.block.0 as usize] + point.inst]))
                .collect(),
            None => rows.iter().map(needed).collect(),
        };
        Curve {
            live,
            allocated: liveness.domain().regs().max(1),
            order: match executed {
                Some(_) => "executed",
                None => "in program order",
            },
        }
    }

    /// Mean number of live registers.
    pub fn mean(&self) -> f64 {
        self.live.iter().sum::<usize>() as f64 / self.live.len().max(1) as f64
    }

    /// The least and the most of at most `columns` parts of equal length.
    pub fn columns(&self, columns: usize) -> Vec<(usize, usize)> {
        let (count, columns) = (self.live.len(), columns.min(self.live.len()));
        (0..columns)
            .map(|column| {
                let part = &self.live[column * count / columns..(column + 1) * count / columns];
                let least = part.iter().min().copied().unwrap_or(0);
                (least, part.iter().max().copied().unwrap_or(0))
            })
            .collect()
    }

    /// Points of a line, number of the instruction and live registers: all of them, or where they are more than
    /// `2 * columns`, of each part the least and the most.
    pub fn line(&self, columns: usize) -> Vec<(usize, usize)> {
        let count = self.live.len();
        let all = || self.live.iter().copied().enumerate();
        if count <= 2 * columns {
            return all().collect();
        }
        let mut points = Vec::with_capacity(2 * columns);
        for column in 0..columns {
            let from = column * count / columns;
            let part = || all().skip(from).take((column + 1) * count / columns - from);
            let least = part().min_by_key(|point| point.1).unwrap_or((from, 0));
            let most = part().max_by_key(|point| point.1).unwrap_or((from, 0));
            points.extend([least.min(most), least.max(most)]);
        }
        points.dedup();
        points
    }
}
