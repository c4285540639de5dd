//! Traces without any structure, with fewer registers than they name.

use super::random::{Seen, text};
use super::*;
use crate::compiler::regalloc::{Origin, is_load, is_store};
use crate::compiler::respill::{checker, respill};
use crate::kernel::Inst;

/// To fewer registers than the trace names, down to what the longest instruction needs; proved, and each value where it belongs.
/// All that is stored for a spilled value and loaded again is checked by the sum over all that is read.
#[test]
fn respilled_traces_have_every_value_where_it_belongs() {
    let schemes = ["baseline", "rfv", "regmutex"];
    let schemes = schemes.map(|name| by_name(name, SchemeOptions::default()).expect("exists"));
    let (mut ran, mut local) = (0, 0);
    for seed in 0..24 {
        let trace = Trace::new(text(seed));
        let kernel = &trace.lifted.kernel;
        for cap in [24, 16, 12, 10, 8] {
            let Ok(fewer) = respill(kernel, cap) else {
                continue;
            };
            checker::check(kernel, &fewer)
                .unwrap_or_else(|error| panic!("seed {seed}, {cap}: {error}"));
            let mut other = Trace::new(trace.text.clone());
            other.lifted.kernel = fewer.kernel;
            for scheme in &schemes {
                let name = scheme.name();
                let plan = other.plan(scheme.as_ref(), &gtx480()).expect("is planned");
                let result = other
                    .follow(&plan, &gtx480(), &RunOptions::default())
                    .unwrap_or_else(|error| panic!("seed {seed}, {cap}, {name}: {error}"));
                let expected = Some(trace.lifted.expected);
                assert_eq!(result.followed, expected, "seed {seed}, {cap}, {name}");
                ran += 1;
                local += result.counters.warp_instructions - trace.lifted.expected.insts;
            }
        }
    }
    assert!(ran > 180 && local > 3000, "{ran} runs, {local} accesses");
}

/// A store or a load of a spilled value that is taken away. If the checker says that it is not needed, nothing may be wrong; else the sum
/// shows it, where a warp goes that way with lanes that read the value.
#[test]
fn lost_access_to_a_spilled_value_is_seen() {
    let (mut needed, mut not_needed) = (Seen::default(), Seen::default());
    let scheme = by_name("baseline", SchemeOptions::default()).expect("exists");
    for seed in 0..16 {
        let mut trace = Trace::new(text(seed));
        let kernel = trace.lifted.kernel.clone();
        let Some(fewer) = (8..14).find_map(|cap| respill(&kernel, cap).ok()) else {
            continue;
        };
        for b in 0..fewer.origins.len() {
            for at in [is_load as fn(&Inst) -> bool, is_store]
                .into_iter()
                .filter_map(|wanted| {
                    (fewer.origins[b].iter().zip(&fewer.kernel.blocks[b].insts))
                        .position(|(origin, inst)| *origin == Origin::Inserted && wanted(inst))
                })
            {
                let mut mutant = fewer.clone();
                mutant.kernel.blocks[b].insts.remove(at);
                mutant.origins[b].remove(at);
                let seen = match checker::check(&kernel, &mutant) {
                    Ok(()) => &mut not_needed,
                    Err(_) => &mut needed,
                };
                trace.lifted.kernel = mutant.kernel;
                let plan = trace.plan(scheme.as_ref(), &gtx480()).expect("is planned");
                seen.count(&trace, &plan);
            }
        }
    }
    let harmless = Seen {
        not: not_needed.not,
        ..Seen::default()
    };
    assert_eq!(not_needed, harmless);
    assert!(needed.by_the_sum > 60, "{needed:?}");
}
