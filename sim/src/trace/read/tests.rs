use super::*;
use crate::trace::record::{Addresses, Class, Command, Space};
use std::io::Cursor;

pub(super) fn head(extra: &str) -> String {
    format!(
        "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n\
         -binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x10\n-local mem base_addr = 0x20\n\
         -nvbit version = 1.7\n{extra}\n#traces format = ..\n\n"
    )
}

fn cta(lines: &[&str]) -> String {
    let text = lines.join("\n");
    format!(
        "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = {}\n{text}\n\n#END_TB\n\n",
        lines.len()
    )
}

fn read(text: &str) -> Result<(KernelReader, Vec<CtaTrace>), TraceError> {
    let mut reader = KernelReader::new(
        Cursor::new(text.to_owned()),
        Path::new("k"),
        &ReadOptions::default(),
    )?;
    let mut ctas = Vec::new();
    while let Some(cta) = reader.next_cta()? {
        ctas.push(cta);
    }
    Ok((reader, ctas))
}

#[test]
fn line_of_version_five_gives_registers_addresses_and_immediate() {
    let text = head("-accelsim tracer version = 5\n-enable lineinfo = 0")
        + &cta(&[
            "00a0 ffffffff 1 R4 LDG.E 1 R5 4 1 0x100 4 7 ",
            "00b0 ffffffff 0 EXIT 0 0 0 ",
        ]);
    let (reader, ctas) = read(&text).unwrap();
    let load = &reader.program().insts[0];
    assert_eq!(
        (load.pc, load.opcode.as_str(), load.immediate),
        (0xa0, "LDG.E", 7)
    );
    assert_eq!(
        (load.dsts.as_slice(), load.srcs.as_slice()),
        (&[4][..], &[5][..])
    );
    assert_eq!(
        (load.class, load.width_bytes),
        (Class::Load(Space::Global), 4)
    );
    assert_eq!(
        ctas[0].warps[0].addresses,
        [Addresses::Strided {
            base: 0x100,
            stride: 4
        }]
    );
}

#[test]
fn list_names_copies_and_kernels_in_order() {
    let text = "MemcpyHtoD,0x00007fb0fc400000,200000\nkernel-1.traceg\n";
    let list = list_of(Box::new(text.as_bytes()), Path::new("l")).unwrap();
    assert_eq!(
        list,
        [
            Command::CopyToDevice {
                address: 0x7fb0_fc40_0000,
                bytes: 200_000
            },
            Command::Kernel("kernel-1.traceg".into()),
        ]
    );
}
