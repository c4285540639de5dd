//! The words of a unit's own page in `hw/src` that its folder takes along: what it does, how it is asked, its corner cases.

use crate::catalog::{Entry, system_and_top};
use regshare_hw::clocked::PinDef;

/// The unit with a port list for all systems.
const MANAGER: &str = "register_manager";

/// Folders of `hw/src` with their pages. Two modules may share one.
macro_rules! pages {
    ($($folder:literal),* $(,)?) => {
        &[$((
            concat!("hw/src/", $folder, "/"),
            include_str!(concat!("../../../hw/src/", $folder, "/README.md")),
        )),*]
    };
}

const PAGES: &[(&str, &str)] = pages![
    "cars/cars_top",
    "cars/register_stack",
    "cars/reservation_fsm",
    "cars/stack_mapper",
    "cars/stalled_warps",
    "common/find_first_zero",
    "common/reg_map",
    "owf/dynamic_throttle",
    "owf/owf_top",
    "owf/pair_lock",
    "owf/scratchpad_lock",
    "owf/warp_priority",
    "register_manager",
    "regmutex/paired_lock",
    "regmutex/paired_mapper",
    "regmutex/paired_top",
    "regmutex/register_mapper",
    "regmutex/regmutex_top",
    "regmutex/srp_allocator",
    "rfv/cta_throttle",
    "rfv/flag_decoder",
    "rfv/free_list",
    "rfv/power_gate",
    "rfv/release_flag_cache",
    "rfv/rename_table",
    "rfv/rfv_top",
];

/// Sections that the folder has words of its own for, or that are about files which are not in it.
const LEFT_OUT: [&str; 2] = ["Ports", "Verification"];

/// The page of the unit of `entry`; empty if there is none.
fn page_of(entry: &Entry) -> &'static str {
    let (source, _) = entry.rtl_source;
    let page = PAGES.iter().find(|(folder, _)| source.starts_with(folder));
    page.map_or("", |(_, text)| text)
}

/// What the folder of `entry` takes from its unit's page, with headings one level further down, and of a manager from that of
/// the top in it.
pub(super) fn behaviour(entry: &Entry) -> String {
    let own = taken_along(page_of(entry));
    if entry.unit != MANAGER {
        return own;
    }
    let (_, top) = system_and_top(entry);
    let inside = taken_along(page_of(&top));
    format!("{own}\n\n## What is in it: `{}`\n\n{inside}", top.unit)
}

/// Inputs of a manager that its system does not read, by the column `systems` of its page; none of any other unit.
pub(super) fn unread(entry: &Entry) -> Vec<&'static str> {
    if entry.unit != MANAGER {
        return Vec::new();
    }
    let (system, _) = system_and_top(entry);
    let page = page_of(entry);
    let is_unread = |pin: &&PinDef| {
        let row = page.split_once(&format!("| `{}` | in | ", pin.name));
        let systems = row.and_then(|(_, rest)| rest.split('|').nth(1));
        systems.is_some_and(|systems| !is_among(system.name(), systems.trim()))
    };
    (entry.inputs.iter().filter(is_unread))
        .map(|pin| pin.name)
        .collect()
}

/// Whether a list of systems has `name`: `all`, `all but a, b`, or `a, b`.
fn is_among(name: &str, systems: &str) -> bool {
    let has = |list: &str| list.split(", ").any(|system| system == name);
    match systems.strip_prefix("all but ") {
        Some(others) => !has(others),
        None => systems == "all" || has(systems),
    }
}

/// A page without its title, its example in Rust, links to files beside it, and the sections of [`LEFT_OUT`].
fn taken_along(page: &str) -> String {
    let (mut text, mut wanted, mut in_rust) = (String::new(), true, false);
    for line in page.lines() {
        if line.starts_with("```rust") {
            in_rust = true;
        } else if in_rust {
            in_rust = !line.starts_with("```");
        } else if line.starts_with("# ") {
            wanted = true;
        } else {
            if let Some(heading) = line.strip_prefix("## ") {
                wanted = !LEFT_OUT.contains(&heading);
            }
            if wanted {
                // The folder has its own table of parameters before it.
                let all_sizes = line == "## Parameters";
                text.push_str(if line.starts_with("## ") { "#" } else { "" });
                text.push_str(if all_sizes {
                    "## The unit in all sizes"
                } else {
                    line
                });
                text.push('\n');
            }
        }
    }
    text = without_links(&text);
    // What was left out leaves two empty lines behind.
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    text.trim().to_owned()
}

/// `[words](target)` becomes `words`, which may go over the end of a line: the target is not in the folder.
fn without_links(page: &str) -> String {
    let mut text = page.to_owned();
    while let Some(middle) = text.find("](") {
        let start = text[..middle].rfind('[');
        let end = text[middle..].find(')');
        let (Some(start), Some(end)) = (start, end) else {
            break;
        };
        let words = text[start + 1..middle].to_owned();
        text.replace_range(start..=middle + end, &words);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{catalog, select};
    use crate::package::verilog;

    #[test]
    fn a_folder_takes_along_what_is_not_about_files_beside_the_page() {
        let page = "# unit\n\nDoes [much](../much.md#at-once), see [`a`](b) and [what\nis below](c) too.\n\n```rust\nlet x = 1;\n```\n\n## Parameters\nOf [`n`](n) bits.\n\n## Ports\nclock\n\n\
                    ## Theory\nWhy.\n\n```text\nclock __/--\n```\n\n## Verification\n`tests.rs`\n";
        let expected = "Does much, see `a` and what\nis below too.\n\n### The unit in all sizes\nOf `n` bits.\n\n### Theory\nWhy.\n\n```text\nclock __/--\n```";
        assert_eq!(taken_along(page), expected);
    }

    #[test]
    fn a_manager_names_the_pins_that_its_verilog_joins_as_unused() {
        let entry =
            select(&["register_manager_paired_w16_p512".into()], &[]).expect("in the catalog");
        let unread = unread(&entry[0]);
        let verilog = verilog(&entry[0]).expect("lint-clean");
        let unused = verilog.lines().find(|line| line.contains("unused_pins = "));
        let unused: Vec<_> = (unused
            .expect("pins that nobody reads")
            .split([' ', '(', ')', ';', '|']))
        .filter(|word| entry[0].inputs.iter().any(|pin| pin.name == *word))
        .collect();
        for pin in &unused {
            assert!(unread.contains(pin), "{pin} is read, says the page");
        }
        assert_eq!(unread.len(), unused.len(), "{unread:?} {unused:?}");
    }

    #[test]
    fn every_module_says_what_it_answers_in_corner_cases() {
        for entry in catalog() {
            let text = behaviour(&entry);
            let answers = text.split("### Corner cases\n").nth(1).map(str::trim_start);
            let answers = answers.unwrap_or_default();
            assert!(
                !answers.is_empty() && !answers.starts_with('#'),
                "{}: {text}",
                entry.name
            );
        }
    }
}
