//! What both locks of resource sharing are made of: which CTA a warp belongs to and which warps a CTA has, the table of
//! partners, and the bits of the owner warps.

pub mod cta_bits;
pub mod cta_ends;
pub mod cta_mask;
pub mod ctas_above;
pub mod ctas_within;
pub mod handover;
#[cfg(feature = "strategies")]
pub mod kernel;
pub mod lower_ctas;
pub mod model;
pub mod pair_of_warp;
pub mod partner_of_cta;
pub mod partners;
pub mod range;
pub mod select;
