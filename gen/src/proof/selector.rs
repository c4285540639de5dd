//! The input that chooses which of several faults in one Verilog text is in force.

use super::ProofError;
use crate::mutate::{SELECTOR, SELECTOR_BITS};
use crate::tools::ToolError;

/// How the property files begin the instance of the unit.
const UNIT: &str = "`TOP uut (";

/// The property file with one more input, which chooses the fault of the unit inside.
pub(super) fn added_to(property: &str) -> String {
    let port = format!("input wire [{}:0] {SELECTOR}, ", SELECTOR_BITS - 1);
    // Between the unit and the top there may be a module of the property file.
    let (mut module, mut helper) = ("", None);
    for line in property.lines() {
        if let Some(heading) = line.strip_prefix("module ") {
            module = heading.split(' ').next().unwrap_or("");
        } else if line.contains(UNIT) && module != "proof" {
            helper = Some(module);
        }
    }
    let named = format!(".{SELECTOR}({SELECTOR}), ");
    let mut text = property
        .replace("module proof (", &format!("module proof ({port}"))
        .replace(UNIT, &format!("{UNIT}{named}"));
    if let Some(helper) = helper {
        let heading = format!("module {helper} (");
        text = text.replace(&heading, &format!("{heading}{port}"));
        let instance = format!("\n    {helper} ");
        let mut parts = text.split(&instance);
        let mut out = parts.next().unwrap_or("").to_owned();
        for part in parts {
            let (name, connections) = part.split_once('(').unwrap_or((part, ""));
            let by_name = connections.trim_start().starts_with('.');
            let first = if by_name {
                named.clone()
            } else {
                format!("{SELECTOR}, ")
            };
            out += &format!("{instance}{name}({first}{connections}");
        }
        text = out;
    }
    // A net that nobody declared would leave the choice open.
    format!("`default_nettype none\n{text}")
}

/// The inputs that choose fault `number`, with their values; `map` is what Yosys says of the inputs, in lines such as
/// `input 7 3 mutant_number`: number of the input, bit, name.
///
/// # Errors
/// [`ProofError::Tool`] if some of its bits are no inputs: then nothing would be chosen.
pub(super) fn inputs(map: &str, number: usize) -> Result<Vec<(usize, bool)>, ProofError> {
    let bits = map.lines().filter_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        let ["input", input, bit, SELECTOR] = words[..] else {
            return None;
        };
        let value = number >> bit.parse::<u32>().ok()? & 1 == 1;
        Some((input.parse().ok()?, value))
    });
    let bits: Vec<_> = bits.collect();
    if bits.len() == SELECTOR_BITS as usize {
        return Ok(bits);
    }
    Err(ToolError::Failed {
        program: "yosys".into(),
        code: 0,
        log: format!(
            "{} inputs of {SELECTOR} in property.map:\n{map}",
            bits.len()
        ),
    }
    .into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selector_of_which_bits_are_missing_is_refused() {
        let line = |bit: u32| format!("input {} {bit} {SELECTOR}\n", bit + 3);
        let mut map: String = (0..SELECTOR_BITS).map(line).collect();
        map += "input 0 0 clock\n";
        let chosen = inputs(&map, 5).expect("all bits");
        assert_eq!(chosen[..4], [(3, true), (4, false), (5, true), (6, false)]);
        assert_eq!(chosen.len(), SELECTOR_BITS as usize);
        assert!(inputs(&map.replace(&line(2), ""), 5).is_err());
    }
}
