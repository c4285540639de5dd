//! Register file virtualization through the seam, model and RTL in lockstep, with 4 warps and 256 packs in CTAs of two warps.

use crate::ids::{ArchReg, CtaSlot, Pack, WarpSlot};
use crate::manager::{
    Answer, Backend, CycleReply, Decode, FlagSource, FlagWord, Geometry, IssueReply, IssueRequest,
    ManagerSpec, Place, RegisterManager, build,
};
use crate::rfv::flag_decoder::{PIR_SLOTS, pbr_word, pir_word};

mod ends;

const GEOMETRY: Geometry = Geometry {
    warps: 4,
    packs: 256,
    schedulers: 2,
};

/// A manager and its clock.
struct Sm {
    manager: Box<dyn RegisterManager>,
    cycle: u64,
}

impl Sm {
    fn new() -> Sm {
        Sm::of(false)
    }

    /// Without a flag cache, in the hardware of 48 warps and 1024 packs.
    fn uncached() -> Sm {
        let geometry = Geometry {
            packs: 1024,
            ..GEOMETRY
        };
        Sm::with(false, 0, geometry)
    }

    /// Two CTAs, or one whose warps can be spilled.
    fn of(spills: bool) -> Sm {
        Sm::with(spills, 10, GEOMETRY)
    }

    fn with(spills: bool, flag_entries: u8, geometry: Geometry) -> Sm {
        let ctas = if spills { 1 } else { 2 };
        let spec = ManagerSpec::Renaming {
            warps_per_cta: 2,
            regs: 20,
            ctas,
            shrink: 0,
            exempt: 0,
            clocks: 1,
            flag_entries,
            wake_up: 1,
            hardware_only: false,
            spills,
            need: 40,
            most: None,
        };
        let mut manager = build(spec, geometry, Backend::Lockstep).expect("fits");
        manager.place();
        for warp in 0..2 * ctas {
            manager.warp_started(WarpSlot(warp));
        }
        let mut sm = Sm { manager, cycle: 0 };
        sm.settle();
        sm
    }

    /// A cycle with a proposal of scheduler 0 and a word at decode.
    fn step(
        &mut self,
        request: Option<&IssueRequest>,
        word: Option<FlagWord>,
    ) -> (Vec<Answer>, IssueReply, CycleReply) {
        let answers = self.manager.answers().expect("agree").to_vec();
        self.manager.decode(Decode { word, hold: false });
        let mut replies = [IssueReply::default(), IssueReply::default()];
        let requests = [request.cloned(), None];
        let reply = self.manager.cycle(self.cycle, &requests, &mut replies);
        self.cycle += 1;
        let [first, _] = replies;
        (answers, first, reply.expect("agree"))
    }

    /// Cycles until nothing goes on.
    fn settle(&mut self) -> Vec<Answer> {
        let mut answers = Vec::new();
        while self.manager.has_news() {
            answers.extend(self.step(None, None).0);
        }
        answers
    }

    /// The packs of an instruction, and the cycles until the last is known.
    fn issue(&mut self, request: &IssueRequest) -> (Vec<Option<Pack>>, u64) {
        let from = self.cycle;
        let (_, reply, _) = self.step(Some(request), None);
        assert!(reply.granted);
        let mut packs = vec![None; request.regs.len()];
        let mut left = packs.len();
        while left > 0 {
            for answer in self.step(None, None).0 {
                packs[usize::from(answer.reg)] = answer.pack;
                left -= 1;
            }
        }
        let cycles = self.cycle - from - 1;
        self.settle();
        (packs, cycles)
    }

    fn show(&mut self, word: u64, pc: u16) {
        let word = FlagWord {
            warp: WarpSlot(1),
            pc,
            word,
        };
        while !self.step(None, Some(word)).2.word_done {}
        self.settle();
    }

    fn packs_in_use(&self) -> u64 {
        let counts = |end| {
            let counts = self.manager.renaming_counts(end).expect("renames");
            counts.pack_cycles
        };
        counts(self.cycle + 1) - counts(self.cycle)
    }
}

/// An instruction of warp 1: step, pin and register of each operand.
fn instruction(operands: &[(u8, u8, u8)], flags: Option<FlagSource>) -> IssueRequest {
    IssueRequest {
        warp: WarpSlot(1),
        regs: operands.iter().map(|&(.., reg)| ArchReg(reg)).collect(),
        places: operands
            .iter()
            .map(|&(step, pin, _)| Place {
                step,
                pin,
                flagged: pin < 3,
            })
            .collect(),
        flags,
        ..IssueRequest::default()
    }
}

fn covered(word: u64) -> Option<FlagSource> {
    Some(FlagSource {
        pc: 7,
        slot: 0,
        word,
    })
}

/// A pbr of five ids takes two cycles; a register is to be saved when the first is over.
#[test]
fn a_word_that_has_begun_is_decoded_before_a_register_is_saved() {
    let mut sm = Sm::of(true);
    let mut packs = Vec::new();
    for reg in [4, 5, 6, 7, 8, 10] {
        packs.push(sm.issue(&instruction(&[(0, 3, reg)], None)).0[0]);
    }
    let before = sm.packs_in_use();
    let word = Some(FlagWord {
        warp: WarpSlot(1),
        pc: 9,
        word: pbr_word(&[4, 5, 6, 7, 8]).expect("fits"),
    });
    assert!(!sm.step(None, word).2.word_done);
    let ticket = sm.manager.save(WarpSlot(1), ArchReg(10));
    let mut answers = Vec::new();
    loop {
        let (known, _, reply) = sm.step(None, word);
        answers.extend(known);
        if reply.word_done {
            break;
        }
    }
    answers.extend(sm.settle());
    let saved: Vec<_> = (answers.iter())
        .filter(|answer| answer.ticket == ticket)
        .map(|answer| answer.pack)
        .collect();
    assert_eq!(saved, [packs[5]]);
    assert_eq!(before - sm.packs_in_use(), 6);
}

#[test]
fn a_register_has_a_pack_of_its_bank_from_its_first_write_on() {
    let mut sm = Sm::new();
    let (read, _) = sm.issue(&instruction(&[(0, 0, 6)], None));
    assert_eq!(read, [None]);
    let (written, cycles) = sm.issue(&instruction(&[(0, 3, 6)], None));
    let pack = written[0].expect("has one");
    assert_eq!((pack.0 % 4, cycles), (2, 1));
    assert_eq!(sm.issue(&instruction(&[(0, 0, 6)], None)).0, written);
    assert_eq!(sm.packs_in_use(), 1);
}

#[test]
fn operands_of_one_bank_and_halves_of_a_pair_take_turns() {
    let mut sm = Sm::new();
    let apart = instruction(&[(0, 0, 0), (0, 1, 1), (0, 2, 2), (0, 3, 3)], None);
    assert_eq!(sm.issue(&apart).1, 1);
    let together = instruction(&[(0, 0, 0), (0, 1, 4), (0, 2, 8), (0, 3, 3)], None);
    assert_eq!(sm.issue(&together).1, 3);
    let wide = instruction(&[(0, 0, 0), (1, 0, 1), (0, 3, 2), (1, 3, 3)], None);
    assert_eq!(sm.issue(&wide).1, 2);
}

/// The most cycles until a written register of bank 0 is located, of more of them than a sub-array has packs.
fn most_cycles_to_locate(wake_up: u8) -> u64 {
    let geometry = Geometry {
        warps: 48,
        packs: 1024,
        ..GEOMETRY
    };
    let spec = ManagerSpec::Renaming {
        warps_per_cta: 8,
        regs: 60,
        ctas: 1,
        shrink: 0,
        exempt: 0,
        clocks: 1,
        flag_entries: 10,
        wake_up,
        hardware_only: false,
        spills: false,
        need: 480,
        most: None,
    };
    let mut manager = build(spec, geometry, Backend::Model).expect("fits");
    manager.place();
    for warp in 0..8 {
        manager.warp_started(WarpSlot(warp));
    }
    let mut sm = Sm { manager, cycle: 0 };
    sm.settle();
    let mut most = 0;
    for warp in 0..8 {
        for reg in (0..60).step_by(4) {
            let mut write = instruction(&[(0, 3, reg)], None);
            write.warp = WarpSlot(warp);
            most = most.max(sm.issue(&write).1);
        }
    }
    assert_eq!(sm.packs_in_use(), 8 * 15);
    most
}

/// RFV 9.2: 120 packs of a bank lie in two sub-arrays.
#[test]
fn a_register_is_located_when_its_sub_array_is_awake() {
    assert_eq!(most_cycles_to_locate(0), 1);
    let ten = most_cycles_to_locate(10);
    assert!((4..=11).contains(&ten), "{ten}");
    assert!(most_cycles_to_locate(3) < ten);
}

/// What goes wrong otherwise: another warp has decoded it, or this one has used it.
#[test]
fn without_a_flag_cache_a_warp_has_the_flags_of_a_pir_once_it_has_decoded_it_itself() {
    let mut sm = Sm::uncached();
    for reg in [5, 7] {
        sm.issue(&instruction(&[(0, 3, reg)], None));
    }
    let mut flags = [0; PIR_SLOTS];
    (flags[0], flags[1]) = (0b001, 0b010);
    let word = pir_word(&flags);
    let first = instruction(&[(0, 0, 5), (0, 3, 6)], covered(word));
    let refused = |sm: &mut Sm, request: &IssueRequest| {
        let (_, reply, _) = sm.step(Some(request), None);
        assert!(!reply.granted && reply.missing_flags);
    };
    refused(&mut sm, &first);
    sm.show(word, 7);
    let of_another = IssueRequest {
        warp: WarpSlot(0),
        ..first.clone()
    };
    refused(&mut sm, &of_another);
    let (packs, _) = sm.issue(&first);
    assert!(packs.iter().all(Option::is_some));
    assert_eq!(sm.issue(&instruction(&[(0, 0, 5)], None)).0, [None]);
    // The next instruction brings its own flags: those of its second source.
    let second = FlagSource {
        slot: 1,
        ..covered(word).expect("is covered")
    };
    let (packs, _) = sm.issue(&instruction(&[(0, 0, 6), (0, 1, 7)], Some(second)));
    assert!(packs.iter().all(Option::is_some));
    assert_eq!(sm.packs_in_use(), 1);
    assert!(sm.issue(&instruction(&[(0, 0, 6)], None)).0[0].is_some());
    refused(&mut sm, &first);
    let counts = sm.manager.renaming_counts(sm.cycle).expect("renames");
    assert_eq!((counts.pir_decoded, counts.pbr_decoded), (1, 0));
}

#[test]
fn the_scheduler_is_busy_until_the_last_step_has_been_taken_in() {
    let mut sm = Sm::new();
    let wide = instruction(&[(0, 0, 0), (1, 0, 1), (0, 3, 2), (1, 3, 3)], None);
    assert!(sm.step(Some(&wide), None).1.granted);
    assert!(sm.manager.is_busy(0) && !sm.manager.is_busy(1));
    let another = instruction(&[(0, 0, 9)], None);
    assert!(!sm.step(Some(&another), None).1.granted);
    assert!(!sm.manager.is_busy(0));
    assert!(sm.step(Some(&another), None).1.granted);
}

#[test]
fn flags_release_once_their_pir_has_been_decoded() {
    let mut sm = Sm::new();
    sm.issue(&instruction(&[(0, 3, 5)], None));
    let mut flags = [0; PIR_SLOTS];
    flags[0] = 1;
    let word = pir_word(&flags);
    let last = instruction(&[(0, 0, 5), (0, 3, 6)], covered(word));
    let (_, reply, _) = sm.step(Some(&last), None);
    assert!(!reply.granted && reply.missing_flags);
    sm.show(word, 7);
    assert_eq!(sm.packs_in_use(), 1);
    let (packs, _) = sm.issue(&last);
    assert!(packs.iter().all(Option::is_some));
    assert_eq!(sm.packs_in_use(), 1);
    assert_eq!(sm.issue(&instruction(&[(0, 0, 5)], None)).0, [None]);
    let counts = sm.manager.renaming_counts(sm.cycle).expect("renames");
    assert_eq!((counts.pir_decoded, counts.pbr_decoded), (1, 0));
}

#[test]
fn a_pbr_releases_what_it_names() {
    let mut sm = Sm::new();
    for reg in 0..12 {
        sm.issue(&instruction(&[(0, 3, reg)], None));
    }
    assert_eq!(sm.packs_in_use(), 12);
    sm.show(pbr_word(&[0, 1, 2, 3, 4, 8, 11]).expect("fits"), 9);
    assert_eq!(sm.packs_in_use(), 5);
}

/// The second half of a destination is looked up after the first, and a pbr behind the instruction after that.
#[test]
fn a_pbr_waits_until_all_of_an_instruction_has_been_looked_up() {
    let mut sm = Sm::new();
    let wide = instruction(&[(0, 3, 4), (1, 3, 5), (2, 3, 6)], None);
    assert!(sm.step(Some(&wide), None).1.granted);
    sm.show(pbr_word(&[4, 5, 6]).expect("fits"), 9);
    assert_eq!(sm.packs_in_use(), 0);
}

#[test]
fn sizes_without_hardware_are_refused() {
    let spec = |regs, ctas| ManagerSpec::Renaming {
        warps_per_cta: 2,
        regs,
        ctas,
        shrink: 0,
        exempt: 0,
        clocks: 1,
        flag_entries: 10,
        wake_up: 1,
        hardware_only: false,
        spills: false,
        need: 2 * regs,
        most: None,
    };
    let refusal = |spec, packs| {
        let geometry = Geometry { packs, ..GEOMETRY };
        build(spec, geometry, Backend::Model)
            .err()
            .map(|e| e.to_string())
    };
    assert!(
        refusal(spec(64, 2), 256)
            .expect("refuses")
            .contains("has 63")
    );
    assert!(
        refusal(spec(63, 5), 256)
            .expect("refuses")
            .contains("5 CTAs")
    );
    assert!(
        refusal(spec(63, 2), 300)
            .expect("refuses")
            .contains("300 packs")
    );
    assert_eq!(refusal(spec(63, 2), 1024), None);
}
