//! Timelines of a run: for Perfetto, what each warp did when ([`Perfetto`]); for Konata, each instruction's way through the
//! pipeline ([`Kanata`]).

mod kanata;
mod perfetto;

pub use kanata::Kanata;
pub use perfetto::Perfetto;
