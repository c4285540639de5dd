//! Writing: standard output without panics on a closed pipe, files without partial leftovers, progress only on
//! a terminal.

use crate::failure::{Failure, Outcome};
use crate::unfinished;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use miette::{IntoDiagnostic, WrapErr};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

/// Prints `text` to standard output, without the blanks with which tables fill their last column.
pub fn print(text: &str) -> Outcome {
    let mut trimmed = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        trimmed.push_str(line.trim_end_matches([' ', '\n']));
        if line.ends_with('\n') {
            trimmed.push('\n');
        }
    }
    let text = trimmed;
    let mut stdout = std::io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .into_diagnostic()
        .wrap_err("cannot write to standard output")
        .map_err(Failure::Run)
}

/// Says a line on standard error. A closed or full one is no reason to fail.
pub fn note(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// What the reader of a kernel has to say about it.
pub fn notes(notes: &[String]) {
    for line in notes {
        note(&format!("note: {line}"));
    }
}

/// Writes a whole file or none: a temporary file beside it, then a rename. What is there and no file, such as
/// `/dev/null` or a pipe, is written to and stays what it is.
pub fn write_file(path: &Path, contents: &[u8]) -> Outcome {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let write = || -> std::io::Result<()> {
        if path.exists() && !path.is_file() {
            return std::fs::write(path, contents);
        }
        unfinished::make_folder(folder)?;
        let mut file = unfinished::file_in(folder)?;
        file.write_all(contents)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            file.as_file()
                .set_permissions(std::fs::Permissions::from_mode(0o644))?;
        }
        file.persist(path)?;
        Ok(())
    };
    write()
        .into_diagnostic()
        .wrap_err_with(|| format!("cannot write {}; choose another place", path.display()))
        .map_err(Failure::Input)
}

/// The most memory that this process held at any time, in MiB; `None` where the system does not say.
pub fn peak_memory_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = peak.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}

/// A progress bar on standard error; hidden unless that is a terminal. It shows that time goes by while a step is long.
pub fn progress(steps: u64) -> ProgressBar {
    let template = "{spinner} {bar:30} {pos}/{len} {elapsed} {msg}";
    on_terminal(Some(steps), template, String::new())
}

/// What is being done for an unknown time, on standard error; hidden unless that is a terminal, and gone when it is dropped.
pub fn busy(with: &str) -> ProgressBar {
    on_terminal(None, "{spinner} {elapsed} {msg}", with.to_owned())
}

/// All that is shown at once, a line each.
static SHOWN: LazyLock<MultiProgress> = LazyLock::new(|| {
    MultiProgress::with_draw_target(if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    })
});

/// With a message from its first line on: what is shorter than a tick has no other.
fn on_terminal(steps: Option<u64>, template: &str, message: String) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(steps, ProgressDrawTarget::hidden());
    let style = ProgressStyle::with_template(template).expect("the template is constant");
    let bar = SHOWN.add(bar.with_style(style).with_message(message));
    if !SHOWN.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}
