use super::*;

#[test]
fn the_paper_counts_2112_bits_or_264_bytes_for_64_warps_and_2048_packs() {
    let bits = CarsPaperBits::new(64, 2048);
    assert_eq!(
        (bits.stalled_list, bits.free_counts, bits.pointers),
        (384, 320, 1408)
    );
    assert_eq!((bits.total(), bits.total() / 8), (2112, 264));
}

#[test]
fn the_papers_bytes_per_part_are_48_and_40_and_176() {
    let bits = CarsPaperBits::new(64, 2048);
    assert_eq!(
        [bits.stalled_list, bits.free_counts, bits.pointers].map(|bits| bits / 8),
        [48, 40, 176]
    );
}
