//! A waveform while a kernel runs: made in a folder of its own beside its place, moved there when it is whole.

use crate::failure::{Failure, Outcome};
use crate::output;
use crate::unfinished;
use regshare_sim::observe::probe::SharedProbe;
use regshare_sim::observe::wave::{Wave, WaveOptions};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What the files beside a waveform end in: for GTKWave, for Surfer.
const SAVE_FILES: [&str; 2] = ["gtkw", "sucl"];

/// A waveform that is being written.
pub struct Recording {
    place: PathBuf,
    folder: tempfile::TempDir,
    wave: Arc<Mutex<Wave<BufWriter<File>>>>,
    has_trigger: bool,
}

impl Recording {
    /// Begins a waveform that will lie at `path`.
    pub fn begin(path: &Path, options: WaveOptions) -> Outcome<Self> {
        let cannot = |error: &dyn std::fmt::Display| {
            Failure::input(
                format!("cannot write {}: {error}", path.display()),
                "choose another place",
            )
        };
        let name = path.file_name().ok_or_else(|| cannot(&"not a file name"))?;
        if path.exists() && !path.is_file() {
            return Err(cannot(&"it is there and not a file"));
        }
        if SAVE_FILES
            .iter()
            .any(|extension| path.extension() == Some(extension.as_ref()))
        {
            return Err(Failure::input(
                format!("{} is the name of a save file", path.display()),
                format!(
                    "name the waveform itself, --wave {}; .gtkw and .sucl are written beside it",
                    path.with_extension("vcd").display()
                ),
            ));
        }
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        unfinished::make_folder(parent).map_err(|error| cannot(&error))?;
        let folder = unfinished::folder_in(parent).map_err(|error| cannot(&error))?;
        let has_trigger = options.trigger.is_some();
        let wave =
            Wave::create(&folder.path().join(name), options).map_err(|error| cannot(&error))?;
        Ok(Recording {
            place: path.to_owned(),
            folder,
            wave: Arc::new(Mutex::new(wave)),
            has_trigger,
        })
    }

    /// The probe for the options of the run.
    pub fn probe(&self) -> SharedProbe {
        self.wave.clone()
    }

    /// Moves the waveform and its save files to their place.
    pub fn keep(self) -> Outcome {
        let Recording {
            place,
            folder,
            wave,
            has_trigger,
        } = self;
        let fired = wave.lock().unwrap_or_else(PoisonError::into_inner).fired();
        if has_trigger && !fired {
            output::notes(&[format!(
                "the trigger never came true: {} has the last cycles of the run",
                place.display()
            )]);
        }
        drop(wave);
        for extension in [None].into_iter().chain(SAVE_FILES.map(Some)) {
            let to = extension.map_or_else(
                || place.clone(),
                |extension| place.with_extension(extension),
            );
            let from = folder.path().join(to.file_name().unwrap_or_default());
            std::fs::rename(&from, &to).map_err(|error| {
                Failure::input(
                    format!("cannot write {}: {error}", to.display()),
                    "choose another place",
                )
            })?;
        }
        Ok(())
    }
}
