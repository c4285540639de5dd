//! The part of `cargo bless` that is about the hardware, without building the simulator, so with the recorded rows that there are:
//! `cargo run --release -p regshare-gen --example bless [UNIT..]` in the root of the repository.

use regshare_gen::runs::RunTable;

fn main() -> Result<(), regshare_gen::bless::BlessError> {
    let units: Vec<_> = std::env::args().skip(1).collect();
    let blessed =
        regshare_gen::bless::bless(std::path::Path::new("."), &units, &RunTable::committed())?;
    println!("{blessed:#?}");
    Ok(())
}
