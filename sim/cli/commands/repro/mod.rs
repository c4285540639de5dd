//! `regshare repro`: the paper's figures on the bundled kernels.

mod figure;
mod figures;
mod measure;
mod recipe;
mod runs;

use crate::args::ReproArgs;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::report::chart;
use figure::Figure;
use figures::FIGURES;
use recipe::Recipe;
use runs::Runs;

/// Runs what the figures need, prints them as tables and, where asked, writes data and pictures.
pub fn run(args: &ReproArgs) -> Outcome {
    output::print(&text(args)?)
}

/// What [`run`] prints.
pub fn text(args: &ReproArgs) -> Outcome<String> {
    let mut chosen: Vec<&'static Recipe> = Vec::new();
    for target in &args.targets {
        if target == "all" {
            chosen.extend(&FIGURES);
            continue;
        }
        let recipe = FIGURES.iter().find(|recipe| recipe.name == target).ok_or_else(|| {
            let known: Vec<&str> = FIGURES.iter().map(|recipe| recipe.name).collect();
            Failure::input(
                format!("there is nothing to reproduce called `{target}`"),
                format!("targets: {}, or all; Table I and the worked examples: regshare occupancy --paper", known.join(", ")),
            )
        })?;
        chosen.push(recipe);
    }
    let mut wanted: Vec<runs::Key> = chosen.iter().flat_map(|recipe| recipe.needs()).collect();
    wanted.sort();
    wanted.dedup();
    let done = Runs::make(&wanted)?;
    let mut text = String::new();
    for recipe in chosen {
        let figure = recipe.draw(&done);
        text += &if args.markdown {
            figure.markdown()
        } else {
            figure.text()
        };
        if let Some(folder) = &args.out {
            write(folder, recipe.name, &figure)?;
        }
    }
    Ok(text)
}

fn write(folder: &std::path::Path, name: &str, figure: &Figure) -> Outcome {
    let json = serde_json::to_string_pretty(&figure.json()).map_err(Failure::run)? + "\n";
    output::write_file(&folder.join(format!("{name}.json")), json.as_bytes())?;
    for (index, panel) in figure.panels.iter().enumerate() {
        let svg = chart::bars(&panel.title, &panel.unit, &panel.groups, &panel.series)
            .map_err(Failure::run)?;
        let suffix = if figure.panels.len() == 1 {
            String::new()
        } else {
            format!("-{}", index + 1)
        };
        output::write_file(&folder.join(format!("{name}{suffix}.svg")), svg.as_bytes())?;
    }
    Ok(())
}
