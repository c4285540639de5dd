//! Nanoseconds per warp instruction in the register managers, by backend: `cargo run --release -p regshare-hw --example speed`.

mod cpu_time;

use cpu_time::cpu_time;
use regshare_hw::ids::{ArchReg, WarpSlot};
use regshare_hw::manager::{
    Backend, BuildError, Geometry, IssueReply, IssueRequest, ManagerSpec, RegOp, build,
};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let epoch = Instant::now();
    let geometry = Geometry {
        warps: 48,
        packs: 1024,
        schedulers: 2,
    };
    let specs = [
        ("baseline", ManagerSpec::Baseline { regs_per_warp: 21 }),
        (
            "regmutex",
            ManagerSpec::RegMutex {
                base_regs: 18,
                ext_regs: 6,
                sections: 26,
                srp_offset: 864,
                owner_first: false,
            },
        ),
        (
            "paired",
            ManagerSpec::Paired {
                base_regs: 18,
                ext_regs: 6,
                safe: false,
                owner_first: false,
            },
        ),
        (
            "paired safe",
            ManagerSpec::Paired {
                base_regs: 18,
                ext_regs: 6,
                safe: true,
                owner_first: false,
            },
        ),
    ];
    println!(
        "{:<12} {:<9} {:>12} {:>12} {:>12}",
        "scheme", "backend", "base ns", "extended ns", "acq+rel ns"
    );
    for (name, spec) in specs {
        for backend in [
            Backend::Model,
            Backend::Rtl,
            Backend::Lockstep,
            Backend::Verilog,
        ] {
            let mut manager = match build(spec, geometry, backend) {
                Err(BuildError::Verilog(reason)) => {
                    println!("{name:<12} {:<9} left out: {reason}", "Verilog");
                    continue;
                }
                manager => manager?,
            };
            manager.place();
            let mut replies = [IssueReply::default(), IssueReply::default()];
            let mut run =
                |op: [RegOp; 2], regs: [u8; 4]| -> Result<f64, Box<dyn std::error::Error>> {
                    let rounds = 100_000u64;
                    let mut requests = [0u16, 1].map(|warp| {
                        let regs = regs.map(ArchReg).into_iter().collect();
                        Some(IssueRequest {
                            warp: WarpSlot(warp),
                            op: RegOp::Access,
                            regs,
                            scratchpad: None,
                            ..IssueRequest::default()
                        })
                    });
                    let start = cpu_time(epoch);
                    for round in 0..rounds {
                        for (port, request) in requests.iter_mut().enumerate() {
                            if let Some(request) = request {
                                request.op = op[(round & 1) as usize];
                                request.warp =
                                    WarpSlot(((round / 2 * 4) % 24) as u16 * 2 + 2 * port as u16);
                                if op[0] != RegOp::Access {
                                    request.regs.clear();
                                } else {
                                    request.regs[0] = ArchReg((round % 17) as u8);
                                }
                            }
                        }
                        manager.cycle(round, &requests, &mut replies)?;
                    }
                    Ok((cpu_time(epoch) - start).as_nanos() as f64 / (2 * rounds) as f64)
                };
            let base = run([RegOp::Access; 2], [1, 2, 3, 4])?;
            let change = run([RegOp::Acquire, RegOp::Release], [0; 4])?;
            let extended = if name == "baseline" {
                f64::NAN
            } else {
                for warp in (0..48).step_by(2) {
                    let acquire = Some(IssueRequest {
                        warp: WarpSlot(warp),
                        op: RegOp::Acquire,
                        ..Default::default()
                    });
                    manager.cycle(0, &[acquire, None], &mut replies)?;
                }
                let requests = |warp: u16, reg| {
                    let regs = [ArchReg(reg), ArchReg(2), ArchReg(3), ArchReg(20)]
                        .into_iter()
                        .collect();
                    Some(IssueRequest {
                        warp: WarpSlot(warp),
                        op: RegOp::Access,
                        regs,
                        scratchpad: None,
                        ..IssueRequest::default()
                    })
                };
                let start = cpu_time(epoch);
                for round in 0..100_000u64 {
                    let (warp, reg) = ((round % 12) as u16 * 4, (round % 17) as u8);
                    manager.cycle(
                        round,
                        &[requests(warp, reg), requests(warp + 2, reg)],
                        &mut replies,
                    )?;
                }
                (cpu_time(epoch) - start).as_nanos() as f64 / 200_000.0
            };
            println!(
                "{name:<12} {:<9} {base:>12.0} {extended:>12.0} {change:>12.0}",
                format!("{backend:?}")
            );
        }
    }
    Ok(())
}
