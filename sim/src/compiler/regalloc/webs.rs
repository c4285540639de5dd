//! Splits virtual registers into webs.
//!
//! A web is a largest set of definitions of one register that are tied by common uses: the unit that needs one
//! place. Two values that happen to share a name in the source become two registers here.

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;

use super::AllocError;
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Domain;
use crate::kernel::op::{Op, Ty};
use crate::kernel::{BlockId, Dst, Inst, Kernel, Operand, RegSpace};

/// Renames the registers and predicates of `kernel` so that each is one web, numbered by first definition in program
/// order.
///
/// # Errors
/// When there are more webs than register numbers.
pub fn split(kernel: &mut Kernel, cfg: &Cfg) -> Result<(), AllocError> {
    let domain = Domain::of(kernel);
    let definitions = Definitions::of(kernel, &domain);
    let reaching = definitions.reaching(kernel, cfg, &domain);

    let mut webs = UnionFind::<usize>::new(definitions.variable.len().max(1));
    definitions.visit(kernel, &domain, &reaching, |current, inst| {
        domain.for_uses(inst, |bit| {
            let mut tied = definitions.of_variable[bit]
                .iter()
                .copied()
                .filter(|&d| current.contains(d));
            if let Some(first) = tied.next() {
                tied.for_each(|d| {
                    webs.union(first, d);
                });
            }
        });
    });
    let names = Names::new(&definitions, &mut webs, &domain)?;

    let mut renamed = Vec::new();
    definitions.visit(kernel, &domain, &reaching, |current, inst| {
        let name = |bit: usize| {
            let tied = definitions.of_variable[bit].iter();
            match tied.copied().find(|&d| current.contains(d)) {
                Some(d) => names.of_definition[d],
                None => names.undefined(bit, &domain),
            }
        };
        renamed.push(rename_uses(inst, &domain, name));
    });
    let mut renamed = renamed.into_iter();
    let mut next_definition = 0;
    for inst in kernel.blocks.iter_mut().flat_map(|b| &mut b.insts) {
        let uses = renamed.next().expect("one for each instruction");
        inst.srcs = uses.srcs;
        inst.guard = uses.guard;
        for dst in &mut inst.dsts {
            let name = names.of_definition[next_definition];
            match dst {
                Dst::Reg(r) => r.index = name,
                Dst::Pred(p) => p.0 = name,
            }
            next_definition += 1;
        }
    }
    kernel.regs = RegSpace::Virtual {
        regs: names.regs,
        preds: names.preds,
    };
    Ok(())
}

fn rename_uses(inst: &Inst, domain: &Domain, name: impl Fn(usize) -> u16) -> Inst {
    let mut renamed = inst.clone();
    for src in &mut renamed.srcs {
        match src {
            Operand::Reg(r) => r.index = name(usize::from(r.index)),
            Operand::Pred { pred, .. } => pred.0 = name(domain.pred_bit(*pred)),
            _ => {}
        }
    }
    if let Some(guard) = &mut renamed.guard {
        guard.pred.0 = name(domain.pred_bit(guard.pred));
    }
    renamed
}

/// Every definition, numbered in program order.
struct Definitions {
    /// Which bit of the domain each defines.
    variable: Vec<usize>,
    /// The definitions of each bit, ascending.
    of_variable: Vec<Vec<usize>>,
    /// Number of the first definition of each block.
    first_in_block: Vec<usize>,
}

impl Definitions {
    fn of(kernel: &Kernel, domain: &Domain) -> Self {
        let mut all = Definitions {
            variable: Vec::new(),
            of_variable: vec![Vec::new(); domain.len()],
            first_in_block: Vec::new(),
        };
        for block in &kernel.blocks {
            all.first_in_block.push(all.variable.len());
            for dst in block.insts.iter().flat_map(|i| &i.dsts) {
                let bit = bit_of(dst, domain);
                all.of_variable[bit].push(all.variable.len());
                all.variable.push(bit);
            }
        }
        all
    }

    /// The definitions that reach the start of each block.
    fn reaching(&self, kernel: &Kernel, cfg: &Cfg, domain: &Domain) -> Vec<FixedBitSet> {
        let mut reaching = vec![FixedBitSet::with_capacity(self.variable.len()); cfg.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for &block in cfg.reverse_postorder() {
                let mut current = reaching[block.0 as usize].clone();
                let mut next = self.first_in_block[block.0 as usize];
                for inst in &kernel.blocks[block.0 as usize].insts {
                    self.step(inst, domain, &mut next, &mut current);
                }
                for succ in cfg.succs(block) {
                    let into = &mut reaching[succ.0 as usize];
                    if !current.is_subset(into) {
                        into.union_with(&current);
                        changed = true;
                    }
                }
            }
        }
        reaching
    }

    /// Calls `f` with the definitions that reach each instruction, in program order.
    fn visit(
        &self,
        kernel: &Kernel,
        domain: &Domain,
        reaching: &[FixedBitSet],
        mut f: impl FnMut(&FixedBitSet, &Inst),
    ) {
        for (b, block) in kernel.blocks.iter().enumerate() {
            let mut current = reaching[b].clone();
            let mut next = self.first_in_block[b];
            for inst in &block.insts {
                f(&current, inst);
                self.step(inst, domain, &mut next, &mut current);
            }
        }
    }

    fn step(&self, inst: &Inst, domain: &Domain, next: &mut usize, current: &mut FixedBitSet) {
        for dst in &inst.dsts {
            if inst.guard.is_none() {
                for &d in &self.of_variable[bit_of(dst, domain)] {
                    current.set(d, false);
                }
            }
            current.insert(*next);
            *next += 1;
        }
    }
}

fn bit_of(dst: &Dst, domain: &Domain) -> usize {
    match dst {
        Dst::Reg(r) => usize::from(r.index),
        Dst::Pred(p) => domain.pred_bit(*p),
    }
}

/// New numbers of the webs.
struct Names {
    of_definition: Vec<u16>,
    regs: u16,
    preds: u16,
    /// First number for registers that are read but nowhere written.
    first_undefined: [usize; 2],
}

impl Names {
    fn new(
        definitions: &Definitions,
        webs: &mut UnionFind<usize>,
        domain: &Domain,
    ) -> Result<Self, AllocError> {
        let mut name_of_root = vec![None; definitions.variable.len()];
        let mut of_definition = Vec::with_capacity(definitions.variable.len());
        let mut next = [0usize; 2];
        for (d, &bit) in definitions.variable.iter().enumerate() {
            let class = usize::from(bit >= domain.regs());
            let name = *name_of_root[webs.find_mut(d)].get_or_insert_with(|| {
                next[class] += 1;
                next[class] - 1
            });
            of_definition.push(name as u16);
        }
        let regs = next[0] + domain.regs();
        let preds = next[1] + domain.preds();
        if regs.max(preds) > usize::from(u16::MAX) {
            return Err(AllocError::TooManyValues {
                values: regs.max(preds),
            });
        }
        Ok(Names {
            of_definition,
            regs: regs as u16,
            preds: preds as u16,
            first_undefined: next,
        })
    }

    fn undefined(&self, bit: usize, domain: &Domain) -> u16 {
        let name = match bit.checked_sub(domain.regs()) {
            None => self.first_undefined[0] + bit,
            Some(pred) => self.first_undefined[1] + pred,
        };
        name as u16
    }
}

/// Whether the instruction copies a whole register or predicate, and which: destination, source.
pub fn copy_of(inst: &Inst) -> Option<(Dst, Operand)> {
    let whole = |ty| {
        !matches!(
            ty,
            Ty::B8 | Ty::U8 | Ty::S8 | Ty::B16 | Ty::U16 | Ty::S16 | Ty::F16 | Ty::Bf16
        )
    };
    match (inst.op, inst.dsts.as_slice(), inst.srcs.as_slice()) {
        (Op::Mov(ty), [Dst::Reg(d)], [Operand::Reg(s)]) if whole(ty) && d.width == s.width => {
            Some((inst.dsts[0], inst.srcs[0]))
        }
        (Op::Mov(Ty::Pred), [Dst::Pred(_)], [Operand::Pred { negated: false, .. }]) => {
            Some((inst.dsts[0], inst.srcs[0]))
        }
        _ => None,
    }
    .filter(|_| inst.guard.is_none())
}

/// Blocks in program order, for callers that index by number.
pub fn block_ids(kernel: &Kernel) -> impl Iterator<Item = BlockId> + use<> {
    (0..kernel.blocks.len() as u32).map(BlockId)
}
