//! The part of `cargo bless` that is about the hardware, without building the simulator:
//! `cargo run --release -p regshare-gen --example bless` in the root of the repository.

fn main() -> Result<(), regshare_gen::bless::BlessError> {
    let blessed = regshare_gen::bless::bless(std::path::Path::new("."))?;
    println!("{blessed:#?}");
    Ok(())
}
