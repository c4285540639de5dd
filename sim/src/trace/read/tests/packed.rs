//! Files packed with the xz and zstd programs: one trace of one EXIT.

use super::*;

const XZ: &[u8] = include_bytes!("data/small.traceg.xz");
const ZSTD: &[u8] = include_bytes!("data/small.traceg.zst");

fn insts(bytes: Vec<u8>) -> Result<usize, TraceError> {
    let (_, ctas) = read_bytes(bytes, &ReadOptions::default())?;
    Ok(ctas
        .iter()
        .flat_map(|cta| &cta.warps)
        .map(|warp| warp.insts.len())
        .sum())
}

#[test]
fn packed_file_is_told_by_its_content() {
    assert_eq!(insts(XZ.to_vec()).unwrap(), 1);
    assert_eq!(insts(ZSTD.to_vec()).unwrap(), 1);
}

#[test]
fn packed_file_cut_off_is_refused() {
    for (packed, end) in [(XZ, XZ.len()), (ZSTD, ZSTD.len())] {
        for length in 0..end {
            assert!(
                insts(packed[..length].to_vec()).is_err(),
                "cut to {length} bytes"
            );
        }
    }
}

#[test]
fn damaged_packed_file_is_refused() {
    for packed in [XZ, ZSTD] {
        let mut damaged = packed.to_vec();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 0x10;
        assert!(insts(damaged).is_err());
    }
}

#[test]
fn parts_packed_one_by_one_are_one_text() {
    // Another program may have packed the file in pieces: an empty frame and one to be skipped come first.
    let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let empty = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0];
    let frames = [&empty[..], &skipped[..], ZSTD].concat();
    assert_eq!(insts(frames).unwrap(), 1);
}

#[test]
fn packed_text_with_a_fault_is_refused_at_its_line() {
    let twice = [ZSTD, ZSTD].concat();
    let error = insts(twice).unwrap_err();
    assert_eq!(error.line(), 21);
}
