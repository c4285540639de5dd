//! What both locks of resource sharing are made of: which CTA a warp belongs to and which warps a CTA has, the table of
//! partners, and the bits of the owner warps.

pub mod chosen;
pub mod cta_locks;
pub mod cta_of_warp;
pub mod cta_warps;
pub mod handover;
#[cfg(any(test, feature = "strategies"))]
pub mod kernel;
pub mod lower_ctas;
pub mod model;
pub mod owners;
pub mod partners;
