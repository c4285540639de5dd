//! A module of Verilog, and its ports.

use super::tool::ToolError;
use std::path::PathBuf;

/// A port of a module.
pub struct Port {
    pub name: String,
    pub width_bits: u32,
    pub input: bool,
}

/// A module that lies in a file of its own.
pub struct Module {
    pub name: String,
    pub file: PathBuf,
    pub clocked: bool,
    /// In the order of the file, without the clock.
    pub ports: Vec<Port>,
}

impl Module {
    /// Reads the ports of the top module, the first in its file: lines such as `input wire [5:0] a_warp;`.
    pub fn read(name: &str, file: PathBuf, text: &str) -> Result<Module, ToolError> {
        let body = text
            .split_once(&format!("module {name}("))
            .and_then(|(_, rest)| rest.split_once("endmodule"))
            .ok_or_else(|| ToolError::text(&file, format!("no module {name}")))?
            .0;
        let (mut clocked, mut ports) = (false, Vec::new());
        for line in body.lines().map(|line| line.trim().trim_end_matches(';')) {
            let input = line.starts_with("input wire ");
            if !input && !line.starts_with("output ") {
                continue;
            }
            let words: Vec<_> = line.split_whitespace().collect();
            let port = words.last().copied().unwrap_or_default().to_owned();
            let width_bits = words
                .iter()
                .find_map(|word| {
                    word.strip_prefix('[')?
                        .strip_suffix(":0]")?
                        .parse::<u32>()
                        .ok()
                })
                .map_or(1, |msb| msb + 1);
            if port == "clock" {
                clocked = true;
            } else if width_bits > 64 {
                let reason = format!("{port} has more than 64 bits");
                return Err(ToolError::text(&file, reason));
            } else {
                ports.push(Port {
                    name: port,
                    width_bits,
                    input,
                });
            }
        }
        Ok(Module {
            name: name.to_owned(),
            file,
            clocked,
            ports,
        })
    }

    /// Its inputs, or its outputs.
    pub fn pins(&self, input: bool) -> impl Iterator<Item = &Port> {
        self.ports.iter().filter(move |port| port.input == input)
    }
}
