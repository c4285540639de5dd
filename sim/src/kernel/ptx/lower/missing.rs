//! What is declared, and defined in no file.

use super::Program;
use crate::kernel::ptx::ast::Name;
use crate::kernel::ptx::error::Problem;
use crate::kernel::ptx::link::written;

/// What to do where a definition is missing.
const PASS_IT: &str = "pass the file that defines it as a further argument: `regshare run a.ptx b.ptx`, or \
     `regshare compile a.ptx --link b.ptx`";

/// Says that no file defines `name`, of kind `what`; `defined` are the names that are defined, of the same kind.
pub fn missing<'a>(
    name: Name<'_>,
    what: &str,
    defined: impl IntoIterator<Item = &'a str>,
) -> Box<Problem> {
    let is_own = |other: &str| other != name.text && written(other) == name.text;
    let help = match defined.into_iter().any(is_own) {
        true => {
            "a file has one of that name for itself only: write `.visible` before that".to_owned()
        }
        false => PASS_IT.to_owned(),
    };
    let message = format!("no given file defines the {what} `{}`", name.text);
    Problem::new(name.span, message, "it is only declared").help(help)
}

impl<'s> Program<'_, 's> {
    /// Says that no file defines a function.
    pub(super) fn no_body(&self, name: Name<'_>) -> Box<Problem> {
        let functions = self.file.functions.iter();
        let defined = functions.filter(|function| function.body.is_some());
        missing(name, "function", defined.map(|function| function.name.text))
    }
}
