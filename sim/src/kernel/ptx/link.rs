//! Several files as one text, as a linker sees separately compiled modules.

use super::{PtxError, read};

/// Joins files, each a text and its name, into one text, and says what to call that. Directives that may stand once
/// (`.version`, `.target`, `.address_size`) are taken from the first file. A function that one file declares and another
/// defines is then simply defined; one that two files define is an error when the text is read.
///
/// # Errors
/// A file that is malformed by itself, with its own name and place.
pub fn link(files: &[(String, String)]) -> Result<(String, String), PtxError> {
    let mut text = String::new();
    let mut name = String::new();
    for (number, (source, file)) in files.iter().enumerate() {
        if files.len() > 1 {
            read(source, file)?;
        }
        if number > 0 {
            name.push('+');
            text.push('\n');
        }
        name.push_str(file);
        for line in source.split_inclusive('\n') {
            let once = [".version", ".target", ".address_size"];
            let start = line.trim_start();
            if number > 0 && once.iter().any(|word| start.starts_with(word)) {
                text.push('\n');
            } else {
                text.push_str(line);
            }
        }
    }
    Ok((text, name))
}
