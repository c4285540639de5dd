//! From a rust-hdl block to one Verilog file.

use crate::lint::{Finding, lint};
use crate::unroll::Unrolled;
use rust_hdl::prelude::{Block, check_all};
use std::fmt::Write;

/// Why a block is not exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The lint found what rust-hdl would translate wrongly.
    #[error("{name} is not exported:\n{}", lines(findings))]
    Lint {
        /// The name it would have had.
        name: String,
        /// All findings.
        findings: Vec<Finding>,
    },
    /// rust-hdl's own checks: open inputs, combinational loops, written inputs.
    #[error("{name} is not exported: rust-hdl says {reason}")]
    Check {
        /// The name it would have had.
        name: String,
        /// rust-hdl's error.
        reason: String,
    },
}

fn lines(findings: &[Finding]) -> String {
    findings.iter().fold(String::new(), |mut text, finding| {
        let _ = writeln!(text, "  {finding}");
        text
    })
}

/// The Verilog of `block`, which must be connected, as module `name` with its children as `name$child`.
///
/// # Errors
/// [`ExportError`] if the lint or rust-hdl's checks object.
pub fn export(block: &dyn Block, name: &str) -> Result<String, ExportError> {
    let findings = lint(block, name);
    if !findings.is_empty() {
        return Err(ExportError::Lint {
            name: name.into(),
            findings,
        });
    }
    check_all(block).map_err(|error| ExportError::Check {
        name: name.into(),
        reason: format!("{error:?}"),
    })?;
    let mut defines = Unrolled::default();
    block.accept(name, &mut defines);
    Ok(tidy(&defines.0.defines()))
}

/// Without trailing blanks, doubled blanks in declarations, and runs of empty lines.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty_before = true;
    for line in text.lines() {
        let line = line.trim_end();
        if line.is_empty() && empty_before {
            continue;
        }
        empty_before = line.is_empty();
        let body = line.trim_start();
        out.push_str(&line[..line.len() - body.len()]);
        out.push_str(&body.replace("  ", " "));
        out.push('\n');
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tidy_text_has_no_doubled_or_trailing_blanks() {
        assert_eq!(
            tidy("\n\nmodule m;  \n\n\n    input wire  a;\n\n"),
            "module m;\n\n    input wire a;\n"
        );
    }
}
