//! Kernels of real programs, where they are at hand, under every scheme that can launch them: the memory of the first.

use super::{regshare, stderr};
use serde_json::Value;
use std::path::Path;

/// Name of the kernel, its files, and how it is launched.
const KERNELS: [(&str, &[&str], &str); 4] = [
    (
        "softmax_f32",
        &["softmax_f32.ptx"],
        "grid = 24\nblock = [1, 32, 1]\n[[arg]]\nbuffer = \"x\"\ntype = \"f32\"\nlength = 6144\n\
         contents = { random = { seed = 5, min = -4.0, max = 4.0 } }\n[[arg]]\nbuffer = \"y\"\ntype = \"f32\"\nlength = 6144\n\
         [[arg]]\ntype = \"s32\"\nvalue = 256\n",
    ),
    (
        "layernorm_f32",
        &["layernorm_f32.ptx"],
        "grid = 12\nblock = 256\n[[arg]]\nbuffer = \"x\"\ntype = \"f32\"\nlength = 12288\n\
         contents = { random = { seed = 5, min = -4.0, max = 4.0 } }\n[[arg]]\nbuffer = \"y\"\ntype = \"f32\"\nlength = 12288\n\
         [[arg]]\nbuffer = \"a\"\ntype = \"f32\"\nlength = 1024\ncontents = { random = { seed = 6, min = -4.0, max = 4.0 } }\n\
         [[arg]]\nbuffer = \"b\"\ntype = \"f32\"\nlength = 1024\ncontents = { random = { seed = 7, min = -4.0, max = 4.0 } }\n\
         [[arg]]\ntype = \"s32\"\nvalue = 1024\n[[arg]]\ntype = \"s32\"\nvalue = 256\n[[arg]]\ntype = \"f32\"\nvalue = 0.00001\n",
    ),
    (
        "kern",
        &["calls/main.ptx", "calls/deep.ptx", "calls/leaf.ptx"],
        "grid = 6\nblock = 128\n[[arg]]\nbuffer = \"p\"\ntype = \"f32\"\nlength = 2000\n\
         contents = { random = { seed = 7, min = -1.0, max = 1.0 } }\n[[arg]]\nbuffer = \"o\"\ntype = \"f32\"\nlength = 768\n\
         [[arg]]\ntype = \"s32\"\nvalue = 800\n",
    ),
    (
        "kind",
        &["calls/leaf.ptx", "calls/main.ptx", "calls/deep.ptx"],
        "grid = 1\nblock = 128\n[[arg]]\nbuffer = \"o\"\ntype = \"f32\"\nlength = 128\n\
         contents = { random = { seed = 7, min = -1.0, max = 1.0 } }\n[[arg]]\ntype = \"s32\"\nvalue = 5\n\
         [[arg]]\ntype = \"s32\"\nvalue = 0\n",
    ),
];

#[test]
fn real_kernels_leave_the_same_memory_under_all_schemes() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/kernels");
    let folder = tempfile::tempdir().expect("a folder");
    for (kernel, files, launch) in KERNELS {
        if let Some(missing) = files.iter().find(|file| !shared.join(file).is_file()) {
            eprintln!("skipped: {} is not there", shared.join(missing).display());
            continue;
        }
        let path = folder.path().join(format!("{kernel}.toml"));
        std::fs::write(&path, format!("kernel = \"{kernel}\"\n{launch}")).expect("written");
        let paths: Vec<_> = files.iter().map(|file| shared.join(file)).collect();
        let mut args = vec!["run"];
        args.extend(paths.iter().map(|path| path.to_str().expect("UTF-8")));
        args.extend(["--launch", path.to_str().expect("UTF-8")]);
        args.extend(["--scheme", "all", "--json", "-"]);
        let output = regshare(&args);
        assert!(output.status.success(), "{kernel}: {}", stderr(&output));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let runs = report["runs"].as_array().expect("runs");
        let fewest = if files.len() > 1 { 5 } else { 14 };
        assert!(runs.len() >= fewest, "{kernel}: {} schemes", runs.len());
        let first = format!("as {}", runs[0]["scheme"].as_str().expect("a name"));
        assert_eq!(runs[0]["result"], "unchecked");
        for run in &runs[1..] {
            assert_eq!(run["result"], first, "{kernel} under {}", run["scheme"]);
        }
        let digests: Vec<&Value> = runs.iter().map(|run| &run["memory_digest"]).collect();
        assert!(digests.windows(2).all(|pair| pair[0] == pair[1]));
    }
}
