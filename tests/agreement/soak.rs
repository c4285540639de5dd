//! Which kernels, schemes and backends are left to `tests/run --soak`, because they take minutes.

use regshare_sim::bundled::{self, Bundled};
use std::io::Write;

/// Schemes that rename registers.
pub const RENAMES: [&str; 3] = ["rfv", "gpu-shrink", "rfv-hardware-only"];

/// The three longest: renaming on them takes as long as on all the others.
pub const LONG: [&str; 3] = ["spmv", "matmul", "nbody"];

/// The next two. Like those they run under one scheme of each kind.
pub const LONG_TOO: [&str; 2] = ["montecarlo", "treescore"];

/// Besides the quick ones, those on which half as many packs as registers are tried: for that the renaming stage works longest.
pub const SHRUNK: [&str; 2] = ["hotspot", "dct8x8"];

/// What is run on the longest: the scheme with which all are compared, and one of each kind of shared registers.
pub const ON_LONG: [&str; 3] = ["baseline", "regmutex", "shared-owf-unroll"];

/// Kernels that an unoptimised build runs in seconds.
pub const QUICK: [&str; 3] = ["reduction", "convsep", "histogram"];

/// Of the quick ones the one that takes longer than the others together where a scheduler has a quarter of the warps.
pub const LONG_ON_V100: &str = "reduction";

/// The longest kernels, and on half a register file longer ones, run under one scheme of each kind; the others differ from these by scheduler or order of
/// registers.
pub const ON_HALF: [&str; 5] = [
    "baseline",
    "regmutex",
    "paired",
    "shared-owf-unroll",
    "regdem",
];

/// The RTL of all pair locks and priorities, and of the renaming stage, takes up to a minute for a kernel: soak runs do all of them,
/// others only short generated kernels (`tests/generated.rs`).
pub fn too_slow(scheme: &str) -> bool {
    (scheme.starts_with("shared-") || RENAMES.contains(&scheme))
        && std::env::var_os("REGSHARE_SOAK").is_none()
}

/// Their kernels differ, their register hardware is the baseline's: RTL and Verilog of it run longer kernels under `baseline`.
pub const ON_BASELINE: [&str; 5] = [
    "regdem",
    "local-spill",
    "compiler-spill",
    "double-registers",
    "double-scratchpad",
];

/// The variants of resource sharing have one hardware, which longer kernels run under this one: with locks and owner warps first.
pub const ON_SHARED: &str = "shared-owf-unroll";

/// Whether another backend than the model has something to show that it does not show elsewhere. The Verilog of all pair locks, and of the
/// renaming stage, is the slowest: long kernels are for the soak run, and the longest with all hardware.
pub fn has_backends(kernel: &Bundled, scheme: &str) -> bool {
    let elsewhere =
        ON_BASELINE.contains(&scheme) || (scheme.starts_with("shared-") && scheme != ON_SHARED);
    let slow = scheme == ON_SHARED || RENAMES.contains(&scheme);
    let (longest, long) = (LONG.contains(&kernel.name), LONG_TOO.contains(&kernel.name));
    let quick = QUICK.contains(&kernel.name);
    std::env::var_os("REGSHARE_SOAK").is_some() || quick || !(elsewhere || longest || slow && long)
}

/// Whether the backends of machines with four schedulers differ from those of another scheme there.
pub fn has_hardware_of_its_own(scheme: &str) -> bool {
    ON_HALF.contains(&scheme) && scheme != "regdem" || scheme == "rfv"
}

/// RTL runs the quick kernels; the Verilog made from it, which is many times as fast, runs them all.
pub fn has_rtl(kernel: &Bundled, scheme: &str) -> bool {
    let soak = std::env::var_os("REGSHARE_SOAK").is_some();
    (soak || QUICK.contains(&kernel.name)) && !too_slow(scheme) && has_backends(kernel, scheme)
}

/// All schemes but a few are for the soak run on the longest kernels, and on the next ones all but one of each kind. So is renaming by
/// hardware alone on all but the quick ones.
pub fn too_long(kernel: &Bundled, scheme: &str) -> bool {
    let one_of_a_kind = ON_HALF.contains(&scheme);
    let long = match scheme {
        _ if LONG.contains(&kernel.name) => !ON_LONG.contains(&scheme),
        _ if LONG_TOO.contains(&kernel.name) => !one_of_a_kind && scheme != "rfv",
        "rfv-hardware-only" => !QUICK.contains(&kernel.name),
        "gpu-shrink" => !QUICK.contains(&kernel.name) && !SHRUNK.contains(&kernel.name),
        _ => false,
    };
    long && std::env::var_os("REGSHARE_SOAK").is_none()
}

pub fn kernels() -> Vec<&'static Bundled> {
    let all = std::env::var_os("REGSHARE_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    if !all {
        let _ = writeln!(
            std::io::stderr(),
            "left out: agreement on all kernels but {QUICK:?} (tests/run runs all)"
        );
    }
    if std::env::var_os("REGSHARE_SOAK").is_none() {
        let _ = writeln!(
            std::io::stderr(),
            "left out: the RTL of resource sharing and of renaming on whole kernels, all but {ON_LONG:?} on {LONG:?} and all but {ON_HALF:?} and rfv on {LONG_TOO:?}, RTL, gpu-shrink (but for {SHRUNK:?}), renaming by hardware alone, the baseline's hardware under {ON_BASELINE:?} and that of sharing under all variants but {ON_SHARED} on all but {QUICK:?}, that of sharing and renaming in Verilog on {LONG_TOO:?} and all Verilog on {LONG:?}, on four schedulers hardware that another scheme has, too, the variants of rfv, the machines maxwell and rtx3070, v100 on {LONG_ON_V100}, and on half a register file all but {ON_HALF:?} on all but {QUICK:?} and {LONG:?} (tests/run --soak runs all)"
        );
    }
    bundled::all()
        .iter()
        .filter(|kernel| all || QUICK.contains(&kernel.name))
        .collect()
}
