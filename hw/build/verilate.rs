//! One module as C++, with three C functions: a new one, its end, and a cycle.

use super::cycle::{self, Cycle};
use super::module::Module;
use super::tool::{ToolError, finished, read, write};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Verilates one module into a folder of its own in `out`; the C++ file that includes all others of it.
pub fn verilate(module: &Module, out: &Path) -> Result<PathBuf, ToolError> {
    let Module { name, file, .. } = module;
    let dir = out.join(name);
    // What an earlier state of the module left there does not belong to this one.
    if dir.exists() {
        std::fs::remove_dir_all(&dir).map_err(|cause| ToolError::file(&dir, cause))?;
    }
    std::fs::create_dir_all(&dir).map_err(|cause| ToolError::file(&dir, cause))?;
    // Whoever exports the Verilog asks for what it warns of; a build is not to fail for it.
    let output = finished(
        Command::new("verilator")
            .args([
                "--cc",
                "-O3",
                "--x-assign",
                "fast",
                "--x-initial",
                "fast",
                // What depends on the counter of a loop is known in each round of it.
                "--unroll-stmts",
                "200000", // assumed
                "-Wall",
                "-Wno-fatal",
            ])
            .args([
                "--top-module",
                name,
                "--prefix",
                &format!("V{name}"),
                "--Mdir",
            ])
            .arg(&dir)
            .arg(file),
    )?;
    let log = [output.stdout, output.stderr].concat();
    write(&dir.join("lint.log"), log)?;
    let mut parts: Vec<_> = std::fs::read_dir(&dir)
        .map_err(|cause| ToolError::file(&dir, cause))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|part| part.ends_with(".cpp") && part.starts_with(&format!("V{name}")))
        .collect();
    parts.sort();
    let texts = parts.iter().map(|part| read(&dir.join(part)));
    let mut texts = texts.collect::<Result<Vec<_>, _>>()?;
    let root = format!("V{name}___024root");
    let header = read(&dir.join(format!("{root}.h")))?;
    let cycle = cycle::direct(&format!("{root}___"), &header, &mut texts);
    let how = match &cycle {
        Ok(_) => "direct".to_owned(),
        Err(reason) => format!("eval: {reason}"),
    };
    write(&dir.join("cycle.log"), how)?;
    for (part, text) in parts.iter().zip(&texts) {
        write(&dir.join(part), text)?;
    }
    let shim = dir.join("shim.cpp");
    write(&shim, shim_text(module, &parts, cycle.ok().as_ref()))?;
    Ok(shim)
}

/// The C functions of a module; its cycles by `cycle`, or by Verilator's `eval`.
fn shim_text(module: &Module, parts: &[String], cycle: Option<&Cycle>) -> String {
    let Module { name, clocked, .. } = module;
    let all = |functions: &[String]| -> String {
        let calls = functions.iter();
        calls
            .map(|function| format!("V{name}___024root___{function}(&t); "))
            .collect()
    };
    // What is called, and with what: the root object or the one that holds it.
    let (object, begin, settle, edge) = match cycle {
        Some(Cycle { settle, edge }) => (
            "*static_cast<Unit*>(p)->top.rootp",
            all(&["eval_static".into(), "eval_initial".into()]),
            all(settle),
            all(edge),
        ),
        None => (
            "static_cast<Unit*>(p)->top",
            String::new(),
            if *clocked { "t.clock = 0; " } else { "" }.to_owned() + "t.eval(); ",
            if *clocked {
                "t.clock = 1; t.eval(); "
            } else {
                ""
            }
            .to_owned(),
        ),
    };
    let object = object.replace("Unit", &format!("Unit_{name}"));
    let mut text = String::new();
    for part in parts {
        let _ = writeln!(text, "#include \"{part}\"");
    }
    // Seen from outside, also of a library that hides the rest.
    let c = "extern \"C\" __attribute__((visibility(\"default\")))";
    let _ = write!(
        text,
        "#include <cstdint>\nnamespace {{ struct Unit_{name} {{ VerilatedContext context; V{name} top{{&context}}; }}; }}\n\
         {c} void* {name}_new() {{\n    void* p = new Unit_{name};\n    auto& t = {object};\n    (void)t; {begin}\n    return p;\n}}\n\
         {c} void {name}_free(void* p) {{ delete static_cast<Unit_{name}*>(p); }}\n\
         // The low half of a cycle, outputs as it leaves them, and with `edge` the rising edge.\n\
         {c} void {name}_step(void* p, const uint64_t* in, uint64_t* out, bool edge) {{\n    auto& t = {object};\n"
    );
    for (at, port) in module.pins(true).enumerate() {
        let _ = writeln!(text, "    t.{} = in[{at}];", port.name);
    }
    let _ = writeln!(text, "    {settle}");
    for (at, port) in module.pins(false).enumerate() {
        let _ = writeln!(text, "    out[{at}] = t.{};", port.name);
    }
    let _ = writeln!(text, "    if (edge) {{ {edge}}}");
    text + "}\n"
}
