//! Base opcodes: what each does, and on which hardware.
//!
//! Names and generations: NVIDIA, CUDA Binary Utilities, chapter Instruction Set Reference (editions 9.2 to 12.4). Classes:
//! the unit that executes it in the published configurations of GPGPU-Sim 4 for traces.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Generation::{self, Ampere, Hopper, Pascal, Turing, Volta};
use crate::trace::record::{Class, Space};

/// The generations from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range(pub Generation, pub Generation);

impl Range {
    /// Whether the generation is one of them.
    pub fn contains(self, generation: Generation) -> bool {
        (self.0..=self.1).contains(&generation)
    }
}

/// A base opcode.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it does.
    pub class: Class,
    /// Which hardware knows it.
    pub generations: Range,
}

const ALL: Range = Range(Pascal, Hopper);
const PASCAL: Range = Range(Pascal, Pascal);
const VOLTA: Range = Range(Volta, Hopper);
const TURING: Range = Range(Turing, Hopper);
const AMPERE: Range = Range(Ampere, Hopper);
const HOPPER: Range = Range(Hopper, Hopper);

/// Class, generations, names.
pub const GROUPS: &[(Class, Range, &str)] = &[
    (
        Class::Sp,
        ALL,
        "FADD FADD32I FCHK FFMA FFMA32I FMNMX FMUL FMUL32I FSET FSETP FSWZADD",
    ),
    (Class::Sp, PASCAL, "FCMP RRO"),
    (Class::Sp, VOLTA, "FSEL"),
    (
        Class::Half,
        ALL,
        "HADD2 HADD2_32I HFMA2 HFMA2_32I HMUL2 HMUL2_32I HSET2 HSETP2",
    ),
    (Class::Half, AMPERE, "HMNMX2"),
    (Class::Half, HOPPER, "VHMNMX"),
    (Class::Dp, ALL, "DADD DFMA DMUL DSETP"),
    (Class::Dp, PASCAL, "DMNMX DSET"),
    (Class::Sfu, ALL, "MUFU"),
    (Class::Tensor, VOLTA, "HMMA IMMA"),
    (Class::Tensor, TURING, "BMMA"),
    (Class::Tensor, AMPERE, "DMMA QMMA"),
    (Class::Tensor, HOPPER, "HGMMA IGMMA QGMMA BGMMA"),
    (
        Class::Int,
        ALL,
        "FLO IADD IADD3 IADD32I IDP IDP4A IMAD IMNMX IMUL IMUL32I ISCADD ISCADD32I ISETP LEA LOP LOP3 LOP32I POPC SHF SHL \
         SHR VABSDIFF VABSDIFF4",
    ),
    (
        Class::Int,
        PASCAL,
        "BFE BFI ICMP IMAD32I IMADSP ISET VADD VMAD VMNMX VSET VSETP VSHL VSHR XMAD",
    ),
    (Class::Int, VOLTA, "BMSK BREV IABS SGXT"),
    (Class::Int, HOPPER, "VIADD VIADDMNMX VIMNMX VIMNMX3"),
    (
        Class::Alu,
        ALL,
        "B2R CCTL CCTLL CCTLT CS2R DEPBAR F2F F2I GETLMEMBASE I2F I2I LDC LEPC MOV MOV32I NOP P2R PMTRIG PRMT PSETP R2B R2P \
         S2R SEL SETCTAID SETLMEMBASE SHFL SUATOM SULD SURED SUST VOTE",
    ),
    (Class::Alu, PASCAL, "CSET CSETP PSET"),
    (
        Class::Alu,
        VOLTA,
        "CSMTEST ERRBAR FRND I2IP MATCH PLOP3 QSPC VOTE_VTG",
    ),
    (Class::Alu, TURING, "MOVM"),
    (
        Class::Alu,
        AMPERE,
        "ARRIVES F2FP F2IP I2FP LDGDEPBAR SUQUERY",
    ),
    (
        Class::Alu,
        HOPPER,
        "ACQBULK CGAERRBAR ENDCOLLECTIVE PREEXIT SYNCS ULEPC USETMAXREG WARPGROUP WARPGROUPSET",
    ),
    (Class::Branch, ALL, "BPT BRA BRX JMP JMX KILL RET RTT"),
    (
        Class::Branch,
        PASCAL,
        "BRK CAL CONT JCAL KIL LONGJMP PBK PCNT PEXIT PLONGJMP PRET SSY SYNC",
    ),
    (
        Class::Branch,
        VOLTA,
        "BMOV BREAK BSSY BSYNC CALL NANOSLEEP RPCMOV WARPSYNC YIELD",
    ),
    (Class::Branch, TURING, "BRXU JMXU"),
    (Class::Branch, HOPPER, "ELECT UCGABAR_ARV UCGABAR_WAIT"),
    (Class::Exit, ALL, "EXIT"),
    (Class::Texture, ALL, "TEX TLD TLD4 TMML TXD TXQ"),
    (Class::Texture, PASCAL, "TEXS TLD4S TLDS"),
    (
        Class::Uniform,
        TURING,
        "R2UR S2UR UBMSK UBREV UCLEA UFLO UIADD3 UIMAD UISETP ULDC ULEA ULOP ULOP3 ULOP32I UMOV UP2UR UPLOP3 UPOPC UPRMT \
         UPSETP UR2UP USEL USGXT USHF USHL USHR VOTEU",
    ),
    (Class::Uniform, AMPERE, "REDUX UF2FP"),
    (Class::Load(Space::Generic), ALL, "LD"),
    (Class::Load(Space::Global), ALL, "LDG"),
    (Class::Load(Space::Global), HOPPER, "LDGMC"),
    (Class::Load(Space::Local), ALL, "LDL"),
    (Class::Load(Space::Shared), ALL, "LDS"),
    (Class::Load(Space::Shared), TURING, "LDSM"),
    (Class::Store(Space::Generic), ALL, "ST"),
    (Class::Store(Space::Global), ALL, "STG"),
    (Class::Store(Space::Local), ALL, "STL"),
    (Class::Store(Space::Shared), ALL, "STS"),
    (Class::Store(Space::Shared), HOPPER, "STAS STSM"),
    (Class::Atomic(Space::Generic), ALL, "ATOM"),
    (Class::Atomic(Space::Global), ALL, "RED"),
    (Class::Atomic(Space::Global), VOLTA, "ATOMG"),
    (Class::Atomic(Space::Shared), ALL, "ATOMS"),
    (Class::AsyncCopy, AMPERE, "LDGSTS"),
    (Class::Barrier, ALL, "BAR"),
    (Class::Fence, ALL, "MEMBAR"),
    (Class::Fence, HOPPER, "FENCE"),
];

static BY_NAME: LazyLock<HashMap<&'static str, Entry>> = LazyLock::new(|| {
    let entries = GROUPS.iter().flat_map(|&(class, generations, names)| {
        let entry = Entry { class, generations };
        names.split_whitespace().map(move |name| (name, entry))
    });
    entries.collect()
});

/// The entry of a base opcode.
pub fn find(name: &str) -> Option<Entry> {
    BY_NAME.get(name).copied()
}
