//! Our cycles over the peer's, on logarithmic axes.

use super::compare::Compared;
use plotters::prelude::*;

/// The drawing as SVG.
pub fn draw(compared: &[Compared]) -> Result<String, String> {
    let mut text = String::new();
    plot(compared, &mut text).map_err(|error| format!("the scatter cannot be drawn: {error}"))?;
    Ok(text)
}

fn plot(compared: &[Compared], text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let cycles = compared
        .iter()
        .flat_map(|both| [both.ours.cycles, both.peer.cycles]);
    let (low, high) = cycles.fold((f64::MAX, 1.0f64), |(low, high), cycles| {
        let cycles = cycles.max(1) as f64;
        (low.min(cycles), high.max(cycles))
    });
    let range = low / 1.5..high * 1.5;
    let root = SVGBackend::with_string(text, (640, 640)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(range.clone().log_scale(), range.clone().log_scale())?;
    (chart.configure_mesh())
        .x_desc("cycles of the peer")
        .y_desc("cycles")
        .x_label_formatter(&|cycles| format!("{cycles:.0}"))
        .y_label_formatter(&|cycles| format!("{cycles:.0}"))
        .draw()?;
    chart.draw_series(LineSeries::new(
        [(range.start, range.start), (range.end, range.end)],
        BLACK.mix(0.4),
    ))?;
    let colour = |group: &str| match group {
        "micro" => RGBColor(0x1f, 0x77, 0xb4),
        "synth" => RGBColor(0xd6, 0x27, 0x28),
        _ => RGBColor(0x2c, 0xa0, 0x2c),
    };
    chart.draw_series(compared.iter().map(|both| {
        let at = (
            both.peer.cycles.max(1) as f64,
            both.ours.cycles.max(1) as f64,
        );
        Circle::new(at, 2, colour(&both.peer.group).filled())
    }))?;
    root.present()?;
    Ok(())
}
