//! `regshare repro`: the papers' figures on the bundled kernels.

mod calls;
mod cars;
mod cars_time;
mod figure;
mod figures;
mod measure;
mod recipe;
mod regdem;
mod rfv;
mod runs;
mod sharing;

use crate::args::ReproArgs;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::report::chart;
use figure::Figure;
use figures::REGMUTEX;
use recipe::Recipe;
use runs::{Compilations, Runs};
use sharing::SHARING;

/// Target of one kernel's accesses over time.
const OVER_TIME: &str = "cars-fig11:";

/// All figures that can be reproduced with the systems that are built.
fn all() -> impl Iterator<Item = &'static Recipe> {
    REGMUTEX.iter().chain(&SHARING)
}

/// Runs what the figures need, prints them as tables and, where asked, writes data and pictures.
pub fn run(args: &ReproArgs) -> Outcome {
    output::print(&text(args)?)
}

/// What [`run`] prints.
pub fn text(args: &ReproArgs) -> Outcome<String> {
    let mut chosen: Vec<&'static Recipe> = Vec::new();
    let (mut with_regdem, mut with_calls, mut with_cars) = (false, false, false);
    let mut with_rfv: Vec<Option<&str>> = Vec::new();
    let mut over_time: Vec<&str> = Vec::new();
    for target in &args.targets {
        match target.as_str() {
            "all" => {
                chosen.extend(all());
                (with_regdem, with_calls, with_cars) = (true, true, true);
                with_rfv.push(None);
            }
            "regmutex" => chosen.extend(&REGMUTEX),
            "sharing" => chosen.extend(&SHARING),
            "regdem" => with_regdem = true,
            "calls" => with_calls = true,
            "cars" => with_cars = true,
            "rfv" => with_rfv.push(None),
            name if name.starts_with(OVER_TIME) => over_time.extend(name.strip_prefix(OVER_TIME)),
            name if name.starts_with("rfv:") => with_rfv.push(name.strip_prefix("rfv:")),
            name => {
                let recipe = all().find(|recipe| recipe.name == name).ok_or_else(|| {
                    let known: Vec<&str> = all().map(|recipe| recipe.name).collect();
                    Failure::input(
                        format!("there is nothing to reproduce called `{name}`"),
                        format!(
                            "targets: {}; regmutex, sharing, rfv, rfv:KERNEL, regdem, calls, cars, cars-fig11:KERNEL or all; tables of the papers and worked examples: regshare occupancy --paper",
                            known.join(", ")
                        ),
                    )
                })?;
                chosen.push(recipe);
            }
        }
    }
    let kernels = Compilations::make()?;
    let mut wanted: Vec<runs::Key> = Vec::new();
    for recipe in &chosen {
        wanted.extend(recipe.needs(&kernels)?);
    }
    wanted.sort();
    wanted.dedup();
    let done = Runs::make(kernels, &wanted)?;
    let mut text = String::new();
    let mut figures = Vec::new();
    for recipe in chosen {
        figures.push((recipe.name, recipe.draw(&done)?));
    }
    if with_regdem {
        for (name, machine) in ["regdem", "regdem-maxwell"]
            .into_iter()
            .zip(regdem::MACHINES)
        {
            figures.push((name, regdem::figure(&done.kernels, machine)?));
        }
    }
    if with_calls {
        figures.push(("calls", calls::figure()?));
    }
    if with_cars {
        figures.push(("cars", cars::figure()?));
    }
    for kernel in over_time {
        figures.push(("cars-fig11", cars_time::figure(kernel)?));
    }
    for only in with_rfv {
        figures.push(("rfv", rfv::figure(only)?));
    }
    for (name, figure) in figures {
        text += &if args.markdown {
            figure.markdown()
        } else {
            figure.text()
        };
        if let Some(folder) = &args.out {
            write(folder, name, &figure)?;
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
