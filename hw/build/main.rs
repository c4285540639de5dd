//! With the feature `verilog`: turns the exported Verilog into C++ with Verilator, compiles it and links it in.
//!
//! Every module of `verilog-out` becomes a class with three C functions, and a row in a table that
//! `src/verilog/mod.rs` includes.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

mod cycle;

use cycle::Cycle;

type Outcome<T> = Result<T, String>;

/// Verilog from this size on is compiled with less effort, which takes half the time; fast are the small units.
const LARGE_BYTES: u64 = 300_000; // assumed

/// A port of a module.
struct Port {
    name: String,
    width_bits: u32,
    input: bool,
}

/// A module of `verilog-out`.
struct Module {
    name: String,
    file: PathBuf,
    clocked: bool,
    ports: Vec<Port>,
}

fn main() {
    println!("cargo::rerun-if-changed=build");
    if env::var_os("CARGO_FEATURE_VERILOG").is_none() {
        return;
    }
    if let Err(reason) = verilate() {
        println!(
            "cargo::error=feature `verilog`: {}; it needs verilator, g++ and ar (Debian: apt-get install verilator g++)",
            reason.replace('\n', " / ")
        );
    }
}

fn verilate() -> Outcome<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let folder = Path::new("../verilog-out");
    println!("cargo::rerun-if-changed={}", folder.display());
    let modules = modules(folder)?;
    let root = run(Command::new("verilator").args(["--getenv", "VERILATOR_ROOT"]))?;
    let include = format!("{}/include", root.trim());

    std::fs::write(out.join("table.rs"), table(&modules)).map_err(|e| e.to_string())?;
    // Clippy links nothing.
    let wrapper = env::var_os("RUSTC_WORKSPACE_WRAPPER").map(PathBuf::from);
    if wrapper.is_some_and(|path| path.file_stem().is_some_and(|name| name == "clippy-driver")) {
        return Ok(());
    }
    let mut objects = Vec::new();
    for runtime in ["verilated.cpp", "verilated_threads.cpp"] {
        let object = out.join(runtime).with_extension("o");
        let source = Path::new(&include).join(runtime);
        // By clang++ this would need one library more.
        compile("g++", &source, &object, "-O2", &[&include], None)?;
        objects.push(object);
    }
    objects.extend(build_all(&modules, &out, &include)?);
    let library = out.join("libregshare_verilog.a");
    let _ = std::fs::remove_file(&library);
    run(Command::new("ar").arg("crs").arg(&library).args(&objects))?;
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rustc-link-lib=static=regshare_verilog");
    println!("cargo::rustc-link-lib=stdc++");
    Ok(())
}

/// Verilog of so many bytes is compiled in one run: with each comes the same header, half a second of work.
const BATCH_BYTES: u64 = 150_000; // assumed

/// How much effort the compiler makes for a module. What tests alone replay, and no run of a kernel has in the loop, takes longer to
/// compile than to run in builds that are not for speed: all but the tops, and of those `rfv_top` with another flag cache or
/// wake-up time, the last part of its name.
fn level(name: &str, bytes: u64) -> &'static str {
    let fast = env::var("OPT_LEVEL").is_ok_and(|level| ["2", "3"].contains(&level.as_str()));
    let variant = name
        .rsplit('_')
        .next()
        .is_some_and(|part| part.starts_with(['e', 'l']));
    let in_the_loop = name.contains("_top_") && !variant;
    match bytes {
        _ if !fast && !in_the_loop => "-O0",
        LARGE_BYTES.. => "-O1",
        _ => "-O2",
    }
}

/// Builds all modules; the object files in an order that does not depend on the machine.
fn build_all(modules: &[Module], out: &Path, include: &str) -> Outcome<Vec<PathBuf>> {
    let mut sized = Vec::new();
    for module in modules {
        let bytes = std::fs::metadata(&module.file)
            .map_err(|e| e.to_string())?
            .len();
        sized.push((level(&module.name, bytes), bytes, module));
    }
    // What is quick to compile last, of the others the largest first, so that none is left to run alone.
    sized.sort_by_key(|&(level, bytes, module)| {
        (level == "-O0", std::cmp::Reverse(bytes), &module.name)
    });
    let shims = two_at_a_time(&sized, |(_, _, module)| verilate_one(module, out))?;
    let mut batches: Vec<(&str, u64, Vec<&Path>)> = Vec::new();
    for (&(level, bytes, _), shim) in sized.iter().zip(&shims) {
        match batches.last_mut() {
            Some((same, sum, batch)) if *same == level && *sum + bytes <= BATCH_BYTES => {
                *sum += bytes;
                batch.push(shim);
            }
            _ => batches.push((level, bytes, vec![shim])),
        }
    }
    let headers = two_at_a_time(&["-O0", "-O1", "-O2"], |level| {
        precompile(level, out, include).map(|header| (*level, header))
    })?;
    let batches: Vec<_> = batches.into_iter().enumerate().collect();
    two_at_a_time(&batches, |(number, (level, _, shims))| {
        let source = out.join(format!("batch{number}.cpp"));
        let lines = shims
            .iter()
            .map(|shim| format!("#include \"{}\"\n", shim.display()));
        std::fs::write(&source, lines.collect::<String>()).map_err(|e| e.to_string())?;
        let object = source.with_extension("o");
        let header = headers.iter().find(|(of, _)| of == level);
        let header = header.and_then(|(_, header)| header.as_deref());
        compile(compiler(), &source, &object, level, &[include], header)?;
        Ok(object)
    })
}

/// The header that all modules include, compiled once for all that are compiled as `level` says. Of g++ it would have to lie
/// beside the source.
fn precompile(level: &str, out: &Path, include: &str) -> Outcome<Option<PathBuf>> {
    if compiler() != "clang++" {
        return Ok(None);
    }
    let header = out.join(format!("verilated{level}.pch"));
    let source = Path::new(include).join("verilated.h");
    let mut command = Command::new(compiler());
    command.args([level, "-std=c++17", "-fPIC", "-x", "c++-header", "-I"]);
    command.args([include, "-I", &format!("{include}/vltstd")]);
    run(command.arg(source).arg("-o").arg(&header))?;
    Ok(Some(header))
}

/// Does `work` for each of `jobs`, in this order, by two threads; the results in their order.
fn two_at_a_time<T: Sync, R: Send>(
    jobs: &[T],
    work: impl Fn(&T) -> Outcome<R> + Sync,
) -> Outcome<Vec<R>> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mine = std::iter::from_fn(|| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            jobs.get(at).map(|job| (at, work(job)))
        });
        mine.collect::<Vec<_>>()
    };
    let mut results = std::thread::scope(|scope| {
        let workers = [scope.spawn(worker), scope.spawn(worker)].map(|thread| thread.join());
        let died = |_| vec![(usize::MAX, Err("a worker died".to_owned()))];
        let done = workers.into_iter();
        done.flat_map(|done| done.unwrap_or_else(died))
            .collect::<Vec<_>>()
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Runs a program and returns what it printed.
fn run(command: &mut Command) -> Outcome<String> {
    let output = finished(command)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn finished(command: &mut Command) -> Outcome<Output> {
    let output = command
        .output()
        .map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))?;
    if output.status.success() {
        Ok(output)
    } else {
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(format!("{command:?} failed: {log}"))
    }
}

/// All modules, sorted by name.
fn modules(folder: &Path) -> Outcome<Vec<Module>> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut modules = Vec::new();
    for entry in entries {
        let name = entry.map_err(|e| e.to_string())?.file_name();
        let name = name.to_string_lossy().into_owned();
        let file = folder.join(&name).join(format!("{name}.v"));
        if !file.is_file() {
            continue;
        }
        let text =
            std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        modules.push(module(name, file, &text)?);
    }
    modules.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(modules)
}

/// Reads the ports of the top module, the first in its file: lines such as `input wire [5:0] a_warp;`.
fn module(name: String, file: PathBuf, text: &str) -> Outcome<Module> {
    let body = text
        .split_once(&format!("module {name}("))
        .and_then(|(_, rest)| rest.split_once("endmodule"))
        .ok_or_else(|| format!("{}: no module {name}", file.display()))?
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
            return Err(format!("{}: {port} has more than 64 bits", file.display()));
        } else {
            ports.push(Port {
                name: port,
                width_bits,
                input,
            });
        }
    }
    Ok(Module {
        name,
        file,
        clocked,
        ports,
    })
}

/// Verilates one module; the C++ file that includes all others of it.
fn verilate_one(module: &Module, out: &Path) -> Outcome<PathBuf> {
    let Module { name, file, .. } = module;
    let dir = out.join(name);
    // What an earlier state of the module left there does not belong to this one.
    if dir.exists() {
        std::fs::remove_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    }
    std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
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
    std::fs::write(dir.join("lint.log"), log).map_err(|e| e.to_string())?;
    let mut parts: Vec<_> = std::fs::read_dir(&dir)
        .map_err(|e| e.to_string())?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|part| part.ends_with(".cpp") && part.starts_with(&format!("V{name}")))
        .collect();
    parts.sort();
    let read = |part: &String| {
        let part = dir.join(part);
        std::fs::read_to_string(&part).map_err(|e| format!("{}: {e}", part.display()))
    };
    let mut texts = parts.iter().map(read).collect::<Outcome<Vec<_>>>()?;
    let root = format!("V{name}___024root");
    let header = read(&format!("{root}.h"))?;
    let cycle = cycle::direct(&format!("{root}___"), &header, &mut texts);
    let how = match &cycle {
        Ok(_) => "direct".to_owned(),
        Err(reason) => format!("eval: {reason}"),
    };
    std::fs::write(dir.join("cycle.log"), how).map_err(|e| e.to_string())?;
    for (part, text) in parts.iter().zip(&texts) {
        std::fs::write(dir.join(part), text).map_err(|e| e.to_string())?;
    }
    let shim = dir.join("shim.cpp");
    std::fs::write(&shim, shim_text(module, &parts, cycle.ok().as_ref()))
        .map_err(|e| e.to_string())?;
    Ok(shim)
}

/// What clang makes of this code is up to three times as fast.
fn compiler() -> &'static str {
    static CLANG: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    let clang = || run(Command::new("clang++").arg("--version")).is_ok();
    if *CLANG.get_or_init(clang) {
        "clang++"
    } else {
        "g++"
    }
}

fn compile(
    compiler: &str,
    source: &Path,
    object: &Path,
    level: &str,
    include: &[&str],
    precompiled: Option<&Path>,
) -> Outcome<()> {
    let mut command = Command::new(compiler);
    command.args([level, "-std=c++17", "-fPIC", "-c"]);
    if let Some(header) = precompiled {
        command.arg("-include-pch").arg(header);
    }
    for folder in include {
        command.args(["-I", folder, "-I", &format!("{folder}/vltstd")]);
    }
    run(command.arg(source).arg("-o").arg(object))?;
    Ok(())
}

/// The C functions of a module; its cycles by `cycle`, or by Verilator's `eval`.
fn shim_text(module: &Module, parts: &[String], cycle: Option<&Cycle>) -> String {
    let Module {
        name,
        clocked,
        ports,
        ..
    } = module;
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
    let _ = write!(
        text,
        "#include <cstdint>\nnamespace {{ struct Unit_{name} {{ VerilatedContext context; V{name} top{{&context}}; }}; }}\n\
         extern \"C\" void* {name}_new() {{\n    void* p = new Unit_{name};\n    auto& t = {object};\n    (void)t; {begin}\n    return p;\n}}\n\
         extern \"C\" void {name}_free(void* p) {{ delete static_cast<Unit_{name}*>(p); }}\n\
         // The low half of a cycle, outputs as it leaves them, and with `edge` the rising edge.\n\
         extern \"C\" void {name}_step(void* p, const uint64_t* in, uint64_t* out, bool edge) {{\n    auto& t = {object};\n"
    );
    for (at, port) in ports.iter().filter(|port| port.input).enumerate() {
        let _ = writeln!(text, "    t.{} = in[{at}];", port.name);
    }
    let _ = writeln!(text, "    {settle}");
    for (at, port) in ports.iter().filter(|port| !port.input).enumerate() {
        let _ = writeln!(text, "    out[{at}] = t.{};", port.name);
    }
    let _ = writeln!(text, "    if (edge) {{ {edge}}}");
    text + "}\n"
}

/// Rust declarations of the C functions and one row per module.
fn table(modules: &[Module]) -> String {
    let mut text = String::from("unsafe extern \"C\" {\n");
    for Module { name, .. } in modules {
        let _ = write!(
            text,
            "    fn {name}_new() -> *mut c_void;\n    fn {name}_free(unit: *mut c_void);\n    \
             fn {name}_step(unit: *mut c_void, inputs: *const u64, outputs: *mut u64, edge: bool);\n"
        );
    }
    text.push_str("}\n\nstatic LINKED: &[Linked] = &[\n");
    for Module { name, ports, .. } in modules {
        let list = |input: bool| -> String {
            let chosen = ports.iter().filter(|port| port.input == input);
            chosen
                .map(|port| format!("(\"{}\", {}), ", port.name, port.width_bits))
                .collect()
        };
        let _ = writeln!(
            text,
            "    Linked {{ module: \"{name}\", new: {name}_new, free: {name}_free, step: {name}_step, \
             inputs: &[{}], outputs: &[{}] }},",
            list(true),
            list(false)
        );
    }
    text + "];\n"
}
