//! Which kernels run on which machines, so that each module that a run can drive is driven. The first that does something counts.

use regshare_sim::machine::{Machine, MachineError};
use regshare_sim::scheme::{EsSize, SchemeOptions};

/// A run.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The bundled kernel.
    pub kernel: &'static str,
    /// The scheme.
    pub scheme: &'static str,
    /// SMs that run it together.
    pub sms: u16,
    preset: &'static str,
    warps: Option<u16>,
    packs: Option<u16>,
    schedulers: Option<u8>,
    flag_entries: Option<u8>,
    wake_up: Option<u8>,
    es: Option<u16>,
    scratchpad_bytes: Option<u32>,
}

impl Planned {
    fn new(preset: &'static str, scheme: &'static str, kernel: &'static str) -> Planned {
        Planned {
            kernel,
            scheme,
            sms: 1,
            preset,
            warps: None,
            packs: None,
            schedulers: None,
            flag_entries: None,
            wake_up: None,
            es: None,
            scratchpad_bytes: None,
        }
    }

    fn warps(self, warps: u16) -> Planned {
        let warps = Some(warps);
        Planned { warps, ..self }
    }

    fn packs(self, packs: u16) -> Planned {
        let packs = Some(packs);
        Planned { packs, ..self }
    }

    fn schedulers(self, schedulers: u8) -> Planned {
        let schedulers = Some(schedulers);
        Planned { schedulers, ..self }
    }

    fn sms(self, sms: u16) -> Planned {
        Planned { sms, ..self }
    }

    fn flag_entries(self, entries: u8) -> Planned {
        let flag_entries = Some(entries);
        Planned {
            flag_entries,
            ..self
        }
    }

    fn wake_up(self, cycles: u8) -> Planned {
        let wake_up = Some(cycles);
        Planned { wake_up, ..self }
    }

    fn es(self, registers: u16) -> Planned {
        let es = Some(registers);
        Planned { es, ..self }
    }

    fn scratchpad(self, bytes: u32) -> Planned {
        let scratchpad_bytes = Some(bytes);
        Planned {
            scratchpad_bytes,
            ..self
        }
    }

    /// The preset with what is changed, and a name that says so.
    ///
    /// # Errors
    /// [`MachineError`]
    pub fn machine(&self) -> Result<Machine, MachineError> {
        let mut machine = Machine::preset(self.preset)?;
        let mut changes = Vec::new();
        if let Some(warps) = self.warps {
            machine.limits.warps_per_sm = warps;
            machine.limits.threads_per_sm = 32 * u32::from(warps);
            changes.push(format!("{warps} warps"));
        }
        if let Some(bytes) = self.scratchpad_bytes {
            machine.limits.scratchpad_bytes = bytes;
            machine.limits.scratchpad_bytes_per_cta = None;
            changes.push(format!("{bytes} bytes of scratchpad"));
        }
        if let Some(packs) = self.packs {
            machine.limits.packs_per_sm = packs;
            changes.push(format!("{packs} packs"));
        }
        if let Some(schedulers) = self.schedulers {
            machine.schedulers.count = schedulers;
            changes.push(format!("{schedulers} schedulers"));
        }
        if !changes.is_empty() {
            machine.name += &format!(" with {}", changes.join(", "));
        }
        Ok(machine)
    }

    /// The options of the scheme.
    pub fn options(&self) -> SchemeOptions {
        let mut options = SchemeOptions::default();
        options.flag_entries = self.flag_entries.unwrap_or(options.flag_entries);
        options.wake_up = self.wake_up.unwrap_or(options.wake_up);
        options.es = self.es.map_or(options.es, EsSize::Fixed);
        options
    }

    /// The scheme as one writes it on the command line.
    pub fn scheme_in_words(&self) -> String {
        let mut words = self.scheme.to_owned();
        if let Some(registers) = self.es {
            words += &format!(" --es {registers}");
        }
        if let Some(entries) = self.flag_entries {
            words += &format!(" --flag-cache {entries}");
        }
        if let Some(cycles) = self.wake_up {
            words += &format!(" --wake-up {cycles}");
        }
        if self.sms > 1 {
            words += &format!(" --sms {}", self.sms);
        }
        words
    }
}

/// All runs, in the order in which they count.
pub fn runs() -> Vec<Planned> {
    let new = Planned::new;
    let mut runs = Vec::new();
    let baseline = |preset| new(preset, "baseline", "convsep");
    runs.extend([
        baseline("gtx480"),
        baseline("v100"),
        baseline("gtx480-half"),
        baseline("gtx480").packs(2048),
        baseline("v100").packs(1024),
        baseline("v100").packs(512),
        baseline("gtx480").warps(16).packs(512),
        baseline("gtx480").warps(8).packs(512),
        new("v100", "double-registers", "convsep"),
        new("v100", "ideal-virtual-warps", "gemm"),
    ]);
    for scheme in ["regmutex", "paired", "paired-safe"] {
        let on = |preset| new(preset, scheme, "convsep");
        runs.extend([
            on("gtx480"),
            on("gtx480-half"),
            on("v100").packs(1024),
            on("v100").packs(512),
            // Where nothing is to be gained by sharing, it is asked for.
            on("v100").es(6),
            on("gtx480").packs(2048).es(6),
            on("gtx480").warps(16).packs(512).es(6),
            on("gtx480").warps(8).packs(512).es(6),
        ]);
        // Few warps come to the end of an extended set while there are rows.
        let few = |preset| new(preset, scheme, "collide").es(6);
        runs.extend([
            few("gtx480").warps(8),
            few("v100").warps(8),
            few("gtx480").warps(4),
            few("gtx480").warps(4).packs(2048),
            few("gtx480").warps(4).packs(512),
        ]);
    }
    let owner_first = |preset| new(preset, "regmutex+owf", "convsep");
    runs.extend([
        owner_first("gtx480"),
        owner_first("gtx480").schedulers(4),
        owner_first("v100").es(6),
        owner_first("gtx480").warps(8).packs(512).es(6),
    ]);
    let shared = |preset, kernel| new(preset, "shared-owf-unroll", kernel);
    runs.extend([
        shared("gtx480", "matmul"),
        shared("gtx480", "matmul").warps(64),
        shared("gtx480", "matmul").warps(16).packs(512),
        new("v100", "shared-owf-unroll-dyn", "matmul").sms(2),
        // Pairs that share scratchpad.
        shared("gtx480", "histogram").scratchpad(3584),
        shared("gtx480", "histogram").warps(16).scratchpad(1536),
        shared("gtx480", "histogram")
            .warps(16)
            .packs(2048)
            .scratchpad(1536),
        shared("gtx480", "histogram")
            .warps(16)
            .packs(512)
            .scratchpad(1536),
    ]);
    // The hardware begins with a walk over its part of the table for each warp of the machine; so few warps leave rows for what
    // comes then.
    let few = |preset, scheme| new(preset, scheme, "collide").warps(4);
    runs.extend([
        few("gtx480", "rfv"),
        few("v100", "rfv"),
        few("gtx480", "rfv").packs(512),
        few("gtx480", "rfv").packs(256),
        few("gtx480", "rfv").flag_entries(1),
        few("gtx480", "rfv").flag_entries(0),
        few("gtx480", "rfv").flag_entries(2),
        few("gtx480", "rfv").flag_entries(5),
        few("gtx480", "rfv").wake_up(3),
        few("gtx480", "rfv").wake_up(10),
        few("gtx480", "rfv-hardware-only"),
    ]);
    let cars = |preset| new(preset, "cars", "gemm");
    runs.extend([
        cars("gtx480"),
        cars("gtx480").warps(64),
        cars("gtx480").warps(16).packs(512),
    ]);
    runs
}
