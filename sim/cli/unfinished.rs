//! What lies on the disk only until a file is whole. Interrupted by SIGINT, SIGTERM or SIGHUP, the program removes it and ends
//! with 128 and the number of the signal, as a shell tells it.
//!
//! Nothing is ever taken off the list: what was moved to its place is no longer there under its first name, which is a random one.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempDir};

/// What an interruption removes.
struct Left {
    /// Temporary files and folders.
    temporary: Vec<PathBuf>,
    /// Folders made for results: only empty ones go.
    made: Vec<PathBuf>,
}

/// Locked while something is made, and by an interruption for good: nothing is made behind its back.
static LEFT: Mutex<Left> = Mutex::new(Left {
    temporary: Vec::new(),
    made: Vec::new(),
});

fn left() -> MutexGuard<'static, Left> {
    LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the folder of a result, and those above it.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut left = left();
    let missing = (folder.ancestors())
        .filter(|folder| !folder.as_os_str().is_empty())
        .take_while(|folder| !folder.exists());
    left.made.extend(missing.map(Path::to_owned));
    std::fs::create_dir_all(folder)
}

/// A temporary file in the folder of a result.
pub fn file_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut left = left();
    let file = NamedTempFile::new_in(folder)?;
    left.temporary.push(file.path().to_owned());
    Ok(file)
}

/// A temporary folder beside a result.
pub fn folder_in(parent: &Path) -> io::Result<TempDir> {
    let mut left = left();
    let folder = tempfile::tempdir_in(parent)?;
    left.temporary.push(folder.path().to_owned());
    Ok(folder)
}

/// A temporary folder where the system has its own.
pub fn folder() -> io::Result<TempDir> {
    folder_in(&std::env::temp_dir())
}

/// Before the program ends by itself: an interruption that came first ends it.
pub fn wait_if_interrupted() {
    drop(left());
}

/// Ends the program when a signal says so, from now on.
#[cfg(unix)]
pub fn listen() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = ignored_signals();
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter();
    let heard = heard.filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(heard)?;
    let ended_by_signal = move || {
        if let Some(signal) = signals.forever().next() {
            let left = left();
            left.remove();
            std::process::exit(128 + signal);
        }
    };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    thread.spawn(ended_by_signal).map(|_| ())
}

/// Without signals, nothing ends the program in a way that it could see.
#[cfg(not(unix))]
pub fn listen() -> io::Result<()> {
    Ok(())
}

/// A bit for each signal, from bit 0 for signal 1, that is ignored (`nohup`, a job in the background) and stays so. Only Linux
/// tells.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.map_or(0, |bits| u64::from_str_radix(bits.trim(), 16).unwrap_or(0))
}

#[cfg(unix)]
impl Left {
    fn remove(&self) {
        self.temporary.iter().for_each(|path| remove(path));
        let mut made: Vec<_> = self.made.iter().collect();
        made.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
        for folder in made {
            // One with something in it stays.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Tries a folder again into which others still write: threads of ours, or a program that was started.
#[cfg(unix)]
fn remove(path: &Path) {
    const TRIES: u32 = 20;
    for _ in 0..TRIES {
        let removed = match path.is_dir() {
            true => std::fs::remove_dir_all(path),
            false => std::fs::remove_file(path),
        };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {}
            _ => return,
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}
