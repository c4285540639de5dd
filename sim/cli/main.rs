//! The `regshare` program.
fn main() {}
