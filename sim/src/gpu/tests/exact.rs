//! Kernels that take as many cycles as Accel-Sim (dev 73f9fac) reports for them, not one more or less, and whose accesses of the
//! first level are refused as often: several warps and CTAs that contend for everything.

use super::looping::{Kind, Looping};
use super::{Body, GLOBAL, SHARED, cycles, independent, plain};
use crate::gpu::{GpuMachine, KernelResult, ReplayOptions};

/// 128 instructions in each of 4, 8, 16 and 32 warps.
fn of_warps(name: &str, body: &Body) -> [u64; 4] {
    [4, 8, 16, 32].map(|warps| cycles(name, warps, 128, body))
}

fn streamed(warp: u64, n: u64) -> String {
    let at = GLOBAL + (warp * 128 + n) * 128;
    format!("ffffffff 1 R{} LDG.E.SYS 1 R20 4 1 {at:#x} 4 0", 4 + n % 16)
}

fn of_scratchpad(_: u64, n: u64) -> String {
    format!("ffffffff 1 R{} LDS.U 1 R20 4 1 {SHARED:#x} 4 0", 4 + n % 16)
}

fn in_turn(_: u64, n: u64) -> String {
    let opcode = ["FFMA", "IMAD"][n as usize % 2];
    format!("ffffffff 1 R{} {opcode} 3 R20 R21 R22 0 0", 4 + n % 16)
}

#[test]
fn warps_contend_for_units_and_banks_as_on_the_peer() {
    let of = |body: &Body| ["qv100", "rtx3070"].map(|name| of_warps(name, body));
    assert_eq!(
        of(&independent("FFMA", "3 R20 R21 R22")),
        [[296, 553, 1067, 2096], [171, 332, 656, 1306]]
    );
    assert_eq!(
        of(&independent("IMAD", "3 R20 R21 R22")),
        [[297, 556, 1074, 2080]; 2]
    );
    assert_eq!(of(&in_turn), [[140, 271, 533, 1057], [172, 341, 683, 1332]]);
    assert_eq!(
        of(&independent("MUFU.RCP", "1 R20")),
        [[1148, 2152, 4223, 8318], [1155, 2168, 4230, 8320]]
    );
    assert_eq!(
        of(&independent("DFMA", "3 R20 R22 R24")),
        [[580, 1092, 2125, 4174], [8416, 16615, 32940, 65648]]
    );
    assert_eq!(
        of(&independent("FFMA", "3 R20 R36 R52")),
        [[297, 553, 1062, 2096], [235, 460, 912, 1818]]
    );
    assert_eq!(
        of(&plain("FFMA", "3 R4 R5 R6")),
        [[901, 904, 1037, 2700], [901, 903, 1037, 1556]]
    );
}

#[test]
fn warps_contend_for_memory_as_on_the_peer() {
    let of = |body: &Body| ["qv100", "rtx3070"].map(|name| of_warps(name, body));
    assert_eq!(
        of(&of_scratchpad),
        [[621, 1155, 2159, 4210], [643, 1195, 2232, 4286]]
    );
    // More sectors on their way than there are miss registers, from 16 and 8 warps on.
    assert_eq!(
        of(&streamed),
        [[3446, 4867, 9649, 24358], [5185, 6315, 13296, 24631]]
    );
    assert_eq!(
        of(&super::load("LDG.E.SYS", 0)),
        [[3398, 3415, 3416, 7053], [5992, 6009, 6043, 6110]]
    );
}

#[test]
fn schedulers_and_collectors_without_sub_cores_are_as_on_the_peer() {
    let of = |body: &Body| [4, 8, 16].map(|warps| cycles("gtx480", warps, 128, body));
    assert_eq!(of(&independent("FFMA", "3 R20 R21 R22")), [559, 1069, 2098]);
    assert_eq!(of(&plain("FFMA", "3 R4 R5 R6")), [1159, 1170, 2585]);
    assert_eq!(of(&independent("FFMA", "3 R20 R36 R52")), [789, 1562, 3052]);
}

/// 130 instructions do not fit into the 16 lines of the instruction cache: a line takes its place when it comes, not on the miss.
#[test]
fn warps_contend_for_the_instruction_cache_as_on_the_peer() {
    let machine = GpuMachine::preset("gtx480").expect("bundled").cut(1, 2);
    let text = super::trace(1, 32, 128, 70, &streamed).replace("-nregs = 64", "-nregs = 32");
    let result = super::replay(&machine, &text, &ReplayOptions::default()).expect("it runs");
    assert_eq!(result.cycles, 21_526);
}

/// A kernel of 20 rounds on one SM of a machine, or of 8 on all of them, under a policy: cycles, and how often the first level refuses.
fn looping(name: &str, sms: Option<u32>, kind: Kind, ctas: u64, policy: &str) -> (u64, u64) {
    let result = run(name, sms, kind, (ctas, 32), policy);
    (result.cycles, result.l1.refusals)
}

fn run(
    name: &str,
    sms: Option<u32>,
    kind: Kind,
    (ctas, registers): (u64, u32),
    policy: &str,
) -> KernelResult {
    let mut machine = GpuMachine::preset(name).expect("bundled");
    if let Some(sms) = sms {
        machine = machine.cut(sms, 2);
    }
    let kernel = Looping {
        kind,
        ctas,
        registers,
        rounds: if sms.is_some() { 20 } else { 8 },
        binary: if name == "rtx3070" { 80 } else { 70 },
    };
    let options = ReplayOptions {
        scheduler: Some(policy.parse().expect("a policy")),
        ..ReplayOptions::default()
    };
    super::replay(&machine, &kernel.trace(), &options).expect("it runs")
}

#[test]
fn ctas_contend_for_everything_as_on_the_peer() {
    let found = |kind| [1, 2, 4, 8].map(|ctas| looping("qv100", Some(1), kind, ctas, "lrr"));
    assert_eq!(
        found(Kind::Ffma),
        [(1868, 0), (3480, 24), (6775, 24), (13_869, 0)]
    );
    assert_eq!(
        found(Kind::Mix),
        [
            (11_086, 486),
            (11_404, 8807),
            (11_900, 5825),
            (17_352, 16_574)
        ]
    );
    assert_eq!(
        found(Kind::Mem),
        [
            (8187, 1665),
            (8926, 4961),
            (13_554, 19_269),
            (26_615, 39_145)
        ]
    );
    assert_eq!(
        found(Kind::Div),
        [(9493, 358), (9983, 1087), (13_026, 7835), (28_346, 47_486)]
    );
}

#[test]
fn ctas_that_follow_each_other_take_as_long_as_on_the_peer() {
    // One CTA at a time: all 16 share the turns of the SM; and two at a time, each of which begins beside another one.
    let of = |registers, policy| {
        let result = run("qv100", Some(1), Kind::Mix, (16, registers), policy);
        (result.cycles, result.l1.refusals)
    };
    assert_eq!(of(255, "lrr"), (157_088, 4759));
    assert_eq!(of(128, "lrr"), (79_829, 12_941));
    assert_eq!(of(128, "gto"), (78_741, 10_122));
}

/// 16 CTAs, of which an SM holds 6 or 8, under each policy.
fn under(name: &str, kind: Kind, policies: &[&str]) -> Vec<(u64, u64)> {
    let of = |policy: &&str| looping(name, Some(1), kind, 16, policy);
    policies.iter().map(of).collect()
}

#[test]
fn policies_are_as_far_apart_as_on_the_peer() {
    let all = ["lrr", "gto", "two-level:6", "oldest"];
    assert_eq!(
        under("qv100", Kind::Ffma, &all),
        [(27_634, 9), (26_517, 0), (26_789, 21), (26_385, 0)]
    );
    assert_eq!(
        under("qv100", Kind::Mix, &all),
        [
            (31_821, 20_172),
            (31_630, 13_125),
            (28_202, 16_418),
            (30_548, 10_223)
        ]
    );
    assert_eq!(
        under("qv100", Kind::Div, &all[1..3]),
        [(55_872, 95_527), (56_514, 95_505)]
    );
    assert_eq!(
        under("rtx3070", Kind::Ffma, &all[..2]),
        [(17_525, 95), (15_351, 0)]
    );
    assert_eq!(
        under("rtx3070", Kind::Div, &all[..2]),
        [(54_043, 74_206), (54_106, 73_931)]
    );
    assert_eq!(
        under("gtx480", Kind::Ffma, &all[..2]),
        [(59_205, 0), (58_291, 0)]
    );
    assert_eq!(
        under("gtx480", Kind::Mem, &all[..2]),
        [(59_564, 42_046), (60_149, 42_567)]
    );
    assert_eq!(
        under("gtx480", Kind::Div, &all[..2]),
        [(151_712, 115_089), (153_651, 114_850)]
    );
}

#[test]
fn whole_chips_are_as_on_the_peer() {
    let of = |name, ctas, policy| {
        [Kind::Ffma, Kind::Mix, Kind::Mem].map(|kind| looping(name, None, kind, ctas, policy))
    };
    assert_eq!(
        of("qv100", 160, "lrr"),
        [(1586, 0), (6578, 421_694), (7953, 101_976)]
    );
    assert_eq!(
        of("rtx3070", 92, "lrr"),
        [(1199, 644), (6964, 17_521), (9283, 63_654)]
    );
    assert_eq!(
        of("gtx480", 60, "gto"),
        [(6662, 0), (9597, 18_996), (21_095, 222_262)]
    );
}
