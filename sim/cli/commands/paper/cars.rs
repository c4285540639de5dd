//! CARS: the call graph of Figure 4, and storage.

use super::figures::{self, Figure, Paper};
use crate::failure::{OrFail, Outcome};
use regshare_hw::cars::cost::{
    CarsPaperBits, RegisterStackBits, ReservationFsmBits, StalledWarpsBits,
};
use regshare_hw::manager::STACK_PACKS;
use regshare_sim::machine::Machine;
use regshare_sim::scheme::paper::cars_figure_4;

/// Levels of the state machine as it is built.
const LEVELS: u64 = 8;

/// The section.
pub fn text() -> Outcome<String> {
    let mut graph = "CARS Figure 4 (the drawing is lost: kernel, largest function and watermarks are the paper's, \
                     the others agree with them)\n"
        .to_owned();
    for line in cars_figure_4().text().lines() {
        graph += line.trim_end();
        graph.push('\n');
    }
    let figures = figures::table("CARS, on v100", &figures()?);
    Ok([graph, figures].join("\n"))
}

/// Watermarks of Figure 4, and storage (IV-C).
pub fn figures() -> Outcome<Vec<Figure>> {
    let graph = cars_figure_4();
    let limits = Machine::preset("v100").or_input()?.limits;
    let (warps, packs) = (
        u64::from(limits.warps_per_sm),
        u64::from(limits.packs_per_sm),
    );
    let paper = CarsPaperBits::new(warps, packs);
    let stacks = RegisterStackBits::new(warps, packs, STACK_PACKS.into());
    let stalled = StalledWarpsBits::new(warps);
    let levels = ReservationFsmBits::new(LEVELS);
    let figure = |place, what: String, computed, paper| Figure {
        place,
        what,
        computed,
        paper,
    };
    let counted = |what: String, bits: u64, printed| {
        let computed = format!("{bits} bits = {} B", bits / 8);
        figure("IV-C", what, computed, Paper::Prints(printed))
    };
    let built = |what: String, bits: u64, why| {
        figure("IV-C", what, format!("{bits} bits"), Paper::Silent(why))
    };
    Ok(vec![
        figure(
            "III-B",
            format!(
                "Low-watermark of Figure 4: {} + {}",
                graph.times_low(0),
                graph.largest_fru()
            ),
            format!("{} registers", graph.low()),
            Paper::Prints("30 registers"),
        ),
        figure(
            "III-B",
            "High-watermark of Figure 4".to_owned(),
            format!("{} registers", graph.high()),
            Paper::Prints("56 registers"),
        ),
        counted(
            format!("list of {warps} stalled warps"),
            paper.stalled_list,
            "384 bits = 48 B",
        ),
        counted(
            format!("free registers of {packs} for {warps} warps"),
            paper.free_counts,
            "320 bits = 40 B",
        ),
        counted(
            "RFP and RSP".to_owned(),
            paper.pointers,
            "1408 bits = 176 B",
        ),
        counted("all of it".to_owned(), paper.total(), "2112 bits = 264 B"),
        built(
            format!(
                "the list as built: {} + {} + {}",
                stalled.list, stalled.ends, stalled.stalled
            ),
            stalled.total(),
            "where it begins and ends, and who is in it, besides",
        ),
        built(
            format!(
                "pointers and counts as built: {} + {} + {}",
                stacks.pointers, stacks.free_counts, stacks.launched
            ),
            stacks.total(),
            "a count goes to the largest stack, and a bit says who has one",
        ),
        built(
            format!("state machine of Figure 5, {LEVELS} levels"),
            levels.total(),
            "not counted by the paper",
        ),
    ])
}
