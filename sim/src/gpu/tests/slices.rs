//! What the slices of the second level wait for: their port, and the room of their memory.

use super::{GLOBAL, one_sm, replay, trace};
use crate::gpu::cache::SetIndex;
use crate::gpu::{GpuMachine, ReplayOptions};

/// Slices of one SM's two channels of a QV100.
const SLICES: u64 = 4;

fn cycles(machine: &GpuMachine, text: &str) -> u64 {
    replay(machine, text, &ReplayOptions::default())
        .expect("it runs")
        .cycles
}

/// Stores of one sector each to lines of their own, in a second level of two lines a slice: all but the first evict a dirty sector.
#[test]
fn store_that_evicts_holds_the_port_for_what_it_evicts() {
    let stores = 2000;
    let cycles_with = |port_bytes: u32| {
        let (mut machine, binary) = one_sm("qv100");
        machine.l2.port_bytes = port_bytes;
        let cache = &mut machine.l2.cache;
        (cache.sets, cache.ways, cache.set_index) = (1, 2, SetIndex::Linear);
        cache.dirty_percent = 0;
        let text = trace(1, 1, stores, binary, &|_, n| {
            let address = GLOBAL + 128 * n;
            format!("00000001 0 STG.E 2 R2 R3 4 1 {address:#x} 4 0")
        });
        cycles(&machine, &text)
    };
    let (narrow, wide) = (cycles_with(1), cycles_with(32));
    let least = (stores - 2 * SLICES) * 32 / SLICES;
    assert!(narrow >= least && wide < narrow / 2, "{narrow}, {wide}");
}

/// Queues of one request each in front of a memory that is far away: three requests of a channel are on their way at most.
#[test]
fn channel_has_no_more_requests_on_their_way_than_its_queues_hold() {
    let (mut machine, binary) = one_sm("qv100");
    (machine.dram.queue, machine.dram.return_queue) = (1, 1);
    machine.l2.dram_latency = 1000;
    let loads = 64;
    let text = trace(1, 1, loads, binary, &|_, n| {
        let (register, address) = (4 + n % 16, GLOBAL + 128 * n);
        format!("ffffffff 1 R{register} LDG.E 1 R2 4 1 {address:#x} 4 0")
    });
    // Four sectors each, over two channels.
    let least = 4 * loads / (2 * 3) * 1000;
    let found = cycles(&machine, &text);
    assert!(found >= least, "{found}, at least {least}");
}
