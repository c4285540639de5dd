//! Caches, interconnect, and memory channels.

use super::{Checked, Section};
use crate::gpu::cache::{CacheShape, LINE_BYTES, SetIndex, WritePolicy};
use crate::gpu::machine::GpuMachine;

/// Bits of an address above the offset in a line, up to the highest that a program uses.
const ADDRESS_BITS: std::ops::RangeInclusive<u64> = 7..=47;

impl GpuMachine {
    pub(super) fn check_memory(&self) -> Checked {
        self.check_l1()?;
        if let Some(icache) = &self.icache {
            let at = Section("icache");
            check_cache(at, icache)?;
            let read_only = icache.write == WritePolicy::ReadOnly;
            at.demand(read_only, "write", || {
                "expected read-only: nothing is written to an instruction cache".to_owned()
            })?;
        }
        for (section, cache) in [("l1.cache", &self.l1.cache), ("l2.cache", &self.l2.cache)] {
            let takes_stores = cache.write != WritePolicy::ReadOnly;
            Section(section).demand(takes_stores, "write", || {
                "read-only; expected through-allocate, through-evict or back: stores come here"
                    .to_owned()
            })?;
        }
        let (ports, at) = (&self.interconnect, Section("interconnect"));
        let why = "with no place, no packet gets through";
        at.limit("input_packets", ports.input_packets, 1..=65_536, why)?;
        at.limit("output_packets", ports.output_packets, 1..=65_536, why)?;
        at.limit("sm_packets", ports.sm_packets, 1..=65_536, why)?;
        self.check_l2()?;
        self.check_dram()?;
        self.check_timing()?;
        self.check_addresses()
    }

    fn check_l1(&self) -> Checked {
        let (l1, at) = (&self.l1, Section("l1"));
        at.range("latency", l1.latency, 1..=500)?;
        at.range("banks", l1.banks, 1..=8)?;
        check_cache(Section("l1.cache"), &l1.cache)?;
        at.demand(
            l1.splits_sectors || !l1.cache.sectored,
            "splits_sectors",
            || {
                "false; expected true with l1.cache.sectored: the cache looks up a sector at a time"
                    .to_owned()
            },
        )?;
        self.check_carve_outs()
    }

    /// Cache and scratchpad share `unified_bytes`, if that is not 0.
    fn check_carve_outs(&self) -> Checked {
        let (l1, at) = (&self.l1, Section("l1"));
        let (unified, sizes) = (u64::from(l1.unified_bytes), &l1.carve_outs);
        if unified == 0 {
            return at.demand(sizes.is_empty(), "carve_outs", || {
                format!("{sizes:?}; expected [] with unified_bytes = 0: there is nothing to carve")
            });
        }
        let scratchpad = u64::from(self.limits.scratchpad_bytes);
        let way = u64::from(l1.cache.sets) * LINE_BYTES;
        let why = format!(
            "limits.scratchpad_bytes ({scratchpad}) and at least one way of l1.cache ({way}) lie in it; \
             0 gives the cache a size of its own"
        );
        at.limit("unified_bytes", unified, scratchpad + way..=1 << 25, &why)?;
        at.demand(unified.is_multiple_of(way), "unified_bytes", || {
            format!("{unified}; expected whole ways of l1.cache, of {way} bytes each")
        })?;
        let rises = sizes.windows(2).all(|pair| pair[0] < pair[1]);
        at.demand(rises && !sizes.is_empty(), "carve_outs", || {
            format!(
                "{sizes:?}; expected ascending sizes: a kernel gets the first that is large enough"
            )
        })?;
        let largest = u64::from(sizes.last().copied().unwrap_or(0));
        let room = unified - way;
        at.demand((scratchpad..=room).contains(&largest), "carve_outs", || {
            format!(
                "the largest is {largest}; expected {scratchpad} (limits.scratchpad_bytes) to {room}: it must leave \
                 l1.cache one way ({way}) of unified_bytes ({unified})"
            )
        })
    }

    fn check_l2(&self) -> Checked {
        let (l2, at) = (&self.l2, Section("l2"));
        let (channels, slices) = (l2.channels, l2.slices_per_channel);
        at.range("channels", channels, 1..=64)?;
        at.demand(slices.is_power_of_two() && slices <= 64, "slices_per_channel", || {
            format!("{slices}; expected a power of two up to 64: bits of an address choose the slice")
        })?;
        at.demand(channels * slices <= 128, "slices_per_channel", || {
            format!(
                "{slices} of each of {channels} channels; expected at most 128 in all: the interconnect has \
                 as many ports"
            )
        })?;
        at.range("latency", l2.latency, 0..=10_000)?;
        at.range("queue", l2.queue, 4..=1024)?;
        at.range("dram_latency", l2.dram_latency, 0..=10_000)?;
        let why = "a slice reads or fills up to a line per cycle";
        at.limit("port_bytes", l2.port_bytes, 1..=LINE_BYTES, why)?;
        check_cache(Section("l2.cache"), &l2.cache)
    }

    fn check_dram(&self) -> Checked {
        let (dram, at) = (&self.dram, Section("dram"));
        let why = "with no place, no request is ever served";
        at.limit("queue", dram.queue, 1..=1024, why)?;
        at.limit("return_queue", dram.return_queue, 1..=1024, why)?;
        at.range("burst_bytes", dram.burst_bytes, 16..=256)?;
        at.range("burst_cycles", dram.burst_cycles, 1..=16)?;
        let (banks, groups) = (dram.banks, dram.bank_groups);
        at.demand(banks.is_power_of_two() && banks <= 64, "banks", || {
            format!("{banks}; expected a power of two up to 64: bits of an address choose the bank")
        })?;
        let fits = groups.is_power_of_two() && groups <= banks;
        at.demand(fits, "bank_groups", || {
            format!("{groups}; expected a power of two up to banks ({banks})")
        })
    }

    fn check_timing(&self) -> Checked {
        let (dram, at) = (&self.dram, Section("dram"));
        for (key, value, least) in [
            ("ccd", dram.ccd, 1),
            ("ccdl", dram.ccdl, 0),
            ("rrd", dram.rrd, 0),
            ("rcd", dram.rcd, 0),
            ("ras", dram.ras, 0),
            ("rp", dram.rp, 0),
            ("rc", dram.rc, 0),
            ("cl", dram.cl, 1),
            ("wl", dram.wl, 1),
            ("cdlr", dram.cdlr, 0),
            ("wr", dram.wr, 0),
            ("rtpl", dram.rtpl, 0),
        ] {
            at.range(key, value, least..=1000)?;
        }
        at.demand(dram.ccd >= dram.burst_cycles, "ccd", || {
            format!(
                "{}; expected at least burst_cycles ({}): so long a burst holds the bus",
                dram.ccd, dram.burst_cycles
            )
        })?;
        // With one group there is no other to be faster than.
        at.demand(
            dram.bank_groups == 1 || dram.ccdl >= dram.ccd,
            "ccdl",
            || {
                format!(
                    "{}; expected at least ccd ({}): one bank group is no faster than two",
                    dram.ccdl, dram.ccd
                )
            },
        )?;
        at.demand(dram.rcd <= dram.ras, "rcd", || {
            format!(
                "{}; expected at most ras ({}): the row must be open until it is read",
                dram.rcd, dram.ras
            )
        })?;
        // Each is rounded to cycles by itself, so the sum may be one more.
        at.demand(dram.rc + 1 >= dram.ras + dram.rp, "rc", || {
            format!(
                "{}; expected at least ras + rp ({} + {}), less one for rounding: a row is opened, then closed",
                dram.rc, dram.ras, dram.rp
            )
        })?;
        at.demand(dram.wl <= dram.cl, "wl", || {
            format!(
                "{}; expected at most cl ({}): the data bus holds no more cycles than a read takes",
                dram.wl, dram.cl
            )
        })
    }

    fn check_addresses(&self) -> Checked {
        let (map, at) = (&self.addresses, Section("addresses"));
        let why = "bits above a line of 128 bytes, of addresses of 48 bits";
        at.limit("channel_bit", map.channel_bit, ADDRESS_BITS, why)?;
        at.limit("row_bit", map.row_bit, ADDRESS_BITS, why)?;
        let (bits, banks) = (&map.bank_bits, self.dram.banks);
        at.demand(
            bits.len() == banks.trailing_zeros() as usize,
            "bank_bits",
            || {
                format!(
                    "{} bits; expected {}: dram.banks is {banks}",
                    bits.len(),
                    banks.trailing_zeros()
                )
            },
        )?;
        for (nth, &bit) in bits.iter().enumerate() {
            at.limit("bank_bits", bit, ADDRESS_BITS, why)?;
            at.demand(!bits[..nth].contains(&bit), "bank_bits", || {
                format!("{bit} twice; expected bits that differ: some banks would never be used")
            })?;
            at.demand(bit < map.row_bit, "bank_bits", || {
                format!(
                    "{bit}; expected bits below row_bit ({}): from there on all belong to the row",
                    map.row_bit
                )
            })?;
        }
        let slices = self.l2.slices_per_channel;
        Section("l2").demand(slices <= banks, "slices_per_channel", || {
            format!(
                "{slices}; expected at most dram.banks ({banks}): the lowest bits of the bank choose the slice"
            )
        })?;
        let of_slice = &bits[..slices.trailing_zeros() as usize];
        at.demand(of_slice.is_sorted(), "bank_bits", || {
            format!(
                "{of_slice:?} choose among {slices} slices; expected the lower one first: they are taken out of \
                 the address in this order"
            )
        })
    }
}

fn check_cache(at: Section, cache: &CacheShape) -> Checked {
    let sets = cache.sets;
    at.range("sets", sets, 1..=4096)?;
    at.range("ways", cache.ways, 1..=4096)?;
    at.range("mshrs", cache.mshrs, 1..=4096)?;
    at.range("merges", cache.merges, 1..=256)?;
    let why = "a load takes a place, and another for the dirty line that may have to go";
    at.limit("miss_queue", cache.miss_queue, 2..=256, why)?;
    at.limit(
        "dirty_percent",
        cache.dirty_percent,
        0..=100,
        "a share of all lines",
    )?;
    let folds = cache.set_index != SetIndex::Polynomial || sets <= 256;
    at.demand(sets.is_power_of_two() && folds, "sets", || {
        format!("{sets}; expected a power of two, at most 256 with polynomial")
    })
}
