//! Builds the manager that a plan asks for, in the smallest hardware that fits the machine.

mod error;
mod renaming;
mod variant;

pub use error::BuildError;
use renaming::renaming;
pub use renaming::renaming_hardware;
pub use variant::RenamingVariant;

use super::baseline::Baseline;
use super::owner_first::OwnerFirst;
use super::paired::Paired;
use super::regmutex::{Placement, RegMutex};
use super::renaming::Placement as Renames;
use super::rounds::TwoRounds;
use super::sharing::{Placement as Shares, Sharing};
use super::stacks::{Levels, Placement as Stacked, Stacks};
use super::{Backend, Geometry, ManagerSpec, RegisterManager};
use crate::owf::owf_top::rtl;
use crate::owf::scratchpad_lock::ADDRESS_BITS;
use crate::regmutex::paired_lock::{model, pair_bit, warp_bit};

/// Packs of the largest baseline: 64 warps of 256 registers.
pub const MOST_BASELINE_PACKS: u16 = 64 * 256;

fn registers(what: &'static str, value: u16) -> Result<u8, BuildError> {
    u8::try_from(value).map_err(|_| BuildError::Registers { what, value })
}

/// Builds the manager of `spec` for one SM. It is not placed yet.
///
/// The hardware's parameters are the smallest of (8 warps, 512 packs), (48 or 64 warps, 512, 1024 or 2048 packs)
/// that hold the machine; the baseline's also comes with 4096 and 16,384 packs. It has two issue ports; for three or four schedulers, and
/// where `spec` says so, it is clocked twice in an SM cycle.
///
/// # Errors
/// [`BuildError`] when the machine is larger than the hardware, the specification does not fit the machine, or
/// [`Backend::Verilog`] is asked for and the module is neither linked in nor can be made.
pub fn build(
    spec: ManagerSpec,
    geometry: Geometry,
    backend: Backend,
) -> Result<Box<dyn RegisterManager>, BuildError> {
    one_of(spec, geometry, backend, None)
}

/// As [`build`], for each of `sms` SMs (1 or more) that run a launch together, in the order of their numbers. What they have in
/// common is one unit: the choice of the size of register stacks.
///
/// # Errors
/// As for [`build`].
pub fn build_for_sms(
    spec: ManagerSpec,
    geometry: Geometry,
    backend: Backend,
    sms: u16,
) -> Result<Vec<Box<dyn RegisterManager>>, BuildError> {
    let levels: Vec<Option<Levels>> = match spec {
        ManagerSpec::Stacks { .. } => (Levels::for_sms(sms, backend)?.into_iter())
            .map(Some)
            .collect(),
        _ => (0..sms).map(|_| None).collect(),
    };
    (levels.into_iter().zip(0..))
        .map(|(levels, sm)| one_of(spec.on_sm(sm), geometry, backend, levels))
        .collect()
}

fn one_of(
    spec: ManagerSpec,
    geometry: Geometry,
    backend: Backend,
    levels: Option<Levels>,
) -> Built {
    let Geometry {
        warps,
        packs,
        schedulers,
    } = geometry;
    if !(1..=64).contains(&warps) {
        return Err(BuildError::Warps(warps));
    }
    if spec.owner_first() && !matches!(schedulers, 2 | 4) {
        return Err(BuildError::OwnerFirst(schedulers));
    }
    // The doubled register file of the largest machine, and all registers that 64 warps can have, are for comparison only: no
    // sharing system comes for them.
    let most = match spec {
        ManagerSpec::Baseline { .. } => MOST_BASELINE_PACKS,
        _ => 2048,
    };
    if !(1..=most).contains(&packs) {
        return Err(BuildError::Packs { packs, most });
    }
    let ported = of_two_ports(spec, geometry, backend, levels);
    let manager = match (schedulers, spec) {
        (1 | 2, ManagerSpec::Renaming { clocks: 2, .. }) | (3 | 4, _) => {
            Box::new(TwoRounds::new(ported?, schedulers))
        }
        (1 | 2, _) => ported?,
        _ => return Err(BuildError::Schedulers(schedulers)),
    };
    match spec {
        ManagerSpec::RegMutex { .. } | ManagerSpec::Paired { .. } if spec.owner_first() => {
            owner_first(manager, geometry, backend)
        }
        _ => Ok(manager),
    }
}

fn of_two_ports(
    spec: ManagerSpec,
    geometry: Geometry,
    backend: Backend,
    levels: Option<Levels>,
) -> Built {
    let Geometry { warps, packs, .. } = geometry;
    match spec {
        ManagerSpec::Baseline { regs_per_warp } => {
            baseline(registers("Coeff", regs_per_warp)?, geometry, backend)
        }
        ManagerSpec::RegMutex {
            base_regs,
            ext_regs,
            sections,
            srp_offset,
            owner_first: _,
        } => {
            if !(1..=warps).contains(&sections) {
                return Err(BuildError::Sections { sections, warps });
            }
            let end = u32::from(srp_offset) + u32::from(sections) * u32::from(ext_regs);
            if end > packs.into() || srp_offset >= packs {
                return Err(BuildError::Pool { end, packs });
            }
            let placement = Placement {
                base_regs: registers("|Bs|", base_regs)?,
                ext_regs: registers("|Es|", ext_regs)?,
                sections: sections as u8,
                srp_offset,
            };
            regmutex(placement, geometry, backend)
        }
        ManagerSpec::Paired {
            base_regs,
            ext_regs,
            safe,
            owner_first: _,
        } => {
            let (base_regs, ext_regs) =
                (registers("|Bs|", base_regs)?, registers("|Es|", ext_regs)?);
            paired(base_regs, ext_regs, safe, geometry, backend)
        }
        ManagerSpec::Sharing {
            warps_per_cta,
            private_regs,
            shared_regs,
            private_bytes,
            pairs,
            unshared,
            owner_first,
            dynamic,
        } => {
            if private_bytes.is_some_and(|bytes| bytes >> ADDRESS_BITS != 0) {
                return Err(BuildError::PrivateBytes(private_bytes.unwrap_or(0)));
            }
            if private_bytes.is_some() && shared_regs > 0 {
                return Err(BuildError::BothShared);
            }
            let lower = u32::from(pairs) + u32::from(unshared);
            let (regs, private) = (
                u32::from(private_regs) + u32::from(shared_regs),
                private_regs,
            );
            let per_cta = |regs: u32| u32::from(warps_per_cta) * regs;
            let needed = lower * per_cta(regs) + u32::from(pairs) * per_cta(private.into());
            if needed > packs.into() {
                return Err(BuildError::Shared { needed, packs });
            }
            registers("Rw", private_regs.saturating_add(shared_regs))?;
            let ctas = unshared.saturating_add(pairs.saturating_mul(2));
            let (slots, most) = shared_size(geometry, ctas);
            if ctas > slots || warps_per_cta > most || warps_per_cta == 0 {
                return Err(BuildError::Ctas {
                    ctas,
                    warps_per_cta,
                    slots,
                    most,
                });
            }
            let placement = Shares {
                warps_per_cta: warps_per_cta as u8,
                private_regs: private_regs as u8,
                shared_regs: shared_regs as u8,
                private_bytes,
                pairs: pairs as u8,
                unshared: unshared as u8,
                owner_first,
                dynamic,
            };
            sharing(placement, (slots, most), geometry, backend)
        }
        ManagerSpec::Renaming {
            warps_per_cta,
            regs,
            ctas,
            shrink,
            exempt,
            flag_entries,
            wake_up,
            hardware_only,
            spills,
            need,
            most,
            clocks: _,
        } => {
            if regs > 63 {
                return Err(BuildError::Renamed(regs));
            }
            let placement = Renames {
                warps_per_cta: warps_per_cta.clamp(1, 64) as u8,
                shrink: shrink & 3,
                exempt: exempt.min(regs) as u8,
                ctas,
                flag_entries,
                spills,
                need,
                most,
            };
            renaming(placement, wake_up, hardware_only, geometry, backend)
        }
        ManagerSpec::Stacks {
            warps_per_cta,
            base_regs,
            capacities,
            top,
            level,
            known,
        } => {
            let largest = capacities[usize::from(top & 7)];
            let needed = u32::from(base_regs) + u32::from(largest);
            let most = STACK_PACKS.min(packs);
            if capacities.iter().any(|&capacity| capacity > most) || needed > packs.into() {
                return Err(BuildError::Stack {
                    needed,
                    packs,
                    most,
                });
            }
            let placement = Stacked {
                warps_per_cta: warps_per_cta.clamp(1, 64),
                base_regs: registers("registers of the kernel", base_regs)?,
                capacities: capacities.map(|capacity| capacity as u8),
                top: top & 7,
                level,
                known,
            };
            let levels = match levels {
                Some(levels) => levels,
                None => Levels::for_sms(1, backend)?.swap_remove(0),
            };
            stacks(placement, geometry, backend, levels)
        }
    }
}

type Built = Result<Box<dyn RegisterManager>, BuildError>;

fn baseline(coeff: u8, geometry: Geometry, backend: Backend) -> Built {
    Ok(match (geometry.warps, geometry.packs) {
        (..=8, ..=512) => Box::new(Baseline::<8, 3, 512, 9>::new(coeff, geometry, backend)?),
        (..=48, ..=512) => Box::new(Baseline::<48, 6, 512, 9>::new(coeff, geometry, backend)?),
        (..=48, ..=1024) => Box::new(Baseline::<48, 6, 1024, 10>::new(coeff, geometry, backend)?),
        (..=48, ..=2048) => Box::new(Baseline::<48, 6, 2048, 11>::new(coeff, geometry, backend)?),
        (_, ..=512) => Box::new(Baseline::<64, 6, 512, 9>::new(coeff, geometry, backend)?),
        (_, ..=1024) => Box::new(Baseline::<64, 6, 1024, 10>::new(coeff, geometry, backend)?),
        (_, 2049..=4096) => Box::new(Baseline::<64, 6, 4096, 12>::new(coeff, geometry, backend)?),
        (_, 4097..) => Box::new(Baseline::<64, 6, 16384, 14>::new(coeff, geometry, backend)?),
        _ => Box::new(Baseline::<64, 6, 2048, 11>::new(coeff, geometry, backend)?),
    })
}

fn regmutex(placement: Placement, geometry: Geometry, backend: Backend) -> Built {
    Ok(match (geometry.warps, geometry.packs) {
        (..=8, ..=512) => Box::new(RegMutex::<8, 2, 3, 4, 512, 9>::new(
            placement, geometry, backend,
        )?),
        (..=48, ..=512) => Box::new(RegMutex::<48, 12, 6, 6, 512, 9>::new(
            placement, geometry, backend,
        )?),
        (..=48, ..=1024) => Box::new(RegMutex::<48, 12, 6, 6, 1024, 10>::new(
            placement, geometry, backend,
        )?),
        (..=48, _) => Box::new(RegMutex::<48, 12, 6, 6, 2048, 11>::new(
            placement, geometry, backend,
        )?),
        (_, ..=512) => Box::new(RegMutex::<64, 16, 6, 7, 512, 9>::new(
            placement, geometry, backend,
        )?),
        (_, ..=1024) => Box::new(RegMutex::<64, 16, 6, 7, 1024, 10>::new(
            placement, geometry, backend,
        )?),
        _ => Box::new(RegMutex::<64, 16, 6, 7, 2048, 11>::new(
            placement, geometry, backend,
        )?),
    })
}

/// The choice of the warp in front of a manager that leaves it to the schedulers.
fn owner_first(inner: Box<dyn RegisterManager>, geometry: Geometry, backend: Backend) -> Built {
    use crate::owf::warp_priority::rtl::Rtl;
    type Two<R, const NW: usize> = OwnerFirst<R, NW, 2>;
    type Four<R, const NW: usize> = OwnerFirst<R, NW, 4>;
    Ok(match (geometry.warps, geometry.schedulers) {
        (..=8, 2) => Box::new(Two::<Rtl<8, 2, 4, 3, 2, 7, 3, 6>, 8>::new(inner, backend)?),
        (..=48, 2) => Box::new(Two::<Rtl<48, 2, 24, 23, 12, 47, 6, 12>, 48>::new(
            inner, backend,
        )?),
        (_, 2) => Box::new(Two::<Rtl<64, 2, 32, 31, 16, 63, 6, 12>, 64>::new(
            inner, backend,
        )?),
        (..=48, 4) => Box::new(Four::<Rtl<48, 4, 12, 11, 6, 23, 6, 24>, 48>::new(
            inner, backend,
        )?),
        (_, 4) => Box::new(Four::<Rtl<64, 4, 16, 15, 8, 31, 6, 24>, 64>::new(
            inner, backend,
        )?),
        (_, schedulers) => return Err(BuildError::OwnerFirst(schedulers)),
    })
}

/// CTA slots of the smallest hardware of resource sharing for this machine and so many CTAs, and the most warps of a CTA that
/// shares.
fn shared_size(geometry: Geometry, ctas: u16) -> (u16, u16) {
    match (geometry.warps, ctas, geometry.packs) {
        (..=16, ..=8, ..=512) => (8, 8),
        (..=48, ..=8, ..=1024) => (8, 24),
        _ => (32, 32),
    }
}

fn sharing(placement: Shares, size: (u16, u16), geometry: Geometry, backend: Backend) -> Built {
    Ok(match size {
        (8, 8) => Box::new(Sharing::<
            rtl::Rtl<16, 8, 8, 4, 3, 4, 3, 4, 8, 7, 4, 15, 8, 512, 9>,
            16,
            8,
            512,
        >::new(placement, geometry, backend)?),
        (8, 24) => Box::new(Sharing::<
            rtl::Rtl<48, 8, 24, 6, 3, 5, 5, 4, 24, 23, 12, 47, 12, 1024, 10>,
            48,
            8,
            1024,
        >::new(placement, geometry, backend)?),
        _ => Box::new(Sharing::<
            rtl::Rtl<64, 32, 32, 6, 5, 6, 5, 16, 32, 31, 16, 63, 12, 2048, 11>,
            64,
            32,
            2048,
        >::new(placement, geometry, backend)?),
    })
}

/// Packs of the largest register stack that the hardware has.
pub const STACK_PACKS: u16 = 63;

fn stacks(placement: Stacked, geometry: Geometry, backend: Backend, levels: Levels) -> Built {
    use crate::cars::cars_top::rtl::Rtl;
    Ok(match (geometry.warps, geometry.packs) {
        (..=16, ..=512) => Box::new(Stacks::<Rtl<16, 4, 512, 9, 63, 6>, 16, 512, 63>::new(
            placement, geometry, backend, levels,
        )?),
        (..=48, ..=1024) => Box::new(Stacks::<Rtl<48, 6, 1024, 10, 63, 6>, 48, 1024, 63>::new(
            placement, geometry, backend, levels,
        )?),
        _ => Box::new(Stacks::<Rtl<64, 6, 2048, 11, 63, 6>, 64, 2048, 63>::new(
            placement, geometry, backend, levels,
        )?),
    })
}

fn paired(base: u8, ext: u8, safe: bool, geometry: Geometry, backend: Backend) -> Built {
    macro_rules! lock {
        ($nw:literal, $pairs:literal, $groups:literal, $iw:literal, $packs:literal, $pw:literal) => {
            if safe {
                type Safe = Paired<
                    model::WarpBitModel<$nw>,
                    warp_bit::Rtl<$nw, $pairs, $groups, $iw>,
                    $nw,
                    $iw,
                    $packs,
                    $pw,
                >;
                Box::new(Safe::new(base, ext, safe, geometry, backend)?) as Box<dyn RegisterManager>
            } else {
                type Paper = Paired<
                    model::PairBitModel<$nw>,
                    pair_bit::Rtl<$nw, $pairs, $groups, $iw>,
                    $nw,
                    $iw,
                    $packs,
                    $pw,
                >;
                Box::new(Paper::new(base, ext, safe, geometry, backend)?)
            }
        };
    }
    Ok(match (geometry.warps, geometry.packs) {
        (..=8, ..=512) => lock!(8, 4, 1, 3, 512, 9),
        (..=48, ..=512) => lock!(48, 24, 6, 6, 512, 9),
        (..=48, ..=1024) => lock!(48, 24, 6, 6, 1024, 10),
        (..=48, _) => lock!(48, 24, 6, 6, 2048, 11),
        (_, ..=512) => lock!(64, 32, 8, 6, 512, 9),
        (_, ..=1024) => lock!(64, 32, 8, 6, 1024, 10),
        _ => lock!(64, 32, 8, 6, 2048, 11),
    })
}
