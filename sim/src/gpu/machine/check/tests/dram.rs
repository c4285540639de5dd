//! Slices, banks, addresses and timings.

use super::{accepted, refused};

#[test]
fn slices_and_banks_that_no_address_reaches_are_refused() {
    refused(
        "qv100",
        &[
            (
                "l2.slices_per_channel = 0",
                "l2.slices_per_channel",
                "0; expected a power of two",
            ),
            (
                "l2.slices_per_channel = 3",
                "l2.slices_per_channel",
                "3; expected a power of two",
            ),
            (
                "l2.slices_per_channel = 2147483648",
                "l2.slices_per_channel",
                "up to 64",
            ),
            (
                "l2.slices_per_channel = 8",
                "l2.slices_per_channel",
                "8 of each of 32 channels",
            ),
            (
                "dram.banks = 1",
                "dram.bank_groups",
                "4; expected a power of two up to banks (1)",
            ),
            (
                "dram.banks = 12",
                "dram.banks",
                "12; expected a power of two up to 64",
            ),
            (
                "dram.bank_groups = 0",
                "dram.bank_groups",
                "0; expected a power of two",
            ),
            (
                "dram.banks = 8",
                "addresses.bank_bits",
                "4 bits; expected 3: dram.banks is 8",
            ),
            (
                "addresses.bank_bits = []",
                "addresses.bank_bits",
                "0 bits; expected 4",
            ),
            (
                "dram = { banks = 1, bank_groups = 1 }\naddresses.bank_bits = []",
                "l2.slices_per_channel",
                "2; expected at most dram.banks (1)",
            ),
            (
                "dram = { banks = 2, bank_groups = 1 }\naddresses.bank_bits = [7]\nl2.slices_per_channel = 4",
                "l2.slices_per_channel",
                "4; expected at most dram.banks (2)",
            ),
        ],
    );
    accepted(
        "qv100",
        &[
            "dram = { banks = 1, bank_groups = 1 }\naddresses.bank_bits = []\nl2.slices_per_channel = 1",
            "dram = { banks = 2, bank_groups = 1 }\naddresses.bank_bits = [7]",
            "l2 = { channels = 2, slices_per_channel = 16 }",
        ],
    );
}

#[test]
fn bits_that_an_address_does_not_have_or_has_twice_are_refused() {
    refused(
        "qv100",
        &[
            (
                "addresses.channel_bit = 64",
                "addresses.channel_bit",
                "64; expected 7 to 47",
            ),
            (
                "addresses.channel_bit = 6",
                "addresses.channel_bit",
                "6; expected 7 to 47",
            ),
            (
                "addresses.row_bit = 64",
                "addresses.row_bit",
                "64; expected 7 to 47",
            ),
            (
                "addresses.bank_bits = [7, 12, 13, 64]",
                "addresses.bank_bits",
                "64; expected 7 to 47",
            ),
            (
                "addresses.bank_bits = [4, 12, 13, 14]",
                "addresses.bank_bits",
                "4; expected 7 to 47",
            ),
            (
                "addresses.bank_bits = [7, 12, 13, 12]",
                "addresses.bank_bits",
                "12 twice; expected",
            ),
            (
                "addresses.bank_bits = [7, 12, 13, 15]",
                "addresses.bank_bits",
                "below row_bit (15)",
            ),
            (
                "addresses.row_bit = 14",
                "addresses.bank_bits",
                "14; expected bits below row_bit",
            ),
            (
                "addresses.bank_bits = [12, 7, 13, 14]\nl2 = { channels = 16, slices_per_channel = 4 }",
                "addresses.bank_bits",
                "[12, 7] choose among 4 slices",
            ),
        ],
    );
    accepted(
        "qv100",
        &[
            "addresses.bank_bits = [12, 7, 13, 14]",
            "addresses.channel_bit = 7",
            "addresses.row_bit = 47",
        ],
    );
}

#[test]
fn timings_that_contradict_each_other_are_refused() {
    refused(
        "qv100",
        &[
            (
                "dram.burst_cycles = 0",
                "dram.burst_cycles",
                "0; expected 1 to 16",
            ),
            (
                "dram.burst_cycles = 17",
                "dram.burst_cycles",
                "17; expected 1 to 16",
            ),
            (
                "dram.burst_cycles = 16",
                "dram.ccd",
                "1; expected at least burst_cycles (16)",
            ),
            ("dram.ccd = 0", "dram.ccd", "0; expected 1 to 1000"),
            ("dram.ccd = 3", "dram.ccdl", "2; expected at least ccd (3)"),
            ("dram.wl = 13", "dram.wl", "13; expected at most cl (12)"),
            ("dram.rcd = 29", "dram.rcd", "29; expected at most ras (28)"),
            (
                "dram.rc = 38",
                "dram.rc",
                "38; expected at least ras + rp (28 + 12)",
            ),
            ("dram.wr = 4294967295", "dram.wr", "expected 0 to 1000"),
            ("dram.rtpl = 1001", "dram.rtpl", "1001; expected 0 to 1000"),
        ],
    );
    accepted(
        "qv100",
        &[
            "dram = { burst_cycles = 16, ccd = 16, ccdl = 16 }",
            "dram.wl = 12",
            "dram.rcd = 28",
            "dram.rc = 39",
            "dram = { bank_groups = 1, ccdl = 0 }",
        ],
    );
}
