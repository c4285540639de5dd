//! A timeline while a kernel runs: written to a file beside its place, moved there when it is whole.

use crate::failure::{Failure, Outcome};
use crate::unfinished;
use regshare_sim::observe::timeline::{Kanata, Perfetto};
use regshare_sim::observe::watch::SharedWatcher;
use regshare_sim::observe::wave::Window;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A timeline that is being written.
pub struct Timeline {
    place: PathBuf,
    file: tempfile::NamedTempFile,
    watcher: SharedWatcher,
}

impl Timeline {
    /// Begins a timeline that will lie at `path`, in the format that its name says.
    pub fn begin(path: &Path, window: Option<Window>) -> Outcome<Self> {
        let cannot = |error: &dyn std::fmt::Display| {
            Failure::input(
                format!("cannot write {}: {error}", path.display()),
                "choose another place",
            )
        };
        let extension = path.extension().and_then(|extension| extension.to_str());
        let is_kanata = match extension {
            Some("json") => false,
            Some("kanata" | "log") => true,
            _ => {
                return Err(Failure::input(
                    format!(
                        "{}: the name of a timeline says its format, and this one says none",
                        path.display()
                    ),
                    format!(
                        "name it {} for Perfetto, or {} for Konata",
                        path.with_extension("json").display(),
                        path.with_extension("kanata").display()
                    ),
                ));
            }
        };
        if path.exists() && !path.is_file() {
            return Err(cannot(&"it is there and not a file"));
        }
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        unfinished::make_folder(parent).map_err(|error| cannot(&error))?;
        let file = unfinished::file_in(parent).map_err(|error| cannot(&error))?;
        let out = BufWriter::new(file.reopen().map_err(|error| cannot(&error))?);
        let watcher: SharedWatcher = match is_kanata {
            true => Arc::new(Mutex::new(Kanata::new(out, window))),
            false => Arc::new(Mutex::new(Perfetto::new(out, window))),
        };
        Ok(Timeline {
            place: path.to_owned(),
            file,
            watcher,
        })
    }

    /// The watcher for the options of the run.
    pub fn watcher(&self) -> SharedWatcher {
        self.watcher.clone()
    }

    /// Moves the timeline to its place.
    pub fn keep(self) -> Outcome {
        let Timeline {
            place,
            file,
            watcher,
        } = self;
        drop(watcher);
        let cannot = |error: &dyn std::fmt::Display| {
            Failure::input(
                format!("cannot write {}: {error}", place.display()),
                "choose another place",
            )
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::Permissions::from_mode(0o644);
            let set = file.as_file().set_permissions(mode);
            set.map_err(|error| cannot(&error))?;
        }
        file.persist(&place).map_err(|error| cannot(&error))?;
        Ok(())
    }
}
