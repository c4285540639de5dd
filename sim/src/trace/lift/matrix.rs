//! Registers of the fragments of matrix products (PTX ISA, warp-level and warpgroup-level matrix instructions).

use super::width::Widths;

/// A matrix product: A, B, and an accumulator as large as the result; of a sparse one, where the zeros of A are.
pub fn widths(name: &str, opcode: &str) -> Widths {
    let sparse = opcode.split('.').any(|word| word == "SP");
    let mut words = opcode.split('.').skip(1).filter(|word| *word != "SP");
    let shape = words.next().unwrap_or("");
    let half = words.next() == Some("F16");
    if let Some(columns) = columns_of_warpgroup(shape) {
        // 64 rows on 128 threads. A comes from scratchpad, or 64 x 32 bytes of it from registers: which source is which is open.
        let sum = columns / if half { 4 } else { 2 };
        return of([sum.max(4); 3], sum);
    }
    let sum = if half { 2 } else { 4 };
    let tf32 = opcode.contains("TF32");
    // Four bits per number, of which twice as many fit.
    let nibbles = opcode.contains(".S4") || opcode.contains(".U4");
    let [a, b, c] = match (name, shape) {
        ("HMMA", "16832") | ("IMMA", "168128") if sparse => [4, 4, sum],
        ("HMMA" | "IMMA" | "QMMA", "1688" | "16816" | "16832" | "16864") if sparse => {
            let large = match name {
                "HMMA" => tf32 && shape == "16816",
                _ => shape == "16864" && !nibbles,
            };
            if large { [4, 4, sum] } else { [2, 2, sum] }
        }
        ("HMMA", "884") => [2, 2, 2],
        ("HMMA", "1684") => [2, 1, sum],
        ("HMMA", "1688") if tf32 => [4, 2, sum],
        ("HMMA", "1688") => [2, 1, sum],
        ("HMMA", "16816") => [4, 2, sum],
        ("IMMA", "8816" | "8832") | ("BMMA", "88128") => [1, 1, 2],
        ("IMMA", "16832") if nibbles => [2, 1, 4],
        ("IMMA", "16816") | ("BMMA", "168128") => [2, 1, 4],
        ("IMMA", "16832" | "16864") | ("BMMA", "168256") => [4, 2, 4],
        ("QMMA", "16816") => [2, 1, sum],
        ("QMMA", _) => [4, 2, sum],
        ("DMMA", "1684") => [4, 2, 8],
        ("DMMA", "1688") => [8, 4, 8],
        ("DMMA", "16816") => [16, 8, 8],
        ("DMMA", _) => [2, 2, 4],
        _ => [1, 1, 1],
    };
    of([a, b, c], c)
}

fn of([a, b, c]: [u16; 3], dst: u16) -> Widths {
    Widths {
        dst,
        srcs: [a, b, c, 1, 1, 1, 1, 1],
    }
}

/// `64xNxK`: N.
fn columns_of_warpgroup(shape: &str) -> Option<u16> {
    let mut sizes = shape.split('x');
    (sizes.next() == Some("64")).then(|| sizes.next()?.parse().ok())?
}
