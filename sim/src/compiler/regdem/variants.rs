//! What there is to choose from: how far to demote, and in which way (RegDem 3 and 4).

use super::compact::Compaction;
use super::{Amount, Cleanup, Options, Strategy};
use crate::machine::Limits;
use crate::scheme::{CtaShape, Occupancy};

/// Register counts below `regs` at which one CTA more fits, highest first, as far as registers limit: the steps of occupancy
/// (RegDem 1). On Maxwell the last is at least 32, below which demotion has nothing to offer.
pub fn steps(limits: &Limits, cta: CtaShape, regs: u16) -> Vec<u16> {
    let ctas =
        |regs: u16| Occupancy::with_regs(limits, cta, limits.rounded_regs(regs)).map(|o| o.ctas);
    let mut most = ctas(regs).unwrap_or(0);
    let mut steps = Vec::new();
    for target in (1..regs).rev() {
        if let Ok(ctas) = ctas(target)
            && ctas > most
        {
            most = ctas;
            steps.push(target);
        }
    }
    steps
}

/// The ways to demote by `amount`: each strategy with each clean-up, and with all clean-ups the bank-aware compaction.
pub fn ways(amount: Amount) -> Vec<Options> {
    let mut ways = Vec::new();
    for strategy in Strategy::ALL {
        let plain = Cleanup::ALL.map(|cleanup| (cleanup, Compaction::Plain));
        let aware = [(Cleanup::Substitute, Compaction::BankAware)];
        for (cleanup, compaction) in plain.into_iter().chain(aware) {
            ways.push(Options {
                amount,
                strategy,
                compaction,
                cleanup,
            });
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;

    #[test]
    fn maxwell_holds_all_threads_with_32_registers_and_ever_fewer_with_more() {
        let limits = Machine::preset("maxwell").unwrap().limits;
        let cta = CtaShape {
            threads: 256,
            scratchpad_bytes: 0,
        };
        // 65536 registers over 8, 7, 6 and 5 CTAs of 256 threads, in multiples of 8.
        assert_eq!(steps(&limits, cta, 64), [48, 40, 32]);
        assert!(steps(&limits, cta, 32).is_empty());
    }
}
