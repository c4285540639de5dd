//! Whole files.

use std::path::PathBuf;

use super::{looks_like_ptx, read};

/// A file of the shared kernels, if they lie beside the repository.
fn shared(name: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/kernels")
        .join(name);
    let found = std::fs::read_to_string(&path).ok();
    if found.is_none() {
        eprintln!("skipped: {} is not there", path.display());
    }
    found
}

#[test]
fn the_kernels_of_candle_are_read() {
    for name in ["softmax_f32", "layernorm_f32", "im2col_f32", "fast_sum_f32"] {
        let Some(source) = shared(&format!("{name}.ptx")) else {
            return;
        };
        assert!(looks_like_ptx(&source));
        let module = read(&source, name).unwrap_or_else(|error| panic!("{error}"));
        let kernel = module
            .kernel(name)
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(kernel.blocks.len() > 1);
    }
}
