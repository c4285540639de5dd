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

use super::machine_of;
use crate::args::ReproArgs;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::report::chart;
use figure::Figure;
use figures::REGMUTEX;
use recipe::Recipe;
use regshare_sim::machine::Machine;
use runs::{Compilations, Runs};
use sharing::SHARING;

/// Target of one kernel's accesses over time.
const OVER_TIME: &str = "cars-fig11:";
/// Target of one kernel's variants.
const REGDEM_OF: &str = "regdem:";

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
    let mut variants_of: Vec<&str> = Vec::new();
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
            name if name.starts_with(REGDEM_OF) => {
                variants_of.extend(name.strip_prefix(REGDEM_OF));
            }
            name if name.starts_with("rfv:") => with_rfv.push(name.strip_prefix("rfv:")),
            name => {
                let recipe = all().find(|recipe| recipe.name == name).ok_or_else(|| {
                    let known: Vec<&str> = all().map(|recipe| recipe.name).collect();
                    Failure::input(
                        format!("there is nothing to reproduce called `{name}`"),
                        format!(
                            "targets: {}; regmutex, sharing, rfv, rfv:KERNEL, regdem, regdem:KERNEL, calls, cars, cars-fig11:KERNEL or all; tables of the papers and worked examples: regshare occupancy --paper",
                            known.join(", ")
                        ),
                    )
                })?;
                chosen.push(recipe);
            }
        }
    }
    if args.launch.is_some() && variants_of.is_empty() {
        return Err(Failure::input(
            "--launch starts the kernel of a target `regdem:KERNEL`",
            "give such a target, or leave out --launch",
        ));
    }
    if !args.link.is_empty() && variants_of.is_empty() {
        return Err(Failure::input(
            "--link adds files to that of a target `regdem:FILE`",
            "give such a target, or leave out --link",
        ));
    }
    let only_such = with_regdem || with_cars || !over_time.is_empty() || !variants_of.is_empty();
    if args.machine.is_some() && !only_such {
        return Err(Failure::input(
            "--machine is for `regdem`, `cars`, `regdem:KERNEL` and `cars-fig11:KERNEL`",
            "leave it out: the machine of the other targets is that of their paper",
        ));
    }
    let machines = |presets: &[&str]| -> Outcome<Vec<Machine>> {
        match &args.machine {
            Some(name) => Ok(vec![machine_of(name)?]),
            None => presets.iter().map(|name| machine_of(name)).collect(),
        }
    };
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
        figures.push((recipe.name.to_owned(), recipe.draw(&done)?));
    }
    if with_regdem {
        for machine in machines(&regdem::MACHINES)? {
            let name = format!("regdem-{}", machine.name);
            figures.push((name, regdem::figure(&done.kernels, &machine)?));
        }
    }
    for kernel in variants_of {
        for machine in machines(&[regdem::PAPER])? {
            let figure = regdem::figure_of(kernel, &args.link, args.launch.as_deref(), &machine)?;
            figures.push(("regdem-variants".to_owned(), figure));
        }
    }
    if with_calls {
        figures.push(("calls".to_owned(), calls::figure()?));
    }
    if with_cars {
        for machine in machines(&cars::MACHINES)? {
            let name = format!("cars-{}", machine.name);
            figures.push((name, cars::figure(&machine)?));
        }
    }
    for kernel in over_time {
        for machine in machines(&[cars::TIMED_ON])? {
            let figure = cars_time::figure(kernel, &machine)?;
            figures.push(("cars-fig11".to_owned(), figure));
        }
    }
    for only in with_rfv {
        figures.push(("rfv".to_owned(), rfv::figure(only)?));
    }
    for (name, figure) in figures {
        text += &if args.markdown {
            figure.markdown()
        } else {
            figure.text()
        };
        if let Some(folder) = &args.out {
            write(folder, &name, &figure)?;
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
