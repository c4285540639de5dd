//! What reads give, and which are refused.

use super::*;

const R3: ArchReg = ArchReg(3);

fn read(file: &RegisterFile, slot: usize, pack: u16) -> Result<u32, Missing> {
    let mut out = [9; 32];
    let mut counters = RegisterCounters::default();
    file.read(slot, R3, (Pack(pack), !0), &mut out, &mut counters)?;
    Ok(out[0])
}

fn file_with_two_warps() -> RegisterFile {
    let mut file = RegisterFile::new(16, (4, 1), 2, true);
    file.start(0, 100);
    file.start(1, 101);
    let mut counters = RegisterCounters::default();
    for slot in 0..2 {
        let value = [slot as u32 + 1; 32];
        file.write(slot, R3, Pack(slot as u16), !0, &value, &mut counters);
    }
    file
}

#[test]
fn sub_cores_have_banks_of_their_own() {
    let whole = RegisterFile::new(64, (16, 1), 8, false);
    let parts = RegisterFile::new(64, (16, 4), 8, false);
    for slot in 0..8 {
        assert_eq!(whole.bank(slot, Pack(21)), 5);
        assert_eq!(parts.bank(slot, Pack(21)), 4 * (slot % 4) + 1);
    }
}

#[test]
fn value_is_read_back_from_its_pack() {
    let file = file_with_two_warps();
    assert_eq!(read(&file, 0, 0), Ok(1));
    assert_eq!(read(&file, 1, 1), Ok(2));
}

#[test]
fn a_register_is_peeked_where_it_was_written_last() {
    let mut file = file_with_two_warps();
    assert_eq!((file.peek(0, R3)[0], file.peek(1, R3)[0]), (1, 2));
    let mut counters = RegisterCounters::default();
    file.write(1, R3, Pack(9), !0, &[8; 32], &mut counters);
    assert_eq!((file.peek(1, R3)[0], file.peek(1, ArchReg(4))[0]), (8, 0));
    file.start(1, 103);
    assert_eq!(file.peek(1, R3)[0], 0);
    assert_eq!(counters.reads, 0);
}

#[test]
fn pack_of_another_warp_is_refused_with_its_owner() {
    let file = file_with_two_warps();
    let owner = Tag {
        warp: 101,
        reg: R3,
        level: 0,
    };
    assert_eq!(read(&file, 0, 1), Err(Missing::Foreign(Some(owner))));
    assert_eq!(read(&file, 0, 5), Err(Missing::Foreign(None)));
}

#[test]
fn register_never_written_reads_zero_and_is_counted() {
    let mut file = file_with_two_warps();
    file.start(0, 102);
    let (mut out, mut counters) = ([9; 32], RegisterCounters::default());
    assert_eq!(
        file.read(0, R3, (Pack(1), !0), &mut out, &mut counters),
        Ok(())
    );
    assert_eq!((out[0], counters.uninitialised_reads), (0, 1));
}

#[test]
fn register_given_back_reads_zero_and_is_counted_apart() {
    let mut file = file_with_two_warps();
    file.give_back(0, &RegMask::from_index(3));
    let (mut out, mut counters) = ([9; 32], RegisterCounters::default());
    assert_eq!(
        file.read(0, R3, (Pack(0), !0), &mut out, &mut counters),
        Ok(())
    );
    assert_eq!((out[0], counters.reads_after_release), (0, 1));
}

#[test]
fn lanes_not_written_keep_the_old_value_or_are_zero() {
    let mut file = file_with_two_warps();
    let mut counters = RegisterCounters::default();
    let lane_of = |file: &RegisterFile, lane: usize| {
        let (mut out, mut counters) = ([9; 32], RegisterCounters::default());
        file.read(0, R3, (Pack(0), !0), &mut out, &mut counters)
            .unwrap();
        out[lane]
    };
    file.write(0, R3, Pack(0), 1, &[7; 32], &mut counters);
    assert_eq!((lane_of(&file, 0), lane_of(&file, 1)), (7, 1));
    // A warp that has written nothing else.
    file.start(0, 102);
    file.write(0, R3, Pack(0), 1, &[7; 32], &mut counters);
    assert_eq!((lane_of(&file, 0), lane_of(&file, 1)), (7, 0));
}

/// The register is given back with a value of lanes 0 and 1, and lane 0 writes it anew, into the same pack or another.
#[test]
fn a_lane_whose_value_was_given_back_is_refused() {
    for pack in [0, 7] {
        let mut file = RegisterFile::new(16, (4, 1), 2, false);
        file.start(0, 100);
        let mut counters = RegisterCounters::default();
        file.write(0, R3, Pack(0), 0b11, &[1; 32], &mut counters);
        // Somebody else has the pack in between.
        file.start(1, 101);
        file.write(1, R3, Pack(0), !0, &[2; 32], &mut counters);
        file.write(0, R3, Pack(pack), 0b01, &[3; 32], &mut counters);
        let read = |file: &RegisterFile, lanes: u32| {
            let (mut out, mut counters) = ([9; 32], RegisterCounters::default());
            let read = file.read(0, R3, (Pack(pack), lanes), &mut out, &mut counters);
            read.map(|()| out[0])
        };
        assert_eq!(read(&file, 0b01), Ok(3), "{pack}");
        assert_eq!(read(&file, 0b11), Err(Missing::Lane(1)), "{pack}");
        // Lanes that have never written it have nothing to lose.
        assert_eq!(read(&file, !0b10), Ok(3), "{pack}");
        let mut repaired = file.clone();
        repaired.write(0, R3, Pack(pack), 0b10, &[4; 32], &mut counters);
        assert_eq!(read(&repaired, !0), Ok(3), "{pack}");
        file.forget_lanes(0, R3);
        file.write(0, R3, Pack(pack), 0b01, &[5; 32], &mut counters);
        assert_eq!(read(&file, !0), Ok(5), "{pack}");
    }
}

#[test]
fn what_is_moved_keeps_its_lanes_and_what_is_pushed_its_callers() {
    let mut file = RegisterFile::new(16, (4, 1), 2, false);
    file.start(0, 100);
    let mut counters = RegisterCounters::default();
    file.write(0, R3, Pack(0), 0b11, &[1; 32], &mut counters);
    let (value, held) = file.take(Pack(0), &mut counters);
    file.put(Pack(5), &value, held, &mut counters);
    assert_eq!((held.lanes, read(&file, 0, 5)), (0b11, Ok(1)));
    let had = file.push(0, R3);
    assert_eq!(had, 0b11);
    file.write(0, R3, Pack(6), 0b100, &[2; 32], &mut counters);
    assert_eq!(read(&file, 0, 6), Ok(0));
    file.pop(0, R3, had);
    assert_eq!(read(&file, 0, 5), Ok(1));
    // A register that had none has none again.
    let (r4, other) = (ArchReg(4), Pack(8));
    let had = file.push(0, r4);
    file.write(0, r4, other, !0, &[5; 32], &mut counters);
    file.pop(0, r4, had);
    let mut out = [9; 32];
    assert_eq!(
        file.read(0, r4, (other, !0), &mut out, &mut counters),
        Ok(())
    );
    assert_eq!(out[0], 0);
}
