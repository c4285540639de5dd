//! The committed rows by module, with what they were recorded of.

use crate::catalog::Entry;
use crate::recording::{Recording, Row};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Where the rows are kept, below the root of the repository: a file per module, and the list of them. They are compiled in.
pub const DATA: &str = "gen/data/runs";

/// The list of the files, as Rust.
const LIST: &str = "all.rs";

const COMMITTED: &[(&str, &str)] = &include!("../../data/runs/all.rs");

/// Name of the file of rows of a run in the folder of module `name`.
#[must_use]
pub fn run_vectors_name(name: &str) -> String {
    format!("{name}_run_vectors.txt")
}

/// What rows were recorded of, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The kernel that ran.
    pub kernel: String,
    /// The scheme that it ran under, with its options.
    pub scheme: String,
    /// The machine that it ran on.
    pub machine: String,
    /// How the rows follow from the run.
    pub source: String,
}

/// Rows of one module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What they were recorded of.
    pub origin: Origin,
    /// A line per row, as [`Recording::vectors`] writes it.
    pub vectors: String,
}

/// What cannot be read, or written.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A line before the rows that is missing.
    #[error("no line `# {0}: ..` before the rows; run `cargo bless`")]
    Heading(&'static str),
    /// A file of the recorded rows.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Run {
    /// The rows of `recording`.
    #[must_use]
    pub fn of(origin: Origin, recording: &Recording) -> Run {
        Run {
            origin,
            vectors: recording.vectors(),
        }
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.vectors.lines().count()
    }

    /// The rows of `entry`, whose run it is. What is no number ends them.
    #[must_use]
    pub fn recording(&self, entry: &Entry) -> Recording {
        let row = |line: &str| {
            let values: Option<Vec<u64>> = (line.split(' '))
                .map(|word| u64::from_str_radix(word, 16).ok())
                .collect();
            let (edge, values) = values?
                .split_first()
                .map(|(edge, rest)| (*edge == 1, rest.to_vec()))?;
            let (inputs, outputs) = values.split_at_checked(entry.inputs.len())?;
            Some(Row {
                inputs: inputs.to_vec(),
                outputs: outputs.to_vec(),
                edge,
            })
        };
        Recording {
            inputs: entry.inputs.clone(),
            outputs: entry.outputs.clone(),
            rows: self.vectors.lines().map_while(row).collect(),
        }
    }

    /// From the text of a file.
    ///
    /// # Errors
    /// [`RunError::Heading`]
    pub fn parse(text: &str) -> Result<Run, RunError> {
        let mut rest = text;
        let mut field = |name: &'static str| {
            let line = rest
                .strip_prefix("# ")
                .and_then(|line| line.split_once('\n'));
            let value = line.and_then(|(line, _)| line.strip_prefix(name)?.strip_prefix(": "));
            let value = value.ok_or(RunError::Heading(name))?.to_owned();
            rest = line.map_or("", |(_, after)| after);
            Ok(value)
        };
        let origin = Origin {
            kernel: field("kernel")?,
            scheme: field("scheme")?,
            machine: field("machine")?,
            source: field("source")?,
        };
        let vectors = rest.to_owned();
        Ok(Run { origin, vectors })
    }

    /// As the text of a file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Origin {
            kernel,
            scheme,
            machine,
            source,
        } = &self.origin;
        format!(
            "# kernel: {kernel}\n# scheme: {scheme}\n# machine: {machine}\n# source: {source}\n{}",
            self.vectors
        )
    }
}

/// Rows by module name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunTable(BTreeMap<String, Run>);

impl RunTable {
    /// The committed rows, recorded when the generated files were last made.
    ///
    /// # Panics
    /// If a committed file is none; a test reads them all.
    #[must_use]
    pub fn committed() -> RunTable {
        let runs = COMMITTED.iter().map(|(name, text)| {
            let run = Run::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            ((*name).to_owned(), run)
        });
        RunTable(runs.collect())
    }

    /// The rows of module `name`, if a run drives it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Run> {
        self.0.get(name)
    }

    /// Takes the rows of module `name`.
    pub fn insert(&mut self, name: &str, run: Run) {
        self.0.insert(name.into(), run);
    }

    /// Modules and their rows, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Run)> {
        self.0.iter().map(|(name, run)| (name.as_str(), run))
    }

    /// Writes the files and their list below `root`, and removes those of other modules.
    ///
    /// # Errors
    /// [`RunError::Io`]
    pub fn write(&self, root: &Path) -> Result<(), RunError> {
        let folder = root.join(DATA);
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| RunError::Io { path, source }
        };
        std::fs::create_dir_all(&folder).map_err(failed(&folder))?;
        let mut list = "// Generated by `cargo bless`; do not edit.\n[\n".to_owned();
        for (name, run) in self.iter() {
            let _ = writeln!(list, "    (\"{name}\", include_str!(\"{name}.txt\")),");
            let path = folder.join(format!("{name}.txt"));
            std::fs::write(&path, run.to_text()).map_err(failed(&path))?;
        }
        let path = folder.join(LIST);
        std::fs::write(&path, list + "]\n").map_err(failed(&path))?;
        for file in std::fs::read_dir(&folder).map_err(failed(&folder))? {
            let path = file.map_err(failed(&folder))?.path();
            let module = path.file_stem().and_then(|stem| stem.to_str());
            let is_rows = path.extension().is_some_and(|end| end == "txt");
            if is_rows && module.is_some_and(|module| self.get(module).is_none()) {
                std::fs::remove_file(&path).map_err(failed(&path))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::catalog;

    fn run() -> Run {
        let word = |word: &str| word.to_owned();
        Run {
            origin: Origin {
                kernel: word("convsep"),
                scheme: word("regmutex"),
                machine: word("gtx480 with 8 warps"),
                source: word("instance `srp_allocator`"),
            },
            vectors: word("1 0 ff\n0 1 0\n"),
        }
    }

    #[test]
    fn a_file_says_what_it_was_recorded_of_and_is_refused_otherwise() {
        let text = run().to_text();
        assert_eq!(Run::parse(&text).expect("complete"), run());
        assert_eq!(run().rows(), 2);
        let without = text.replace("# machine: gtx480 with 8 warps\n", "");
        let refused = Run::parse(&without).expect_err("no machine");
        assert!(matches!(refused, RunError::Heading("machine")), "{refused}");
    }

    #[test]
    fn writing_leaves_no_rows_of_modules_that_have_none() {
        let root = tempfile::tempdir().expect("temporary folder");
        let mut table = RunTable::default();
        table.insert("one", run());
        table.insert("two", run());
        table.write(root.path()).expect("written");
        let mut fewer = RunTable::default();
        fewer.insert("two", run());
        fewer.write(root.path()).expect("written");
        let folder = root.path().join(DATA);
        let names = std::fs::read_dir(&folder).expect("a folder");
        let mut names: Vec<_> = names
            .map(|file| file.expect("readable").file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["all.rs", "two.txt"]);
        let list = std::fs::read_to_string(folder.join("all.rs")).expect("a list");
        assert!(
            list.contains("(\"two\", include_str!(\"two.txt\")),"),
            "{list}"
        );
    }

    #[test]
    fn committed_rows_have_a_value_per_pin_of_a_module_that_there_is() {
        let (table, entries) = (RunTable::committed(), catalog());
        for (name, run) in table.iter() {
            let entry = entries.iter().find(|entry| entry.name == name);
            let entry = entry.unwrap_or_else(|| panic!("{name} is in the catalog"));
            let fields = 1 + entry.inputs.len() + entry.outputs.len();
            for line in run.vectors.lines() {
                assert_eq!(line.split(' ').count(), fields, "{name}: {line}");
            }
            assert_eq!(run.recording(entry).vectors(), run.vectors, "{name}");
            assert!(
                run.vectors.len() <= 60_000,
                "{name}: {} bytes",
                run.vectors.len()
            );
        }
    }
}
