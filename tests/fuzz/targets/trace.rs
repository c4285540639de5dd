//! Any bytes are read as a kernel trace or refused; what is read refers to what is there, and reading is repeatable.
#![no_main]

use libfuzzer_sys::fuzz_target;
use regshare_sim::trace::record::{CtaTrace, NO_ADDRESSES};
use regshare_sim::trace::{KernelReader, ReadOptions};
use std::io::Cursor;
use std::path::Path;

fn read(bytes: &[u8]) -> Result<Vec<CtaTrace>, String> {
    let path = Path::new("fuzz.traceg");
    let options = ReadOptions::default();
    let reader = KernelReader::new(Cursor::new(bytes.to_vec()), path, &options);
    let mut reader = reader.map_err(|error| error.to_string())?;
    let mut ctas = Vec::new();
    while let Some(cta) = reader.next_cta().map_err(|error| error.to_string())? {
        for warp in &cta.warps {
            assert!(warp.warp < reader.header().warps_per_cta());
            for inst in &warp.insts {
                let of = &reader.program().insts[inst.inst as usize];
                if inst.addresses != NO_ADDRESSES {
                    assert!(of.class.space().is_some() && inst.mask != 0);
                    warp.addresses[inst.addresses as usize].expand(inst.mask, &mut [0; 32]);
                }
            }
        }
        ctas.push(cta);
    }
    assert!(ctas.len() as u64 == reader.header().ctas());
    Ok(ctas)
}

fuzz_target!(|bytes: &[u8]| {
    let first = read(bytes);
    assert!(first == read(bytes));
});
