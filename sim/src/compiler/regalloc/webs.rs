//! Splits virtual registers into webs.
//!
//! A web is a largest set of definitions of one register that are tied by common uses: the unit that needs one
//! place. Two values that happen to share a name in the source become two registers here.

use petgraph::unionfind::UnionFind;

use super::AllocError;
use crate::compiler::cfg::Cfg;
use crate::compiler::definitions::Definitions;
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
    let reaching = definitions.reaching(kernel, cfg);

    let mut webs = UnionFind::<usize>::new(definitions.variable.len().max(1));
    definitions.visit(kernel, &reaching, |current, inst, _| {
        domain.for_uses(inst, |bit| {
            let mut tied = definitions.reaching_of(bit, current);
            if let Some(first) = tied.next() {
                tied.for_each(|d| {
                    webs.union(first, d);
                });
            }
        });
    });
    let names = Names::new(&definitions, &mut webs, &domain)?;

    let mut renamed = Vec::new();
    definitions.visit(kernel, &reaching, |current, inst, _| {
        let name = |bit: usize| match definitions.reaching_of(bit, current).next() {
            Some(d) => names.of_definition[d],
            None => names.undefined(bit, &domain),
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
        definitions: &Definitions<'_>,
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
