//! The text form of kernels: what PTX calls assembly, for the instruction set as it is here.
//!
//! ```text
//! .kernel add_one;                       // comments run to the end of the line
//! .regs architected 6, 1;                // or `virtual`: registers, predicates
//! .shared 64;                            // static scratchpad, bytes
//! .local 8;                              // local memory per thread, bytes
//! .param u64 out, offset 0, size 8, align 8;
//! .const table, address 0x40000000, size 8, init "0100000002";     // or .global
//! entry:
//!     mov.u32 r0, %tid.x;
//!     setp.ge.u32 p0, r0, 10;
//! @p0 exit;
//!     ld.param.u64 r2:3, [0];            // a 64-bit value: a pair, or rd2 where registers are virtual
//!     mad.wide.u32 r2:3, r0, 4, r2:3;
//!     ld.global.v2.u32 {r0, r1}, [r2:3 + 16];
//!     add.rn.f32 r0, r0, 0f3f800000;     // a constant by its bits, as in PTX; 0d... for f64
//!     st.global.u32 [r2:3], r0;
//!     exit;
//! ```
//!
//! A load that is performed even where nobody reads its result (PTX `volatile`, `relaxed`, `acquire`) is `ld.strong`, before the space.
//! A function is the blocks that begin with the label which `call LABEL;` names, up to its `ret;`.
//! Several results are parted by `|` (`setp.lt.u32 p0|p1, r0, r1;`). A number `#12` behind an instruction is the
//! line of the source that it came from; without one it is the line of this text. Names that are no words stand
//! in quotes. [`parse`] gives back exactly what [`print()`] was given.

mod cure;
mod error;
mod lex;
mod mnemonic;
mod names;
mod operands;
mod parse;
mod parse_op;
mod print;
#[cfg(test)]
mod tests;

pub use error::TextError;
pub use parse::{MAX_TEXT_BYTES, is_kernel_text, parse};
pub use print::{print, print_inst, print_without_lines};
