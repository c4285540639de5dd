//! Read by several threads: the same CTAs, the same program, the same complaint as in order.

use super::*;
use crate::trace::record::Program;
use proptest::prelude::*;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What came before the end or an error.
type Outcome = (Vec<CtaTrace>, Program, Option<String>);

/// Gives a text in small pieces.
struct Pieces {
    text: Vec<u8>,
    given: usize,
    piece: usize,
}

impl io::Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self
            .piece
            .min(buffer.len())
            .min(self.text.len() - self.given);
        buffer[..length].copy_from_slice(&self.text[self.given..self.given + length]);
        self.given += length;
        Ok(length)
    }
}

fn open(text: &[u8], piece: usize) -> Result<KernelReader, TraceError> {
    let source = Pieces {
        text: text.to_vec(),
        given: 0,
        piece,
    };
    KernelReader::new(source, Path::new("k.traceg"), &ReadOptions::default())
}

fn in_order(text: &[u8]) -> Result<Outcome, TraceError> {
    let mut reader = open(text, 1 << 20)?;
    let (mut ctas, mut error) = (Vec::new(), None);
    for _ in 0..reader.header().ctas() {
        match reader.next_cta() {
            Ok(Some(cta)) => ctas.push(cta),
            Ok(None) => break,
            Err(found) => {
                error = Some(found.to_string());
                break;
            }
        }
    }
    Ok((ctas, reader.program().clone(), error))
}

struct Helpers {
    number: usize,
    limits: Limits,
    piece: usize,
}

/// The outcome, and how many CTAs helpers have cut out.
fn ahead(text: &[u8], helpers: &Helpers) -> Result<(Outcome, usize), TraceError> {
    let mut reader = open(text, helpers.piece)?;
    let number = reader.header().ctas();
    let (mut in_order, ahead) = reader.ahead(helpers.number > 0, helpers.limits);
    let over = AtomicBool::new(false);
    let worked = AtomicUsize::new(0);
    let (mut ctas, mut error) = (Vec::new(), None);
    std::thread::scope(|scope| {
        for _ in 0..helpers.number {
            scope.spawn(|| {
                while !over.load(Ordering::Acquire) {
                    match ahead.work() {
                        true => worked.fetch_add(1, Ordering::Relaxed),
                        false => {
                            std::thread::yield_now();
                            0
                        }
                    };
                }
            });
        }
        for _ in 0..number {
            match in_order.next(&ahead) {
                Ok(Some(cta)) => ctas.push(cta),
                Ok(None) => break,
                Err(found) => {
                    error = Some(found.to_string());
                    break;
                }
            }
        }
        over.store(true, Ordering::Release);
    });
    drop(ahead);
    let program = in_order.program().clone();
    Ok(((ctas, program, error), worked.into_inner()))
}

/// The same on one thread: before each CTA is asked for, so many are read ahead, which wraps around in `turns`.
fn by_turns(
    text: &[u8],
    helpers: &Helpers,
    turns: &[usize],
) -> Result<(Outcome, usize), TraceError> {
    let mut reader = open(text, helpers.piece)?;
    let number = reader.header().ctas();
    let (mut in_order, ahead) = reader.ahead(true, helpers.limits);
    let mut worked = 0;
    let (mut ctas, mut error) = (Vec::new(), None);
    for (_, turn) in (0..number).zip(turns.iter().cycle()) {
        worked += (0..*turn).filter(|_| ahead.work()).count();
        match in_order.next(&ahead) {
            Ok(Some(cta)) => ctas.push(cta),
            Ok(None) => break,
            Err(found) => {
                error = Some(found.to_string());
                break;
            }
        }
    }
    drop(ahead);
    let program = in_order.program().clone();
    Ok(((ctas, program, error), worked))
}

/// CTAs of two warps; every third one has an instruction that none had before, every fifth a blank line and a comment.
fn whole(ctas: u32) -> String {
    let mut text = head(5)
        .replace("(1,1,1)", &format!("({ctas},1,1)"))
        .replace("(32,1,1)", "(64,1,1)");
    for number in 0..ctas {
        let new = match number % 3 {
            2 => format!(
                "{:04x} 00000055 1 R4 LDS.64 1 R1 8 2 0x7f00{number:08x} -8 -8 -8 0",
                16 * (number + 100)
            ),
            _ => format!("0020 00000055 1 R4 LDS.64 1 R1 8 2 0x7f00{number:08x} -8 -8 -8 0"),
        };
        let lines = [
            "0000 ffffffff 1 R1 S2R 0 0 0",
            "0010 ffffffff 1 R2 LDG.E 1 R1 4 1 0x100 4 0",
            new.as_str(),
            "0060 ffffffff 0 EXIT 0 0 0",
        ];
        text += &cta(
            &format!("{number},0,0"),
            &(warp(1, &lines) + &warp(0, &lines)),
        );
        if number % 5 == 4 {
            text += "\n# a comment\n  \n";
        }
    }
    text
}

#[test]
fn helpers_read_most_of_a_faultless_trace() {
    let text = whole(400).into_bytes();
    let helpers = Helpers {
        number: 2,
        limits: Limits::default(),
        piece: 1 << 20,
    };
    // On a busy machine a helper may come late: not every time.
    let mut tries = (0..400).map(|_| {
        let (outcome, worked) = ahead(&text, &helpers).unwrap();
        assert_eq!(outcome, in_order(&text).unwrap());
        worked
    });
    assert!(tries.any(|worked| worked > 20));
}

#[test]
fn a_cta_twice_is_refused_at_the_line_that_names_it_again() {
    let text = whole(30)
        .replace("thread block = 17,0,0", "thread block = 11,0,0")
        .into_bytes();
    let (expected, helpers) = (
        in_order(&text).unwrap(),
        Helpers {
            number: 3,
            limits: Limits::default(),
            piece: 1000,
        },
    );
    assert!(
        expected
            .2
            .as_ref()
            .is_some_and(|error| error.contains("11,0,0"))
    );
    assert_eq!(ahead(&text, &helpers).unwrap().0, expected);
}

/// Also where the text is the one that followed the last time.
#[test]
fn a_line_that_is_refused_adds_no_instruction() {
    let lines = |immediate: &str| {
        let load = format!("0010 ffffffff 1 R2 LDG.E 1 R1 4 1 0x100 4 {immediate}");
        ["0000 ffffffff 1 R1 S2R 0 0 0".to_owned(), load, EXIT.into()]
    };
    let warp_of =
        |number, immediate| warp(number, &lines(immediate).each_ref().map(String::as_str));
    for (immediate, insts) in [("7", 4), ("7 0060", 3)] {
        let text = head(5).replace("(32,1,1)", "(64,1,1)");
        let text = text + &cta("0,0,0", &(warp_of(0, "0") + &warp_of(1, immediate)));
        let (_, program, error) = in_order(text.as_bytes()).unwrap();
        assert_eq!(error.is_some(), insts == 3, "{error:?}");
        assert_eq!(program.insts.len(), insts);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn changed_traces_are_read_or_refused_as_in_order(
        ctas in 1u32..12,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0u8..4, any::<u8>()), 0..3),
        number in 0usize..4,
        most_ctas in 1usize..5,
        bytes in prop::sample::select(vec![0usize, 300, 700, 2000, 1 << 20]),
        piece in prop::sample::select(vec![1usize, 7, 100, 1 << 20]),
        turns in prop::collection::vec(0usize..5, 1..4),
    ) {
        let mut text = whole(ctas).into_bytes();
        for (at, kind, byte) in changes {
            let at = at.index(text.len());
            match kind {
                0 => text[at] = b"0123456789abcdefxR -,\n#="[usize::from(byte) % 24],
                1 => { text.remove(at); }
                2 => text.insert(at, byte),
                _ => text.truncate(at.max(text.len() / 2)),
            }
        }
        let helpers = Helpers { number, limits: Limits { ctas: most_ctas, bytes }, piece };
        for read in [ahead(&text, &helpers), by_turns(&text, &helpers, &turns)] {
            match (in_order(&text), read) {
                (Ok(expected), Ok((outcome, _))) => prop_assert_eq!(outcome, expected),
                (Err(expected), Err(found)) => prop_assert_eq!(found.to_string(), expected.to_string()),
                (expected, found) => prop_assert!(false, "{:?} in order, {:?} ahead", expected.err(), found.err()),
            }
        }
    }
}

#[test]
fn what_is_read_ahead_is_all_but_the_first_cta_and_those_with_something_new_are_read_again() {
    let text = whole(40).into_bytes();
    let helpers = Helpers {
        number: 1,
        limits: Limits::default(),
        piece: 1 << 20,
    };
    let (outcome, worked) = by_turns(&text, &helpers, &[2]).unwrap();
    assert_eq!(outcome, in_order(&text).unwrap());
    assert_eq!(worked, 39);
    // 3 of all, and one of each CTA with something new.
    assert_eq!(outcome.1.insts.len(), 4 + 13);
}
