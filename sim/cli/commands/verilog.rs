//! `regshare verilog`: the hardware as Verilog.

use crate::args::VerilogArgs;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::report::table::plain;
use regshare_gen::catalog::{self, Entry, SelectError};
use regshare_gen::cost::CostTable;
use regshare_gen::package;
use regshare_gen::runs::RunTable;
use std::path::Path;

/// Writes or checks.
pub fn run(args: &VerilogArgs) -> Outcome {
    if !args.check {
        let alone = catalog::uncataloged();
        let (alone, units): (Vec<_>, Vec<_>) =
            (args.units.iter().cloned()).partition(|name| alone.contains(name));
        write_alone(&args.out, &alone)?;
        if units.is_empty() && !alone.is_empty() {
            return Ok(());
        }
        return write(&args.out, &selection(&units, &args.parameters)?);
    }
    let entries = selection(&args.units, &args.parameters)?;
    check(args, &entries)
}

/// Writes the Verilog of modules that come without bench, page and costs.
fn write_alone(out: &Path, modules: &[String]) -> Outcome {
    for module in modules {
        let verilog = match catalog::by_name(module) {
            Some(verilog) => verilog.map_err(Failure::run)?,
            None => continue,
        };
        let file = out.join(module).join(format!("{module}.v"));
        output::write_file(&file, verilog.as_bytes())?;
        output::print(&format!("{}\n", file.display()))?;
    }
    Ok(())
}

/// The entries that a user named.
pub fn selection(units: &[String], parameters: &[String]) -> Outcome<Vec<Entry>> {
    let parameters = parameters
        .iter()
        .map(|text| parameter(text))
        .collect::<Outcome<Vec<_>>>()?;
    catalog::select(units, &parameters).map_err(|error: SelectError| {
        Failure::input(
            error,
            "`regshare list units` shows every unit with its parameter sets",
        )
    })
}

fn parameter(text: &str) -> Outcome<(String, String)> {
    text.split_once('=')
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .ok_or_else(|| {
            Failure::input(
                format!("-P {text}: not a parameter"),
                "give NAME=VALUE, for example -P warps=48",
            )
        })
}

/// Writes the folders of `entries` and says what was written.
fn write(out: &Path, entries: &[Entry]) -> Outcome {
    let files = package::write_all(
        out,
        entries,
        &CostTable::committed(),
        &RunTable::committed(),
    )
    .map_err(|error| {
        Failure::input(
            format!("cannot write the Verilog: {error}"),
            "choose another --out",
        )
    })?;
    let mut text = String::new();
    for entry in entries {
        text += &format!("{}\n", out.join(&entry.name).display());
    }
    let modules = match entries.len() {
        1 => "1 module".to_owned(),
        count => format!("{count} modules"),
    };
    text += &format!("{modules}, {} files\n", files.len());
    output::print(&text)
}

/// Fails if a file is stale.
fn check(args: &VerilogArgs, entries: &[Entry]) -> Outcome {
    let whole = args.units.is_empty() && args.parameters.is_empty();
    let stale = package::check(
        &args.out,
        entries,
        &CostTable::committed(),
        &RunTable::committed(),
        whole,
    )
    .map_err(|error| {
        Failure::input(
            format!("cannot compare {}: {error}", args.out.display()),
            "check --out",
        )
    })?;
    if stale.is_empty() {
        return output::print(&format!(
            "{} units are up to date in {}\n",
            entries.len(),
            args.out.display()
        ));
    }
    let list: Vec<String> = stale.iter().map(|file| format!("  {file}")).collect();
    Err(Failure::run(format!(
        "{} files in {} are not what the source gives (`cargo bless` regenerates them):\n{}",
        stale.len(),
        args.out.display(),
        list.join("\n")
    )))
}

/// Everything that can be exported, as a table.
pub fn units() -> String {
    let mut table = plain(&["unit", "parameters", "module", "what it is"]);
    for entry in catalog::catalog() {
        let parameters: Vec<String> = entry
            .params
            .iter()
            .map(|param| format!("{}={}", param.name, param.value))
            .collect();
        table.add_row([
            entry.unit.to_owned(),
            parameters.join(" "),
            entry.name.clone(),
            entry.summary.to_owned(),
        ]);
    }
    format!("{table}\n")
}

/// Writes everything and says nothing.
pub fn write_quietly(out: &Path) -> Outcome {
    package::write_all(
        out,
        &catalog::catalog(),
        &CostTable::committed(),
        &RunTable::committed(),
    )
    .map(|_| ())
    .map_err(|error| {
        Failure::input(
            format!("cannot write the Verilog: {error}"),
            "choose another --out",
        )
    })
}
