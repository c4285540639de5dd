//! The part of `cargo bless` that is about the hardware, without building the simulator:
//! `cargo run --release -p regshare-gen --example bless [UNIT..]` in the root of the repository.

fn main() -> Result<(), regshare_gen::bless::BlessError> {
    let units: Vec<_> = std::env::args().skip(1).collect();
    let blessed = regshare_gen::bless::bless(std::path::Path::new("."), &units)?;
    println!("{blessed:#?}");
    Ok(())
}
