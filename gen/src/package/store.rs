//! Writing folders, and finding what in them is out of date.

use super::{Files, files};
use crate::catalog::Entry;
use crate::cost::CostTable;
use crate::export::ExportError;
use crate::runs::RunTable;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why folders could not be written or compared.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A unit cannot be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A file that is not as it would be written now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stale {
    /// Its contents differ.
    Differs(PathBuf),
    /// It is not there.
    Missing(PathBuf),
    /// Nothing writes it.
    Extra(PathBuf),
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stale::Differs(path) => write!(f, "{}: out of date", path.display()),
            Stale::Missing(path) => write!(f, "{}: missing", path.display()),
            Stale::Extra(path) => write!(f, "{}: nothing generates it", path.display()),
        }
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::Io { path, source }
}

fn all_files(entries: &[Entry], costs: &CostTable, runs: &RunTable) -> Result<Files, StoreError> {
    let mut all = Files::new();
    for entry in entries {
        all.extend(files(entry, costs, runs)?);
    }
    Ok(all)
}

/// Writes the folders of `entries` below `out` and returns what was written. Each file appears at once and whole;
/// nothing is written if any entry cannot be exported. Other files in `out` are left alone.
///
/// # Errors
/// [`StoreError`]; a file that cannot be written ends the work, those before it stay.
pub fn write_all(
    out: &Path,
    entries: &[Entry],
    costs: &CostTable,
    runs: &RunTable,
) -> Result<Vec<PathBuf>, StoreError> {
    let files = all_files(entries, costs, runs)?;
    for (path, text) in &files {
        let path = out.join(path);
        let folder = path.parent().unwrap_or(out);
        std::fs::create_dir_all(folder).map_err(failed(folder))?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed(folder))?;
        file.write_all(text.as_bytes()).map_err(failed(&path))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let everyone_reads = std::fs::Permissions::from_mode(0o644);
            file.as_file()
                .set_permissions(everyone_reads)
                .map_err(failed(&path))?;
        }
        file.persist(&path)
            .map_err(|error| failed(&path)(error.error))?;
    }
    Ok(files.into_keys().collect())
}

/// Compares `out` with what [`write_all`] would write: files that differ or are missing, and files in the folders of
/// `entries` (with `whole`, anywhere in `out`) that nothing generates. Sorted by path.
///
/// # Errors
/// [`StoreError`] if an entry cannot be exported or a file cannot be read.
pub fn check(
    out: &Path,
    entries: &[Entry],
    costs: &CostTable,
    runs: &RunTable,
    whole: bool,
) -> Result<Vec<Stale>, StoreError> {
    let files = all_files(entries, costs, runs)?;
    let mut stale = Vec::new();
    for (path, text) in &files {
        match std::fs::read(out.join(path)) {
            Ok(found) if found == text.as_bytes() => {}
            Ok(_) => stale.push(Stale::Differs(path.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                stale.push(Stale::Missing(path.clone()))
            }
            Err(error) => return Err(failed(&out.join(path))(error)),
        }
    }
    let folders: Vec<PathBuf> = if whole {
        vec![PathBuf::new()]
    } else {
        entries.iter().map(|entry| (&entry.name).into()).collect()
    };
    for folder in folders {
        let mut found = Vec::new();
        list(out, &folder, &mut found)?;
        stale.extend(
            found
                .into_iter()
                .filter(|path| !files.contains_key(path))
                .map(Stale::Extra),
        );
    }
    stale.sort_by_key(|stale| match stale {
        Stale::Differs(path) | Stale::Missing(path) | Stale::Extra(path) => path.clone(),
    });
    Ok(stale)
}

/// All files below `out/folder`, as paths below `out`.
fn list(out: &Path, folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), StoreError> {
    let absolute = out.join(folder);
    let entries = match std::fs::read_dir(&absolute) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(&absolute)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(failed(&absolute))?;
        let path = folder.join(entry.file_name());
        if entry.file_type().map_err(failed(&absolute))?.is_dir() {
            list(out, &path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}
