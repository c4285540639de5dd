//! The register manager: it is the top of its system, and nothing besides.
//!
//! The property file is written from the port lists: with anything on the outputs of the top, every pin that the top has is
//! compared with the port of the table in the block's page, and every other output with what it idles at. No state is looked
//! at, so that what is proved of the top holds of the manager.

use super::manager_faults::faults;
use super::{PLAIN, Proof};
use crate::catalog::{Entry, system_and_top};
use regshare_hw::clocked::PinDef;
use regshare_hw::register_manager::System;
use std::fmt::Write;

/// Name of the property file.
const FILE: &str = "register_manager.sv";

/// Outputs that say "go on".
const GO_ON: [&str; 7] = [
    "memory_allowed",
    "may_issue",
    "walk_grant",
    "word_done",
    "powered",
    "awake",
    "none_stalled",
];

pub(super) fn proofs() -> Vec<Proof> {
    let proof = |(at, system): (usize, System)| Proof {
        name: NAMES[at],
        claims: match system {
            System::Baseline => {
                "What is valid goes on, unless a kernel starts; its registers are looked up with the warp's number, and their \
                 packs are told on the port that asked. Every other output idles, and nothing else is read."
            }
            _ => {
                "Every pin that the system reads reaches its top; every output that the system has is the top's, for the port \
                 that it answers. Every other output idles, and nothing else is read."
            }
        },
        unit: Some("register_manager"),
        params: &[("packs", 1024)],
        named: NAMED[at],
        cut_units: match system {
            System::Baseline => &["port_a$map", "port_b$map"],
            _ => &["top"],
        },
        faults: faults(system),
        source: (FILE, ""),
        written: Some(property_file),
        frames: 1,
        events: 2,
        ..PLAIN
    };
    System::ALL.into_iter().enumerate().map(proof).collect()
}

const NAMES: [&str; 7] = [
    "register_manager_baseline",
    "register_manager_regmutex",
    "register_manager_paired",
    "register_manager_safe_paired",
    "register_manager_owf",
    "register_manager_rfv",
    "register_manager_cars",
];

const NAMED: [&[(&str, &str)]; 7] = [
    &[("system", "baseline")],
    &[("system", "regmutex")],
    &[("system", "paired")],
    &[("system", "safe_paired")],
    &[("system", "owf")],
    &[("system", "rfv")],
    &[("system", "cars")],
];

/// The port that carries what the top calls `pin`.
fn port(system: System, pin: &str, is_input: bool) -> &str {
    match (system, pin, is_input) {
        (System::Regmutex, "srp_offset", true) | (System::Owf, "upper_offset", true) => "offset",
        (System::Owf, "exit", true) => "cta_exit",
        (System::Owf, "cta", true) => "exit_cta",
        (System::Owf, "launch", true) => "starts",
        (System::Owf, "stall", true) => "stall_cycle",
        (System::Cars, "wake", true) => "freed",
        (System::Rfv, "chosen", false) => "chosen_cta",
        (System::Cars, "empty", false) => "none_stalled",
        _ => pin,
    }
}

/// What the file says of one system: signals within the unit, and claims about outputs.
struct Claims {
    text: String,
    told: Vec<&'static str>,
    wires: String,
}

impl Claims {
    /// The file sees `pin` of instance `of`.
    fn sees(&mut self, of: &str, pin: &PinDef) -> String {
        let name = format!("\\uut.{of}.{} ", pin.name);
        let _ = writeln!(
            self.wires,
            "    (* hierconn *) wire {}{name};",
            range(pin.width_bits)
        );
        name
    }

    fn claim(&mut self, name: &str, formula: &str) {
        let _ = writeln!(self.text, "        {name}: assert ({formula});");
    }

    /// Output `name` is `formula`.
    fn output(&mut self, name: &'static str, formula: &str) {
        self.told.push(name);
        self.claim(
            &format!("{name}_is_told"),
            &format!("{name} == ({formula})"),
        );
    }
}

fn range(width_bits: u32) -> String {
    match width_bits {
        1 => String::new(),
        bits => format!("[{}:0] ", bits - 1),
    }
}

fn property_file(manager: &Entry) -> String {
    let (system, top) = system_and_top(manager);
    let last_pack = manager.param("packs").unwrap_or(1024) - 1;
    let mut claims = Claims {
        text: String::new(),
        told: Vec::new(),
        wires: String::new(),
    };
    match system {
        System::Baseline => baseline(&mut claims, manager, &top),
        _ => of_top(&mut claims, system, manager, &top),
    }
    if system != System::Rfv {
        answers_at_once(&mut claims, manager);
    }
    for pin in &manager.outputs {
        if !claims.told.contains(&pin.name) {
            let idle = if GO_ON.contains(&pin.name) {
                format!("{{{}{{1'b1}}}}", pin.width_bits)
            } else {
                "0".to_owned()
            };
            claims.claim(
                &format!("{}_idles", pin.name),
                &format!("{} == {idle}", pin.name),
            );
        }
    }
    let inputs: String = (manager.inputs.iter())
        .map(|pin| format!(",\n    input wire {}{}", range(pin.width_bits), pin.name))
        .collect();
    let outputs: String = (manager.outputs.iter())
        .map(|pin| format!("    wire {}{};\n", range(pin.width_bits), pin.name))
        .collect();
    let Claims { text, wires, .. } = claims;
    format!(
        "\
// Generated. The register manager with the system `{system}` is the top of that system behind the common ports: each pin of
// the top, whose outputs may be anything, beside the port of the table in the block's page.

module proof (
    input wire clock{inputs}
);
{outputs}    `TOP uut (.*);
{wires}
    always @(*) begin
`ifdef VACUITY
        c0: assert (!(a_grant && a_y3_valid && a_y3 == {last_pack} && a_y3_awake));
        c1: assert (!(b_grant && b_answer && b_y0_valid && b_y0 == 5));
`else
{text}`endif
    end
endmodule
"
    )
}

/// Two look-ups per port in a `reg_map`.
fn baseline(claims: &mut Claims, manager: &Entry, map: &Entry) {
    for side in ["a", "b"] {
        let instance = format!("port_{side}.map");
        let goes = format!("{side}_valid && !clear");
        for pin in &map.inputs {
            let inner = claims.sees(&instance, pin);
            let right = match pin.name {
                "widx" => format!("{side}_warp"),
                "coeff" => "base_regs".to_owned(),
                name if name.ends_with("_valid") => format!("({side}_{name} && {goes})"),
                name => format!("{side}_{name}"),
            };
            claims.claim(
                &format!("{side}_{}_is_asked", pin.name),
                &format!("{inner}== {right}"),
            );
        }
        for pin in &map.outputs {
            let inner = claims.sees(&instance, pin);
            let name = output_called(manager, &format!("{side}_{}", pin.name));
            claims.output(name, &inner);
        }
        claims.output(output_called(manager, &format!("{side}_grant")), &goes);
    }
}

fn of_top(claims: &mut Claims, system: System, manager: &Entry, top: &Entry) {
    for pin in &top.inputs {
        let inner = claims.sees("top", pin);
        let name = port(system, pin.name, true);
        let common = manager.inputs.iter().find(|common| common.name == name);
        let wider = common.is_some_and(|common| common.width_bits > pin.width_bits);
        // The renaming table has no word for what an instruction calls 63 or more.
        let right = if wider {
            format!("({name} > 63 ? 63 : {name})")
        } else {
            name.to_owned()
        };
        claims.claim(
            &format!("{}_is_asked", pin.name),
            &format!("{inner}== {right}"),
        );
    }
    for pin in &top.outputs {
        let inner = claims.sees("top", pin);
        let name = port(system, pin.name, false);
        let is_shared = !manager.outputs.iter().any(|common| common.name == name);
        if is_shared {
            // One answer, of the port that it belongs to.
            for side in ["a", "b"] {
                let own = output_called(manager, &format!("{side}_{name}"));
                claims.output(own, &format!("\\uut.top.{side}_answer ? {inner}: 0"));
            }
        } else {
            claims.output(output_called(manager, name), &inner);
        }
    }
}

/// The answer comes with the grant, and what is valid can be read.
fn answers_at_once(claims: &mut Claims, manager: &Entry) {
    for side in ["a", "b"] {
        let answer = output_called(manager, &format!("{side}_answer"));
        claims.output(answer, &format!("{side}_grant"));
        for at in 0..4 {
            let awake = output_called(manager, &format!("{side}_y{at}_awake"));
            claims.output(awake, &format!("{side}_y{at}_valid"));
        }
    }
}

fn output_called(manager: &Entry, name: &str) -> &'static str {
    let found = manager.outputs.iter().find(|pin| pin.name == name);
    found.map_or_else(|| panic!("{name} is an output"), |pin| pin.name)
}
