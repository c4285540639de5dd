//! Which variants of register file virtualization there is hardware of, and on which backend.

use crate::manager::{Backend, Geometry, ManagerSpec, RenamingVariant, build};
use std::collections::BTreeSet;

/// Why a variant is refused: entries of the flag cache, cycles of a wake-up, hardware-only renaming.
fn refusal(
    (flag_entries, wake_up, hardware_only): (u8, u8, bool),
    backend: Backend,
    packs: u16,
) -> String {
    let spec = ManagerSpec::Renaming {
        warps_per_cta: 2,
        regs: 20,
        ctas: 2,
        shrink: 0,
        clocks: 1,
        exempt: 0,
        flag_entries,
        wake_up,
        hardware_only,
        spills: false,
        need: 40,
        most: None,
    };
    let geometry = Geometry {
        warps: 4,
        packs,
        schedulers: 2,
    };
    let refusal = build(spec, geometry, backend).err();
    refusal.map_or(String::new(), |error| error.to_string())
}

#[test]
fn a_wake_up_that_no_power_gate_has_is_refused_and_a_variant_where_there_is_no_hardware_of_it() {
    assert!(refusal((10, 2, false), Backend::Model, 1024).contains("1, 3 and 10"));
    for variant in [(10, 0, false), (0, 0, false), (10, 0, true)] {
        for backend in [Backend::Rtl, Backend::Lockstep, Backend::Verilog] {
            let refusal = refusal(variant, backend, 1024);
            assert!(
                refusal.contains("a wake-up of 0 cycles: there is only a model"),
                "{refusal}"
            );
        }
        assert_eq!(refusal(variant, Backend::Model, 1024), "");
    }
    for packs in [256, 512] {
        assert!(refusal((10, 3, false), Backend::Model, packs).contains("64, 2048 and 32"));
        assert_eq!(refusal((10, 1, false), Backend::Model, packs), "");
    }
}

#[test]
fn every_flag_cache_comes_with_every_wake_up_and_without_flags_there_is_every_wake_up() {
    for packs in [1024, 2048] {
        for wake_up in [1, 3, 10] {
            let caches = [0, 1, 2, 5, 10].map(|entries| (entries, wake_up, false));
            for variant in caches.into_iter().chain([(10, wake_up, true)]) {
                for backend in [Backend::Model, Backend::Rtl, Backend::Lockstep] {
                    assert_eq!(refusal(variant, backend, packs), "", "{variant:?}");
                }
            }
        }
    }
}

/// What is not linked in is made by whoever says how (`verilog::on_demand`); here nobody does.
#[test]
fn verilog_of_every_variant_is_linked_in_or_asked_for_by_its_name() {
    let linked = [
        (0, 1, false),
        (1, 1, false),
        (2, 1, false),
        (5, 1, false),
        (10, 1, false),
        (10, 3, false),
        (10, 10, false),
        (10, 1, true),
    ];
    for of in RenamingVariant::all() {
        let variant = (of.flag_entries, of.wake_up, of.hardware_only);
        let refusal = refusal(variant, Backend::Verilog, of.packs);
        let is_linked = match of.packs {
            1024 => linked.contains(&variant),
            _ => variant == (10, 1, false),
        };
        if !cfg!(feature = "verilog") {
            assert!(refusal.contains("--features verilog"), "{refusal}");
        } else if is_linked {
            assert_eq!(refusal, "", "{of:?}");
        } else {
            let named = format!("`{}` is not among", of.module());
            assert!(refusal.starts_with(&named), "{of:?}: {refusal}");
        }
    }
}

#[test]
fn the_name_of_a_module_says_all_that_differs() {
    for (packs, flag_entries, wake_up, hardware_only, name) in [
        (1024, 10, 1, false, "rfv_top_w48_r63_p1024"),
        (1024, 5, 3, false, "rfv_top_w48_r63_p1024_e5_l3"),
        (1024, 10, 10, true, "rfv_top_w48_r63_p1024_h1_l10"),
        (2048, 0, 1, false, "rfv_top_w64_r63_p2048_e0"),
        (256, 10, 1, false, "rfv_top_w4_r63_p256"),
    ] {
        let variant = RenamingVariant {
            packs,
            wake_up,
            hardware_only,
            flag_entries,
        };
        assert_eq!(variant.module(), name);
    }
    let names: BTreeSet<_> = RenamingVariant::all()
        .map(RenamingVariant::module)
        .collect();
    assert_eq!(names.len(), 36);
}
