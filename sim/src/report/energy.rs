//! Energy of the register file, split as in Figure 12 of RFV: reads and writes, leakage, the renaming table, the words of release
//! flags.
//!
//! Counted events times constants of 40 nm (RFV, Table 2). The register file of 128 KiB is 4 banks of 8 sub-banks of 4 KiB; a
//! warp's access touches all 8 sub-banks of a bank. Table 2 gives the energy of one sub-bank.

use crate::machine::Machine;
use crate::scheme::Plan;
use crate::sm::RunResult;
use regshare_hw::manager::ManagerSpec;
use regshare_hw::rfv::cost::{CtaThrottleBits, FlagCacheBits, availability_bits};
use regshare_hw::rfv::release_flag_cache::PC_BITS;
use serde::{Deserialize, Serialize};

/// Packs in the 32 sub-banks of 4 KiB: 128 KiB.
const TABLE2_PACKS: f64 = 1024.0;
/// Sub-banks that a warp's access touches (RFV 7.1).
const SUB_BANKS_PER_ACCESS: f64 = 8.0;
/// Sub-banks of 128 KiB.
const SUB_BANKS: f64 = 32.0;
/// Bits of the table of 1 KiB, in four banks.
const TABLE2_BITS: f64 = 8192.0;
/// Banks of the renaming table, all looked up by a walk in each of its cycles.
const TABLE_BANKS: f64 = 4.0;

/// Energy per event, and leakage. The defaults are the paper's, 40 nm and 0.96 V.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyConstants {
    /// Access to one sub-bank of 4 KiB, pJ (Table 2).
    pub register_access_pj: f64,
    /// Leakage of one sub-bank of 4 KiB, mW (Table 2).
    pub register_leakage_mw: f64,
    /// Access to one bank of the renaming table, pJ (Table 2: of 1 KiB; the whole table's is taken to be the same, assumed).
    pub table_access_pj: f64,
    /// Leakage of one of the four banks of a renaming table of 1 KiB, mW (Table 2); of other sizes in proportion (assumed).
    pub table_leakage_mw: f64,
    /// By how much an access to half the register file takes less, 0 ..= 1 (Figure 7: 20 %); in between in proportion (assumed).
    pub half_file_saving: f64,
    /// Fetching and decoding a word of flags, pJ. // assumed: as reading 64 bits twice from 4 KiB; the paper took it from
    /// GPUWattch and does not print it.
    pub word_pj: f64,
    /// A look-up in the cache of release flags, pJ. // assumed: in proportion to its bits beside a bank of the table
    pub flag_cache_access_pj: f64,
}

impl Default for EnergyConstants {
    fn default() -> Self {
        EnergyConstants {
            register_access_pj: 4.68,
            register_leakage_mw: 2.8,
            table_access_pj: 1.14,
            table_leakage_mw: 0.27,
            half_file_saving: 0.2,
            word_pj: 2.0 * 4.68,
            flag_cache_access_pj: 1.14 * 540.0 / 2048.0,
        }
    }
}

/// Energy of a run, in nJ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyRecord {
    /// Reads and writes of packs.
    pub dynamic_nj: f64,
    /// Leakage of the packs that the file has; without renaming nothing sleeps, with it the sub-arrays that have no pack in use and
    /// give the next pack of no bank do.
    pub static_nj: f64,
    /// The same if nothing slept.
    pub static_ungated_nj: f64,
    /// Look-ups, updates and leakage of the renaming table.
    pub table_nj: f64,
    /// Words of release flags fetched and decoded, and the cache of flags.
    pub flags_nj: f64,
    /// `dynamic_nj + static_nj + table_nj + flags_nj`.
    pub total_nj: f64,
}

/// The energy of a run on `machine`, of all SMs that took part.
#[must_use]
pub fn energy(
    constants: &EnergyConstants,
    machine: &Machine,
    plan: &Plan,
    result: &RunResult,
) -> EnergyRecord {
    // Of all SMs together: each leaks for as long as the last one runs.
    let sm_cycles = result.cycles as f64 * f64::from(result.sms);
    let seconds = sm_cycles / (f64::from(machine.clock_mhz) * 1e6);
    // mW and seconds to nJ.
    let leaked = |milliwatts: f64| milliwatts * seconds * 1e6;
    let all_packs = f64::from(machine.limits.packs_per_sm);
    let packs = match (result.renaming, plan.manager) {
        // A machine whose file is half of the hardware has no packs beyond.
        (Some(counts), _) => counts.packs as f64,
        (None, _) => all_packs,
    };
    let registers = &result.counters.registers;
    let accesses = (registers.reads + registers.writes) as f64;
    // A file of 1024 packs is the one that Table 2 speaks of; of a machine with more, a part of its own is smaller.
    let smaller = (1.0 - packs / all_packs.max(TABLE2_PACKS)).max(0.0);
    let per_access = SUB_BANKS_PER_ACCESS
        * constants.register_access_pj
        * (1.0 - 2.0 * smaller * constants.half_file_saving);
    let leakage =
        |packs: f64| leaked(SUB_BANKS * constants.register_leakage_mw * packs / TABLE2_PACKS);
    let mut record = EnergyRecord {
        dynamic_nj: accesses * per_access / 1e3,
        static_nj: leakage(packs),
        static_ungated_nj: leakage(packs),
        ..EnergyRecord::default()
    };
    if let (
        Some(counts),
        ManagerSpec::Renaming {
            flag_entries,
            hardware_only,
            ..
        },
    ) = (result.renaming, plan.manager)
    {
        let limits = &machine.limits;
        record.static_nj = leakage(counts.powered_packs as f64 / sm_cycles.max(1.0));
        let mut others = availability_bits(limits.packs_per_sm.into());
        let mut flag_bits = 0;
        if !hardware_only {
            flag_bits = FlagCacheBits::new(flag_entries.into(), PC_BITS.into()).flags;
            let throttle =
                CtaThrottleBits::new(limits.ctas_per_sm.into(), limits.packs_per_sm.into());
            others += flag_bits + throttle.counters;
        }
        let table_bits = u64::from(plan.storage_bits).saturating_sub(others) as f64;
        let table_leakage = TABLE_BANKS * constants.table_leakage_mw;
        let table_accesses =
            (counts.lookups + counts.updates) as f64 + TABLE_BANKS * counts.walk_cycles as f64;
        record.table_nj = table_accesses * constants.table_access_pj / 1e3
            + leaked(table_leakage * table_bits / TABLE2_BITS);
        if !hardware_only {
            let decoded = (counts.pir_decoded + counts.pbr_decoded) as f64;
            let cache = match flag_entries {
                0 => 0.0,
                _ => counts.steps as f64 * constants.flag_cache_access_pj,
            };
            record.flags_nj = (decoded * constants.word_pj + cache) / 1e3
                + leaked(table_leakage * flag_bits as f64 / TABLE2_BITS);
        }
    }
    record.total_nj = record.dynamic_nj + record.static_nj + record.table_nj + record.flags_nj;
    record
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled;
    use crate::flow::{self, Setup, Workload};
    use crate::report::RunRecord;
    use crate::scheme::{SchemeOptions, Shrink};
    use crate::sm::RunOptions;

    fn histogram(scheme: &str, options: SchemeOptions) -> RunRecord {
        histogram_on(1, scheme, options)
    }

    fn histogram_on(sms: u16, scheme: &str, options: SchemeOptions) -> RunRecord {
        histogram_of("fermi16", sms, scheme, options)
    }

    fn histogram_of(machine: &str, sms: u16, scheme: &str, options: SchemeOptions) -> RunRecord {
        let kernel = bundled::all()
            .iter()
            .find(|kernel| kernel.name == "histogram");
        let workload = Workload::of_bundled(kernel.expect("there")).expect("opens");
        let compiled = flow::compile(&workload, None).expect("allocates");
        let scheme = flow::scheme(scheme, options).expect("exists");
        let machine = Machine::preset(machine).expect("exists");
        let setup = Setup {
            machine: &machine,
            options: &RunOptions {
                sms,
                ..RunOptions::default()
            },
        };
        let ran = flow::execute(&workload, &compiled, scheme.as_ref(), setup).expect("runs");
        assert_eq!(ran.record.result, "correct", "{}", scheme.name());
        ran.record
    }

    /// 8 x 4.68 pJ per access, and 32 x 2.8 mW for as long as it takes at 700 MHz.
    #[test]
    fn the_baseline_spends_what_the_constants_of_table_2_say() {
        let run = histogram("baseline", SchemeOptions::default());
        let accesses = run.counters.registers.reads + run.counters.registers.writes;
        let dynamic = accesses as f64 * 8.0 * 4.68 / 1000.0;
        let leaked = 32.0 * 2.8e-3 * run.cycles as f64 / 700e6 * 1e9;
        assert!((run.energy.dynamic_nj - dynamic).abs() < 1e-6 * dynamic);
        assert!((run.energy.static_nj - leaked).abs() < 1e-6 * leaked);
        assert_eq!((run.energy.table_nj, run.energy.flags_nj), (0.0, 0.0));
    }

    /// 1024 packs are the half of what one machine has and all that the other has.
    #[test]
    fn half_of_a_file_spends_a_fifth_less_in_an_access() {
        for machine in ["fermi16", "v100"] {
            let [whole, half] = ["rfv", "gpu-shrink"].map(|scheme| {
                let run = histogram_of(machine, 1, scheme, SchemeOptions::default());
                let registers = &run.counters.registers;
                run.energy.dynamic_nj / (registers.reads + registers.writes) as f64
            });
            assert!((half / whole - 0.8).abs() < 1e-9, "{machine}");
        }
    }

    #[test]
    fn of_several_sms_each_leaks_until_the_last_has_ended() {
        let run = histogram_on(3, "baseline", SchemeOptions::default());
        let leaked = 3.0 * 32.0 * 2.8e-3 * run.cycles as f64 / 700e6 * 1e9;
        assert!((run.energy.static_nj - leaked).abs() < 1e-6 * leaked);
        let [one, three] = [1, 3].map(|sms| histogram_on(sms, "rfv", SchemeOptions::default()));
        let powered = |run: &RunRecord| {
            let renaming = run.renaming.as_ref().expect("renames");
            (
                renaming.mean_powered,
                run.energy.static_nj / run.energy.static_ungated_nj,
            )
        };
        for (sub_arrays, part) in [powered(&one), powered(&three)] {
            // Sums of halves of cycles are whole numbers.
            assert!((sub_arrays / 16.0 - part).abs() < 1e-4 && part < 1.0);
        }
        // A table leaks on each SM, and its accesses are those of the same instructions.
        let per_sm_cycle = |run: &RunRecord| {
            run.energy.static_ungated_nj / (run.cycles * u64::from(run.sms)) as f64
        };
        assert!((per_sm_cycle(&one) / per_sm_cycle(&three) - 1.0).abs() < 1e-9);
        assert!(three.energy.table_nj > one.energy.table_nj);
    }

    #[test]
    fn sleeping_sub_arrays_and_a_shrunk_file_save_leakage_and_renaming_costs() {
        let rfv = histogram("rfv", SchemeOptions::default()).energy;
        let shrunk = histogram("gpu-shrink", SchemeOptions::default()).energy;
        assert!(rfv.static_nj < rfv.static_ungated_nj);
        assert!(shrunk.static_ungated_nj < 0.6 * rfv.static_ungated_nj);
        assert!((shrunk.dynamic_nj / rfv.dynamic_nj - 0.8).abs() < 1e-9);
        assert!(rfv.table_nj > 0.0 && rfv.flags_nj > 0.0);
    }

    /// RFV 9.5: the packs of dead registers are not given back, and there are no flags.
    #[test]
    fn hardware_only_renaming_is_correct_and_has_no_words() {
        let run = histogram("rfv-hardware-only", SchemeOptions::default());
        let renaming = run.renaming.expect("renames");
        assert_eq!((renaming.static_pirs, renaming.counts.pir_decoded), (0, 0));
        assert_eq!(run.energy.flags_nj, 0.0);
    }

    #[test]
    fn a_table_too_small_for_all_keeps_the_result_and_maps_fewer_registers() {
        let options = SchemeOptions {
            table_bytes: Some(128),
            ..SchemeOptions::default()
        };
        let small = histogram("rfv", options).renaming.expect("renames").counts;
        let whole = histogram("rfv", SchemeOptions::default());
        let whole = whole.renaming.expect("renames").counts;
        assert!(small.lookups < whole.lookups);
        assert!(small.updates < whole.updates);
    }

    /// RFV 9.2, Figure 11b.
    #[test]
    fn sub_arrays_that_never_sleep_leak_all_the_time() {
        let waking = |wake_up| {
            let options = SchemeOptions {
                wake_up,
                ..SchemeOptions::default()
            };
            histogram("rfv", options)
        };
        let [never, one, ten] = [0, 1, 10].map(waking);
        assert_eq!(never.energy.static_nj, never.energy.static_ungated_nj);
        let powered = |run: &RunRecord| run.energy.static_nj / run.energy.static_ungated_nj;
        assert!(powered(&one) < 0.9 && powered(&ten) < 0.9);
    }

    /// A shrunk file has fewer sub-arrays, and of the last of a bank perhaps a part.
    #[test]
    fn a_shrunk_file_of_which_nothing_sleeps_leaks_as_what_is_there() {
        for (shrink, sub_arrays) in [
            (Shrink::By30, 12.0),
            (Shrink::By40, 12.0),
            (Shrink::By50, 8.0),
        ] {
            let on = |wake_up| {
                let options = SchemeOptions {
                    wake_up,
                    shrink,
                    ..SchemeOptions::default()
                };
                histogram("gpu-shrink", options)
            };
            let (never, one) = (on(0), on(1));
            assert_eq!(never.energy.static_nj, never.energy.static_ungated_nj);
            assert!(one.energy.static_nj < one.energy.static_ungated_nj);
            assert_eq!(never.renaming.expect("renames").mean_powered, sub_arrays);
        }
    }

    /// Each warp decodes a pir as often as it comes to it, and less often where a cache keeps all of them.
    #[test]
    fn without_a_flag_cache_more_words_are_decoded_than_with_ten_entries() {
        let options = SchemeOptions {
            flag_entries: 0,
            ..SchemeOptions::default()
        };
        let without = histogram("rfv", options).renaming.expect("renames");
        let ten = histogram("rfv", SchemeOptions::default());
        let ten = ten.renaming.expect("renames");
        assert!(without.counts.pir_decoded > 2 * ten.counts.pir_decoded);
        assert_eq!(without.counts.pbr_decoded, ten.counts.pbr_decoded);
    }
}
