use super::*;
use crate::trace::record::Space;
use std::collections::BTreeSet;

#[test]
fn no_opcode_stands_in_the_table_twice() {
    let mut seen = BTreeSet::new();
    for (_, _, names) in table::GROUPS {
        for name in names.split_whitespace() {
            assert!(seen.insert(name), "{name} stands twice");
        }
    }
    assert!(seen.len() > 200);
}

#[test]
fn modifiers_do_not_change_the_class() {
    let ampere = |opcode| class(opcode, Generation::Ampere);
    assert_eq!(ampere("HFMA2.MMA"), Some(Class::Half));
    assert_eq!(ampere("LDG.E.STRONG.GPU"), Some(Class::Load(Space::Global)));
    assert_eq!(ampere("IMAD.MOV.U32"), Some(Class::Int));
}

/// As in GPGPU-Sim: what tells caches something, and surfaces, is arithmetic there.
#[test]
fn only_barriers_of_memory_are_fences() {
    for opcode in ["MEMBAR.SC.GPU", "MEMBAR.ALL.CTA"] {
        assert_eq!(class(opcode, Generation::Volta), Some(Class::Fence));
    }
    for opcode in [
        "CCTL.IVALL",
        "CCTL.E.PF1",
        "ERRBAR",
        "SULD.D.2D",
        "SUST.P.2D",
    ] {
        assert_eq!(
            class(opcode, Generation::Volta),
            Some(Class::Alu),
            "{opcode}"
        );
    }
}

#[test]
fn generation_knows_its_own_opcodes_only() {
    let known = |opcode| {
        let knows = Generation::ALL.map(|generation| class(opcode, generation).is_some());
        knows
            .map(|knows| if knows { '+' } else { '-' })
            .iter()
            .collect::<String>()
    };
    assert_eq!(known("XMAD"), "+----");
    assert_eq!(known("SSY"), "+----");
    assert_eq!(known("BSSY"), "-++++");
    assert_eq!(known("ULDC"), "--+++");
    assert_eq!(known("LDGSTS"), "---++");
    assert_eq!(known("VIADD"), "----+");
    assert_eq!(known("FFMA"), "+++++");
    assert_eq!(known("NONSENSE"), "-----");
}

#[test]
fn every_class_name_names_its_class() {
    for &(name, class) in CLASS_NAMES {
        assert_eq!(parse_class(name), Some(class));
        assert_eq!(class_name(class), name);
    }
}

#[test]
fn mapping_by_name_wins_over_the_one_for_all() {
    let mut unknown = UnknownOpcodes::default();
    unknown.add("alu").unwrap();
    unknown.add("VIADD=int").unwrap();
    assert_eq!(unknown.class("VIADD.U32"), Some(Class::Int));
    assert_eq!(unknown.class("FOO"), Some(Class::Alu));
}

#[test]
fn mapping_to_no_class_is_refused() {
    for text in [
        "",
        "fast",
        "VIADD=",
        "=int",
        "VIADD=fast",
        "VI ADD=int",
        "VIADD.X=int",
    ] {
        let error = UnknownOpcodes::default().add(text).unwrap_err();
        assert!(error.to_string().contains("load.global"), "{error}");
    }
}
