//! Whatever is changed in a trace, it is read or refused with a place, and never a panic.

use super::*;
use proptest::prelude::*;

/// All three address modes, two CTAs, a warp of eight threads.
fn whole() -> String {
    let lines = [
        "0000 ffffffff 1 R1 S2R 0 0 0",
        "0010 ffffffff 1 R2 LDG.E 1 R1 4 1 0x100 4 0",
        "0020 00000055 1 R4 LDS.64 1 R1 8 2 0x7f0000000000 -8 -8 -8 0",
        "0030 00000003 0 STG.E 2 R1 R2 4 0 0x10 0x20 0",
        "0040 00000000 1 R2 LDG.E 1 R1 4 1 0x0 0 0",
        "0060 ffffffff 0 EXIT 0 0 0",
    ];
    let short = lines.map(|line| line.replace("ffffffff", "000000ff"));
    let short: Vec<&str> = short.iter().map(String::as_str).collect();
    let warps = warp(0, &lines) + &warp(1, &short);
    head(5)
        .replace("(1,1,1)", "(2,1,1)")
        .replace("(32,1,1)", "(40,1,1)")
        + &cta("0,0,0", &warps)
        + &cta("1,0,0", &warps)
}

#[test]
fn unchanged_it_is_read() {
    assert_eq!(read(&whole()).unwrap().1.len(), 2);
}

proptest! {
    #[test]
    fn changed_bytes_are_read_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0u8..3, any::<u8>()), 1..6),
    ) {
        let mut bytes = whole().into_bytes();
        for (at, kind, byte) in changes {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = b"0123456789abcdefxR -,\n#="[usize::from(byte) % 24],
                1 => { bytes.remove(at); }
                _ => bytes.insert(at, byte),
            }
        }
        if let Err(error) = read_bytes(bytes, &ReadOptions::default()) {
            prop_assert!(error.line() > 0);
            prop_assert!(!error.kind().cure().is_empty());
        }
    }

    #[test]
    fn damaged_packed_bytes_are_read_or_refused(at in any::<prop::sample::Index>(), byte in any::<u8>(), zstd in any::<bool>()) {
        let packed: &[u8] = if zstd { include_bytes!("data/small.traceg.zst") } else { include_bytes!("data/small.traceg.xz") };
        let mut bytes = packed.to_vec();
        let at = at.index(bytes.len());
        bytes[at] ^= byte;
        let _ = read_bytes(bytes, &ReadOptions::default());
    }
}
