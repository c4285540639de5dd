//! Bar charts of a figure, as SVG.

use plotters::prelude::*;

/// Bars of one colour.
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// One value per group; NaN leaves the bar out.
    pub values: Vec<f64>,
}

/// Colours that colour-blind readers tell apart, too (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x99, 0x99, 0x99),
];

/// Grouped bars: one group per name in `groups`, one bar per series.
///
/// # Errors
/// What the drawing library reports, in words.
pub fn bars(
    title: &str,
    unit: &str,
    groups: &[String],
    series: &[Series],
) -> Result<String, String> {
    let mut svg = String::new();
    draw(&mut svg, title, unit, groups, series).map_err(|error| error.to_string())?;
    Ok(svg)
}

fn draw(
    svg: &mut String,
    title: &str,
    unit: &str,
    groups: &[String],
    series: &[Series],
) -> Result<(), Box<dyn std::error::Error>> {
    let values = || {
        series
            .iter()
            .flat_map(|s| &s.values)
            .copied()
            .filter(|v| v.is_finite())
    };
    let top = values().fold(0.0, f64::max) * 1.08;
    let bottom = values().fold(0.0, f64::min) * 1.08;
    let top = if top > bottom { top } else { bottom + 1.0 };
    let slots = series.len() + 1;
    let width = (140 + groups.len() * slots * 11).max(640) as u32;
    let area = SVGBackend::with_string(svg, (width, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 17))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..groups.len() as f64, bottom..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_desc(unit)
        .y_label_formatter(&|value| format!("{value:.0}"))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (index, one) in series.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let step = 1.0 / slots as f64;
        let bars = one
            .values
            .iter()
            .enumerate()
            .filter(|(_, value)| value.is_finite())
            .map(|(group, value)| {
                let left = group as f64 + step * (index as f64 + 0.5);
                Rectangle::new([(left, 0.0), (left + step * 0.9, *value)], colour.filled())
            });
        chart
            .draw_series(bars)?
            .label(one.name.clone())
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
    }
    let origin = chart.plotting_area().get_pixel_range();
    for (index, group) in groups.iter().enumerate() {
        let span = (origin.0.end - origin.0.start) as f64 / groups.len() as f64;
        let x = f64::from(origin.0.start) + span * (index as f64 + 0.5);
        let style = ("sans-serif", 12).into_font().color(&BLACK).pos(
            plotters::style::text_anchor::Pos::new(
                plotters::style::text_anchor::HPos::Center,
                plotters::style::text_anchor::VPos::Top,
            ),
        );
        area.draw_text(
            group,
            &style,
            (x as i32, origin.1.end + 8 + 14 * (index as i32 % 2)),
        )?;
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    Ok(())
}
