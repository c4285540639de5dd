//! Operations. They follow the PTX ISA: same names, same types, same semantics; what differs is said here.
//!
//! Carry chains use predicate registers instead of the one condition-code register of PTX, so that
//! liveness sees them. Sub-word values (8 and 16 bit) live in 32-bit registers, in the low bits.

pub use super::modifier::*;
pub use super::traced::Traced;

/// Index of a basic block in [`crate::kernel::Kernel::blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// The operations. Comments give destinations `<-` sources in the order of `Inst::dsts` and `Inst::srcs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    // ---- moves
    /// d <- a (register, constant or special register)
    Mov(Ty),
    /// d <- lo, hi: `mov.b64 d, {lo, hi}` (B64) or `mov.b32 d, {lo, hi}` (B32 from 16-bit halves)
    Pack(Ty),
    /// lo, hi <- a: the inverse
    Unpack(Ty),
    /// d <- a, b, p: p ? a : b
    Selp(Ty),
    /// d <- a, b, c: c >= 0 ? a : b; the second type is c's (S32 or F32)
    Slct(Ty, Ty, bool),
    /// d <- a. Rounding None: none written. `sat`, `ftz` as in PTX.
    Cvt {
        /// Type of the result.
        to: Ty,
        /// Type of the source.
        from: Ty,
        /// Rounding, if written.
        round: Option<Round>,
        /// Rounds to an integral number (`.rni` and its kin).
        integral: bool,
        /// Flushes subnormals.
        ftz: bool,
        /// Saturates.
        sat: bool,
    },
    /// d <- a: address of `space` to generic
    CvtaToGeneric(Space),
    /// d <- a: generic address to `space`
    CvtaFromGeneric(Space),
    /// p <- a: whether a generic address lies in `space`
    Isspacep(Space),

    // ---- integer
    /// d <- a, b; `sat` for S32
    Add {
        /// Type.
        ty: Ty,
        /// Saturates.
        sat: bool,
    },
    /// d <- a, b
    Sub {
        /// Type.
        ty: Ty,
        /// Saturates.
        sat: bool,
    },
    /// d [, carry out p] <- a, b [, carry in p]
    AddCarry(Ty),
    /// d [, borrow out p] <- a, b [, borrow in p]; the predicate is the borrow
    SubCarry(Ty),
    /// d <- a, b
    Mul {
        /// Type.
        ty: Ty,
        /// Which part of the product.
        part: Part,
    },
    /// d <- a, b, c
    Mad {
        /// Type.
        ty: Ty,
        /// Which part of the product.
        part: Part,
        /// Saturates.
        sat: bool,
    },
    /// d [, carry out p] <- a, b, c [, carry in p]; part Lo or Hi
    MadCarry {
        /// Type.
        ty: Ty,
        /// Which part of the product.
        part: Part,
    },
    /// d <- a, b: 24-bit operands; hi: bits 47..16
    Mul24 {
        /// Type.
        ty: Ty,
        /// The upper part.
        hi: bool,
    },
    /// d <- a, b, c
    Mad24 {
        /// Type.
        ty: Ty,
        /// The upper part.
        hi: bool,
        /// Saturates.
        sat: bool,
    },
    /// d <- a, b
    Div(Ty),
    /// d <- a, b
    Rem(Ty),
    /// d <- a
    Abs(Ty),
    /// d <- a
    Neg(Ty),
    /// d <- a, b
    Min(Ty),
    /// d <- a, b
    Max(Ty),
    /// d <- a, b, c: |a - b| + c
    Sad(Ty),
    /// d (32 bit) <- a
    Popc(Ty),
    /// d (32 bit) <- a
    Clz(Ty),
    /// d (32 bit) <- a
    Bfind {
        /// Type.
        ty: Ty,
        /// Gives the shift amount that brings the bit to the top.
        shiftamt: bool,
    },
    /// d <- a
    Brev(Ty),
    /// d <- a, pos, len
    Bfe(Ty),
    /// d <- a, b, pos, len: a inserted into b
    Bfi(Ty),
    /// d <- a, b, selector
    Prmt(PrmtMode),
    /// d <- a, b, c: four-byte dot product; types U32 or S32 for a and b
    Dp4a(Ty, Ty),
    /// d <- a, b, c: two-way dot product; `hi` picks the upper bytes of b
    Dp2a {
        /// Type of the first source.
        a: Ty,
        /// Type of the second source.
        b: Ty,
        /// The upper part.
        hi: bool,
    },

    // ---- bits; type B16, B32, B64 or Pred
    /// d <- a, b
    And(Ty),
    /// d <- a, b
    Or(Ty),
    /// d <- a, b
    Xor(Ty),
    /// d <- a
    Not(Ty),
    /// d <- a: a == 0 ? 1 : 0
    Cnot(Ty),
    /// d <- a, b (32-bit amount); amounts above the width give 0
    Shl(Ty),
    /// d <- a, b; signed types fill with the sign
    Shr(Ty),
    /// d <- lo, hi, amount: funnel shift
    Shf {
        /// Shifts left.
        left: bool,
        /// Amount modulo 32; else clamped to 32.
        wrap: bool,
    },
    /// d <- a, b, c with this truth table
    Lop3(u8),

    // ---- float
    /// d <- a, b
    FAdd(Ty, Fp),
    /// d <- a, b
    FSub(Ty, Fp),
    /// d <- a, b
    FMul(Ty, Fp),
    /// d <- a, b, c; one rounding
    Fma(Ty, Fp),
    /// d <- a, b
    FDiv {
        /// Type.
        ty: Ty,
        /// How precise.
        precision: Precision,
        /// Flushes subnormals.
        ftz: bool,
    },
    /// d <- a
    FAbs {
        /// Type.
        ty: Ty,
        /// Flushes subnormals.
        ftz: bool,
    },
    /// d <- a
    FNeg {
        /// Type.
        ty: Ty,
        /// Flushes subnormals.
        ftz: bool,
    },
    /// d <- a, b; `nan`: a NaN input gives NaN
    FMin {
        /// Type.
        ty: Ty,
        /// Flushes subnormals.
        ftz: bool,
        /// A NaN input gives NaN.
        nan: bool,
    },
    /// d <- a, b
    FMax {
        /// Type.
        ty: Ty,
        /// Flushes subnormals.
        ftz: bool,
        /// A NaN input gives NaN.
        nan: bool,
    },
    /// d <- a
    Rcp {
        /// Type.
        ty: Ty,
        /// How precise.
        precision: Precision,
        /// Flushes subnormals.
        ftz: bool,
    },
    /// d <- a
    Sqrt {
        /// Type.
        ty: Ty,
        /// How precise.
        precision: Precision,
        /// Flushes subnormals.
        ftz: bool,
    },
    /// d <- a
    Rsqrt {
        /// Type.
        ty: Ty,
        /// Flushes subnormals.
        ftz: bool,
    },
    /// d <- a (F32)
    Sin {
        /// Flushes subnormals.
        ftz: bool,
    },
    /// d <- a (F32)
    Cos {
        /// Flushes subnormals.
        ftz: bool,
    },
    /// d <- a (F32)
    Lg2 {
        /// Flushes subnormals.
        ftz: bool,
    },
    /// d <- a (F32, F16, F16x2)
    Ex2 {
        /// Type.
        ty: Ty,
        /// Flushes subnormals.
        ftz: bool,
    },
    /// d <- a
    Tanh(Ty),
    /// d <- a, b: sign of a, magnitude of b
    Copysign(Ty),
    /// p <- a
    Testp(Ty, TestProp),

    // ---- comparison
    /// p [, q] <- a, b [, c]: p = (a cmp b) op c, q = !(a cmp b) op c
    Setp {
        /// Comparison.
        cmp: Cmp,
        /// Type.
        ty: Ty,
        /// Flushes subnormals.
        ftz: bool,
        /// How the predicate source takes part, if there is one.
        combine: Option<BoolOp>,
    },
    /// d <- a, b [, c]; d is U32/S32 (all ones) or F32 (1.0)
    Set {
        /// Type of the result.
        to: Ty,
        /// Comparison.
        cmp: Cmp,
        /// Type.
        ty: Ty,
        /// Flushes subnormals.
        ftz: bool,
        /// How the predicate source takes part, if there is one.
        combine: Option<BoolOp>,
    },

    // ---- memory
    /// d.. (vec) <- address
    Ld(Mem),
    /// <- address, values.. (vec)
    St(Mem),
    /// d <- address, b [, c]: old value returned
    Atom {
        /// State space.
        space: Space,
        /// Type.
        ty: Ty,
        /// What is done to the cell.
        op: AtomOp,
        /// Added to the address operand, bytes.
        offset: i64,
    },
    /// <- address, b
    Red {
        /// State space.
        space: Space,
        /// Type.
        ty: Ty,
        /// What is done to the cell.
        op: AtomOp,
        /// Added to the address operand, bytes.
        offset: i64,
    },
    /// `membar`, `fence`: orders the warp's memory accesses
    Membar,

    // ---- across lanes and warps
    /// d [, p] <- a, b, c [, member mask]
    Shfl(ShflMode),
    /// p or d <- predicate [, member mask]
    Vote(VoteMode),
    /// d <-
    Activemask,
    /// d <- barrier number [, thread count] [, predicate]
    Bar(BarKind),
    /// <- member mask: waits for the lanes of the mask
    WarpSync,

    // ---- control
    /// Jump; with a guard, lanes where it is false fall through. Last in its block.
    Bra(BlockId),
    /// The lanes run the function whose first block this is, and go on behind the call when they have all returned. In
    /// virtual registers results.. <- arguments.., and the number is that of a function of the program; in architected ones
    /// the operands are where the calling convention puts them.
    Call(BlockId),
    /// The lanes go back to their call; in virtual registers <- results..
    Ret,
    /// d <- word of the arguments with this number, in virtual registers only; stands at the start of a function.
    Argument(u8),
    /// d, 32 bits <- offset in the local memory of this function, bytes: its address for the thread; in virtual registers only.
    FrameAddress,
    /// <- register: goes into this 32-bit word of the next call's arguments in local memory; in virtual registers only.
    PassOnStack(u16, Ty),
    /// d <- this 32-bit word of what the last call left in local memory, where its frame was; in virtual registers only, behind
    /// the call, before anything else that uses that memory.
    TakeFromStack(u16, Ty),
    /// <- register: its value is put aside until the next `pop` of it (CARS III-A); not predicated.
    Push,
    /// register <-: what the last `push` put aside comes back (CARS III-A); not predicated.
    Pop,
    /// The lanes end. [<- marks]: see [`exit`](super::exit).
    Exit,
    /// Stops the run with an error. [<- address]: the lanes wanted to call what is there, and it is no function.
    Trap,
    /// Nothing.
    Nop,

    // ---- register sharing
    /// The warp asks for its extended set (RegMutex III-A3); not predicated.
    Acquire,
    /// The warp gives its extended set back.
    Release,
    /// <- word: which sources of the next 18 instructions are dead after them (RFV 6.2); not predicated, a constant.
    Pir,
    /// <- word: up to nine registers that are dead here (RFV 6.2); not predicated, a constant.
    Pbr,

    // ---- traces
    /// Up to 4 registers <- up to 6: an instruction of a trace. It takes its lanes and addresses from there.
    Traced(Traced),
}
