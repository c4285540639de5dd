//! With the feature `verilog`: turns the exported Verilog into C++ with Verilator, compiles it and links it in.
//!
//! Every module of `verilog-out` becomes a class with three C functions, and a row in a table that
//! `src/verilog/linked.rs` includes. What makes C++ of a module and compiles it is in the library, too
//! (`src/verilog/on_demand.rs`), for modules that are not in `verilog-out`.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

mod cycle;
mod module;
mod tool;
mod verilate;

use module::Module;
use tool::{ToolError, compile, compiler, run};

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Verilog from this size on is compiled with less effort, which takes half the time; fast are the small units.
const LARGE_BYTES: u64 = 300_000; // assumed

fn main() {
    println!("cargo::rerun-if-changed=build");
    if env::var_os("CARGO_FEATURE_VERILOG").is_none() {
        return;
    }
    if let Err(reason) = link_all() {
        println!(
            "cargo::error=feature `verilog`: {}; it needs verilator, g++ and ar (Debian: apt-get install verilator g++)",
            reason.to_string().replace('\n', " / ")
        );
    }
}

fn link_all() -> Outcome<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let folder = Path::new("../verilog-out");
    println!("cargo::rerun-if-changed={}", folder.display());
    let modules = modules(folder)?;
    let include = tool::include()?;

    tool::write(&out.join("table.rs"), table(&modules))?;
    // Clippy links nothing.
    let wrapper = env::var_os("RUSTC_WORKSPACE_WRAPPER").map(PathBuf::from);
    if wrapper.is_some_and(|path| path.file_stem().is_some_and(|name| name == "clippy-driver")) {
        return Ok(());
    }
    let mut objects = tool::runtime(&out, &include, "-O2")?;
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
fn build_all(modules: &[Module], out: &Path, include: &Path) -> Result<Vec<PathBuf>, ToolError> {
    let mut sized = Vec::new();
    for module in modules {
        let bytes = std::fs::metadata(&module.file)
            .map_err(|cause| ToolError::file(&module.file, cause))?
            .len();
        sized.push((level(&module.name, bytes), bytes, module));
    }
    // What is quick to compile last, of the others the largest first, so that none is left to run alone.
    sized.sort_by_key(|&(level, bytes, module)| {
        (level == "-O0", std::cmp::Reverse(bytes), &module.name)
    });
    let shims = two_at_a_time(&sized, |(_, _, module)| verilate::verilate(module, out))?;
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
        tool::write(&source, lines.collect::<String>())?;
        let object = source.with_extension("o");
        let header = headers.iter().find(|(of, _)| of == level);
        let header = header.and_then(|(_, header)| header.as_deref());
        compile(compiler(), &source, &object, level, include, header)?;
        Ok(object)
    })
}

/// The header that all modules include, compiled once for all that are compiled as `level` says. Of g++ it would have to lie
/// beside the source.
fn precompile(level: &str, out: &Path, include: &Path) -> Result<Option<PathBuf>, ToolError> {
    if compiler() != "clang++" {
        return Ok(None);
    }
    let header = out.join(format!("verilated{level}.pch"));
    let mut command = Command::new(compiler());
    command.args([level, "-std=c++17", "-fPIC", "-fvisibility=hidden"]);
    command.args(["-x", "c++-header", "-I"]).arg(include);
    command.arg("-I").arg(include.join("vltstd"));
    command.arg(include.join("verilated.h"));
    run(command.arg("-o").arg(&header))?;
    Ok(Some(header))
}

/// Does `work` for each of `jobs`, in this order, by two threads; the results in their order.
fn two_at_a_time<T: Sync, R: Send>(
    jobs: &[T],
    work: impl Fn(&T) -> Result<R, ToolError> + Sync,
) -> Result<Vec<R>, ToolError> {
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
        let done = workers.into_iter();
        // A worker that panicked has said why.
        done.flat_map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect::<Vec<_>>()
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// All modules, sorted by name.
fn modules(folder: &Path) -> Result<Vec<Module>, ToolError> {
    let of_folder = |cause| ToolError::file(folder, cause);
    let mut modules = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(of_folder)? {
        let name = entry.map_err(of_folder)?.file_name();
        let name = name.to_string_lossy().into_owned();
        let file = folder.join(&name).join(format!("{name}.v"));
        if file.is_file() {
            let text = tool::read(&file)?;
            modules.push(Module::read(&name, file, &text)?);
        }
    }
    modules.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(modules)
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
    for module in modules {
        let name = &module.name;
        let list = |input: bool| -> String {
            let pins = module.pins(input);
            pins.map(|port| format!("(\"{}\", {}), ", port.name, port.width_bits))
                .collect()
        };
        let _ = writeln!(
            text,
            "    Linked {{ module: \"{name}\", functions: Functions {{ new: {name}_new, free: {name}_free, step: {name}_step }}, \
             inputs: &[{}], outputs: &[{}] }},",
            list(true),
            list(false)
        );
    }
    text + "];\n"
}
