//! Caches, scratchpad beside them, and queues.

use super::{accepted, refused};

#[test]
fn caches_that_stand_still_are_refused() {
    refused(
        "gtx480",
        &[
            (
                "l1.cache.miss_queue = 1",
                "l1.cache.miss_queue",
                "1; expected 2 to 256",
            ),
            (
                "l2.cache.miss_queue = 1",
                "l2.cache.miss_queue",
                "1; expected 2 to 256",
            ),
            (
                "icache.miss_queue = 1",
                "icache.miss_queue",
                "1; expected 2 to 256",
            ),
            (
                "l1.cache.dirty_percent = 101",
                "l1.cache.dirty_percent",
                "101; expected 0 to 100",
            ),
            (
                "l2.cache.dirty_percent = 4000000",
                "l2.cache.dirty_percent",
                "expected 0 to 100",
            ),
            (
                "l1.cache.sets = 48",
                "l1.cache.sets",
                "48; expected a power of two",
            ),
            (
                "icache.write = \"back\"",
                "icache.write",
                "expected read-only",
            ),
            (
                "l1.cache.write = \"read-only\"",
                "l1.cache.write",
                "read-only; expected through-allocate",
            ),
            (
                "l2.cache.write = \"read-only\"",
                "l2.cache.write",
                "read-only; expected through-allocate",
            ),
            (
                "l1.cache.sectored = true",
                "l1.splits_sectors",
                "false; expected true",
            ),
        ],
    );
    accepted(
        "gtx480",
        &["l1.cache.miss_queue = 2", "l1.cache.dirty_percent = 100"],
    );
}

#[test]
fn scratchpad_that_the_shared_bytes_cannot_hold_is_refused() {
    refused(
        "qv100",
        &[
            (
                "l1.unified_bytes = 1000",
                "l1.unified_bytes",
                "limits.scratchpad_bytes (98304)",
            ),
            (
                "l1.unified_bytes = 98304",
                "l1.unified_bytes",
                "98304; expected 98816 to",
            ),
            (
                "limits.scratchpad_bytes = 200000",
                "l1.unified_bytes",
                "expected 200512 to",
            ),
            (
                "l1.unified_bytes = 131073",
                "l1.unified_bytes",
                "131073; expected whole ways of l1.cache, of 512 bytes each",
            ),
            (
                "l1.carve_outs = []",
                "l1.carve_outs",
                "[]; expected ascending sizes",
            ),
            (
                "l1.carve_outs = [98304, 0]",
                "l1.carve_outs",
                "[98304, 0]; expected ascending",
            ),
            (
                "l1.carve_outs = [0, 0, 98304]",
                "l1.carve_outs",
                "expected ascending sizes",
            ),
            (
                "l1.carve_outs = [0, 8192]",
                "l1.carve_outs",
                "the largest is 8192; expected 98304",
            ),
            (
                "l1.carve_outs = [131072]",
                "l1.carve_outs",
                "the largest is 131072; expected 98304",
            ),
            (
                "l1.unified_bytes = 0",
                "l1.carve_outs",
                "expected [] with unified_bytes = 0",
            ),
        ],
    );
    accepted(
        "qv100",
        &[
            "l1.unified_bytes = 98816",
            "l1.carve_outs = [98304]",
            "l1.carve_outs = [130560]",
            "l1 = { unified_bytes = 0, carve_outs = [] }",
        ],
    );
}

#[test]
fn queues_without_a_place_are_refused() {
    refused(
        "qv100",
        &[
            (
                "interconnect.input_packets = 0",
                "interconnect.input_packets",
                "0; expected 1 to",
            ),
            (
                "interconnect.output_packets = 0",
                "interconnect.output_packets",
                "0; expected 1 to",
            ),
            (
                "interconnect.sm_packets = 0",
                "interconnect.sm_packets",
                "0; expected 1 to",
            ),
            ("dram.queue = 0", "dram.queue", "0; expected 1 to 1024"),
            (
                "dram.return_queue = 0",
                "dram.return_queue",
                "0; expected 1 to 1024",
            ),
            (
                "dram.return_queue = 1025",
                "dram.return_queue",
                "1025; expected 1 to 1024",
            ),
            ("l2.port_bytes = 0", "l2.port_bytes", "0; expected 1 to 128"),
            (
                "l2.port_bytes = 129",
                "l2.port_bytes",
                "129; expected 1 to 128",
            ),
            (
                "l2.latency = 10001",
                "l2.latency",
                "10001; expected 0 to 10000",
            ),
        ],
    );
    accepted(
        "qv100",
        &[
            "interconnect = { input_packets = 1, output_packets = 1, sm_packets = 1 }",
            "dram = { queue = 1, return_queue = 1 }",
            "l2.port_bytes = 1",
        ],
    );
}
