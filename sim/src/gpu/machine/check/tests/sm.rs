//! The chip, and an SM up to its scratchpad.

use super::{accepted, refused};

#[test]
fn chip_and_limits_out_of_range_are_refused() {
    refused(
        "qv100",
        &[
            ("name = ''", "name", "at least one letter"),
            ("name = '  '", "name", "at least one letter"),
            ("chip.sms = 0", "chip.sms", "0; expected 1 to 128"),
            (
                "chip.launch_latency = 9_000_000_000",
                "chip.launch_latency",
                "1000000000",
            ),
            (
                "limits.threads = 0",
                "limits.threads",
                "0; expected 32 to 2048",
            ),
            (
                "limits.threads = 4096",
                "limits.threads",
                "4096; expected 32 to 2048",
            ),
            (
                "limits.threads = 100",
                "limits.threads",
                "100; expected a multiple of 32",
            ),
            (
                "limits.warps = 63",
                "limits.threads",
                "do not fit in 63 warp slots",
            ),
            (
                "limits.registers = 0",
                "limits.registers",
                "0; expected 1 to",
            ),
        ],
    );
    accepted(
        "qv100",
        &[
            "limits.threads = 32",
            "limits = { warps = 63, threads = 2016 }",
        ],
    );
}

#[test]
fn collectors_that_take_no_instruction_are_refused() {
    refused(
        "qv100",
        &[
            (
                "collectors.generic.ports = 0",
                "collectors.generic",
                "ports = 0; expected 1 to 32",
            ),
            (
                "collectors.generic.ports = 4000000000",
                "collectors.generic",
                "ports = 4000000000",
            ),
            (
                "collectors.generic.units = 0",
                "collectors.generic",
                "units = 0; expected 1 to 32",
            ),
            (
                "collectors = { generic.units = 0, sp = { units = 4, ports = 4 }, sfu = { units = 4, ports = 4 }, \
                 mem = { units = 4, ports = 4 } }",
                "collectors.generic",
                "no other collectors",
            ),
            (
                "collectors.generic.units = 6",
                "collectors.generic",
                "a multiple of 4",
            ),
            (
                "collectors.sp = { units = 2, ports = 2 }",
                "collectors.sp",
                "a multiple of 4",
            ),
            (
                "collectors.sp = { units = 28, ports = 2 }",
                "collectors.sp",
                "expected 0 to 24",
            ),
            (
                "collectors.sfu.units = 4",
                "collectors.sfu",
                "ports = 0; expected 1 to 32",
            ),
            (
                "collectors.mem.ports = 4",
                "collectors.mem",
                "ports = 4; expected 0: ",
            ),
            (
                "collectors.banks = 10",
                "collectors.banks",
                "10; expected a multiple of 4",
            ),
        ],
    );
    accepted(
        "qv100",
        &[
            "collectors.generic = { units = 4, ports = 1 }",
            "collectors.sp = { units = 24, ports = 32 }",
        ],
    );
    accepted("gtx480", &["collectors.generic = { units = 1, ports = 1 }"]);
}

#[test]
fn units_that_a_scheduler_never_gets_are_refused() {
    refused(
        "qv100",
        &[
            ("units.sp.count = 1", "units.sp", "count = 1; expected 4: "),
            (
                "units.int.count = 1",
                "units.int",
                "count = 1; expected 4: ",
            ),
            (
                "units.tensor.count = 8",
                "units.tensor",
                "count = 8; expected 4: ",
            ),
            (
                "units.sfu.count = 0",
                "units.sfu",
                "count = 0; expected 4: ",
            ),
            ("units.sp.width = 0", "units.sp", "width = 0; expected 4: "),
            (
                "units.mem.width = 0",
                "units.mem",
                "width = 0; expected 4: ",
            ),
            (
                "units.mem.count = 4",
                "units.mem",
                "count = 4; expected 1: ",
            ),
            (
                "units.sp.interval = 3",
                "units.sp",
                "interval = 3; expected 1 to 2",
            ),
        ],
    );
    refused(
        "gtx480",
        &[
            (
                "units.sp.count = 0",
                "units.sp",
                "count = 0; expected 1 to 8",
            ),
            (
                "units.branch.width = 0",
                "units.branch",
                "width = 0; expected 1 to 8",
            ),
            (
                "units.mem.width = 9",
                "units.mem",
                "width = 9; expected 1 to 8",
            ),
        ],
    );
    accepted(
        "qv100",
        &["units.int = { count = 0, width = 0 }", "units.dp.count = 0"],
    );
    accepted(
        "gtx480",
        &["units.sp = { count = 1, width = 1 }", "units.sfu.count = 8"],
    );
}
