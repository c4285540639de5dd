//! Modules that are not linked in: made when they are asked for.
//!
//! Their Verilog comes from a [`Source`], which the program names once. It goes the way that the modules of `verilog-out` went
//! when the program was built, by the same code: Verilator, a C++ compiler, three functions. What is made is a shared library,
//! which is loaded and stays for as long as the program runs; its files are gone by then. Whoever asks for the same module again,
//! or meanwhile, gets the same library.

#[path = "../../build/cycle.rs"]
mod cycle;
#[path = "../../build/module.rs"]
mod module;
#[path = "../../build/tool.rs"]
mod tool;
#[path = "../../build/verilate.rs"]
mod verilate;

use super::VerilogError;
use super::linked::{self, Functions};
use module::Module;
use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tempfile::TempDir;
use tool::ToolError;

/// Where the Verilog of modules comes from that are not linked in, and what is to be known while they are made.
pub trait Source: Sync {
    /// The Verilog of a module, with all that it consists of, or why it cannot be exported. `None`: there is no such module.
    ///
    /// Others may wait for the same module meanwhile: no work is to be done here that a pool of threads shares out.
    fn verilog(&self, module: &str) -> Option<Result<String, String>>;

    /// A folder to work in, which goes when it is dropped.
    ///
    /// # Errors
    /// If it cannot be made.
    fn folder(&self) -> io::Result<TempDir> {
        tempfile::tempdir()
    }

    /// Hears that a module is about to be made; what it returns is dropped when that is done.
    fn begin(&self, module: &str) -> Box<dyn Any> {
        let _ = module;
        Box::new(())
    }
}

static SOURCE: OnceLock<&'static dyn Source> = OnceLock::new();

/// Has modules that are not linked in made of what `source` gives, from now on; without this there are none. Later calls change
/// nothing.
pub fn make_from(source: &'static dyn Source) {
    let _ = SOURCE.set(source);
}

/// A module in a library that was loaded.
pub(super) struct Loaded {
    pub(super) module: Module,
    pub(super) functions: Functions,
}

/// How a module was made, or why not.
type Made = Result<Arc<Loaded>, VerilogError>;

/// The module with this name, made by whoever asks first.
pub(super) fn loaded(name: &str) -> Made {
    static MADE: Mutex<BTreeMap<String, Arc<OnceLock<Made>>>> = Mutex::new(BTreeMap::new());
    let slot = {
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(made.entry(name.to_owned()).or_default())
    };
    slot.get_or_init(|| {
        let unknown = || VerilogError::NoModule(name.to_owned());
        let source = *SOURCE.get().ok_or_else(unknown)?;
        let _shown = source.begin(name);
        let verilog = source.verilog(name).ok_or_else(unknown)?;
        let verilog = verilog.map_err(|reason| VerilogError::NotExported {
            module: name.to_owned(),
            reason,
        })?;
        make(name, &verilog, || source.folder())
    })
    .clone()
}

/// Makes a module of its Verilog.
pub(super) fn make(name: &str, verilog: &str, folder: impl Fn() -> io::Result<TempDir>) -> Made {
    let failed = |cause: MakeError| VerilogError::NotMade {
        module: name.to_owned(),
        cure: cause.cure(),
        reason: in_short(&cause.to_string()),
    };
    let folder = folder().map_err(|cause| {
        let place = std::env::temp_dir();
        failed(MakeError::Tool(ToolError::File { path: place, cause }))
    })?;
    let made = make_in(folder.path(), name, verilog);
    Ok(Arc::new(made.map_err(failed)?))
}

/// How much effort a compiler makes: of `-O2`, which runs a tenth faster, the large modules take g++ twice as long.
fn level(compiler: &str) -> &'static str {
    match compiler {
        "g++" => "-O1",
        _ => "-O2",
    }
}

fn make_in(folder: &Path, name: &str, verilog: &str) -> Result<Loaded, MakeError> {
    let file = folder.join(format!("{name}.v"));
    tool::write(&file, verilog)?;
    let module = Module::read(name, file, verilog)?;
    let include = tool::include()?;
    let object = folder.join("module.o");
    let mut objects = std::thread::scope(|scope| {
        // It takes as long as the module; nothing that a cycle calls is in it.
        let runtime = scope.spawn(|| tool::runtime(folder, &include, "-O0"));
        let shim = verilate::verilate(&module, folder);
        let compiler = tool::compiler();
        let compiled = shim.and_then(|shim| {
            tool::compile(compiler, &shim, &object, level(compiler), &include, None)
        });
        let runtime = runtime.join();
        let runtime = runtime.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        compiled.and(runtime)
    })?;
    objects.push(object);
    let library = folder.join(format!("lib{name}.so"));
    tool::run(
        Command::new("g++")
            .env("TMPDIR", folder)
            .args(["-shared", "-o"])
            .arg(&library)
            .args(&objects),
    )?;
    let functions = linked::load(&library, name)?;
    Ok(Loaded { module, functions })
}

/// Why a module cannot be made of its Verilog.
#[derive(Debug, thiserror::Error)]
enum MakeError {
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error("the library cannot be loaded: {0}")]
    Load(#[from] libloading::Error),
}

impl MakeError {
    fn cure(&self) -> &'static str {
        match self {
            MakeError::Tool(ToolError::Start { .. }) => {
                "it needs verilator and g++ on the PATH (Debian: apt-get install verilator g++)"
            }
            MakeError::Tool(ToolError::Failed { .. } | ToolError::Text { .. }) => {
                "it needs Verilator 5 and a C++17 compiler that belong together"
            }
            MakeError::Tool(ToolError::File { .. }) => {
                "let TMPDIR name a folder that can be written to, with room for 20 MiB"
            }
            MakeError::Load(_) => "let TMPDIR name a folder from which programs may be run",
        }
    }
}

/// The beginning of a message, in one line.
fn in_short(text: &str) -> String {
    const MOST: usize = 1000; // assumed
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line,
    }
}
