//! The variants of register file virtualization, and their names.

use crate::manager::unit::module_name;

/// Entries of the flag caches of which there is hardware.
const FLAG_ENTRIES: [u8; 5] = [0, 1, 2, 5, 10];

/// What hardware of register file virtualization is built: its size, how sub-arrays wake, whether there are flags, and how many
/// entries their cache has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenamingVariant {
    /// Its packs: 256, 512, 1024 or 2048, for 4, 16, 48 or 64 warps.
    pub packs: u16,
    /// Clock cycles in which a sub-array wakes. The hardware of 256 packs is built for 3 whatever is asked for.
    pub wake_up: u8,
    /// Without flags and throttle.
    pub hardware_only: bool,
    /// Entries of the flag cache.
    pub flag_entries: u8,
}

impl RenamingVariant {
    /// The unit that it is.
    pub const UNIT: &str = "rfv_top";

    /// All of which there is RTL, of the two sizes that have variants; those with nothing changed are among them.
    pub fn all() -> impl Iterator<Item = Self> {
        let kinds = FLAG_ENTRIES.map(|entries| (false, entries)).into_iter();
        let kinds = kinds.chain([(true, 10)]);
        [1024, 2048].into_iter().flat_map(move |packs| {
            kinds
                .clone()
                .flat_map(move |(hardware_only, flag_entries)| {
                    [1, 3, 10].map(|wake_up| Self {
                        packs,
                        wake_up,
                        hardware_only,
                        flag_entries,
                    })
                })
        })
    }

    /// What differs from the cache of ten entries, the wake-up of one cycle and the flags; `None`: nothing.
    pub(super) fn what(self) -> Option<String> {
        let what = [
            (self.hardware_only).then(|| "hardware-only renaming".to_owned()),
            (self.flag_entries != 10)
                .then(|| format!("a flag cache of {} entries", self.flag_entries)),
            (self.wake_up != 1).then(|| format!("a wake-up of {} cycles", self.wake_up)),
        ];
        let what: Vec<_> = what.into_iter().flatten().collect();
        (!what.is_empty()).then(|| what.join(" with "))
    }

    /// Whether there is RTL of it. Hardware-only renaming has no use for the cache, and comes with ten entries.
    pub(super) fn has_rtl(self) -> bool {
        let has_cache = match self.hardware_only {
            true => self.flag_entries == 10,
            false => FLAG_ENTRIES.contains(&self.flag_entries),
        };
        has_cache && self.wake_up != 0
    }

    /// What its module is named after: the size, and all that differs from the other modules of the size.
    pub(super) fn parameters(self) -> Vec<(&'static str, u64)> {
        let warps = match self.packs {
            256 => 4,
            512 => 16,
            1024 => 48,
            _ => 64,
        };
        let size = [
            ("warps", warps),
            ("registers", 63),
            ("packs", self.packs.into()),
        ];
        let changed = [
            self.hardware_only.then_some(("hardware_only", 1)),
            (self.flag_entries != 10).then_some(("entries", self.flag_entries.into())),
            (self.wake_up != 1).then_some(("latency", self.wake_up.into())),
        ];
        size.into_iter()
            .chain(changed.into_iter().flatten())
            .collect()
    }

    /// The name of its module: `rfv_top_w48_r63_p1024_e5_l3`.
    #[must_use]
    pub fn module(self) -> String {
        module_name(Self::UNIT, &self.parameters())
    }
}
