//! Verilog that is not linked in, for `--backend verilog`: exported and compiled when a run asks for it.

use crate::{output, unfinished};
use indicatif::ProgressBar;
use regshare_gen::catalog;
use regshare_hw::verilog::on_demand::{self, Source};
use std::any::Any;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Has such modules made, from now on.
pub fn install() {
    on_demand::make_from(&Exporter);
}

static SPENT: Mutex<Duration> = Mutex::new(Duration::ZERO);

/// How long that took until now: time of a run in which no SM ran.
pub fn spent() -> Duration {
    *SPENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Exports what is asked for, and says on a terminal that this takes a while.
struct Exporter;

impl Source for Exporter {
    fn verilog(&self, module: &str) -> Option<Result<String, String>> {
        let verilog = catalog::by_name(module)?;
        Some(verilog.map_err(|error| error.to_string()))
    }

    fn folder(&self) -> io::Result<TempDir> {
        unfinished::folder()
    }

    fn begin(&self, module: &str) -> Box<dyn Any> {
        Box::new(Work {
            shown: output::busy(&format!("compiling {module}")),
            begun: Instant::now(),
        })
    }
}

/// While a module is made: a line of progress, and the time.
struct Work {
    shown: ProgressBar,
    begun: Instant,
}

impl Drop for Work {
    fn drop(&mut self) {
        self.shown.finish_and_clear();
        *SPENT.lock().unwrap_or_else(PoisonError::into_inner) += self.begun.elapsed();
    }
}
