//! Sequences of requests on an SM with contents: whatever is called, pushed, evicted and filled, the function in control
//! finds its registers. A failing sequence shrinks.

use super::machine::Machine;
use super::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};

/// Warps that take part; their windows lie side by side and end with the file.
const WARPS: u8 = 3;

#[derive(Clone, Copy, Debug)]
enum Request {
    Launch(u8),
    Call(u8, u8, u8),
    Push(u8),
    Pop(u8),
    Return(u8),
    Finish(u8),
}

/// The depth of calls of each warp, none without a stack, and its registers in control.
#[derive(Clone, Debug)]
struct Depths {
    capacity: u8,
    warps: [Option<Vec<u8>>; WARPS as usize],
}

impl ReferenceStateMachine for Depths {
    type State = Depths;
    type Transition = Request;

    fn init_state() -> BoxedStrategy<Depths> {
        (1..9u8)
            .prop_map(|capacity| Depths {
                capacity,
                warps: Default::default(),
            })
            .boxed()
    }
    /// Any request at any time: the legal ones and the others.
    fn transitions(state: &Depths) -> BoxedStrategy<Request> {
        let warp = || 0..WARPS;
        let capacity = state.capacity;
        prop_oneof![
            1 => warp().prop_map(Request::Launch),
            6 => (warp(), 0..=capacity, 0..3u8).prop_map(|(warp, fru, more)| Request::Call(warp, fru, more)),
            8 => warp().prop_map(Request::Push),
            2 => warp().prop_map(Request::Pop),
            4 => warp().prop_map(Request::Return),
            1 => prop::bool::weighted(0.1).prop_map(|ends| if ends { Request::Finish(0) } else { Request::Push(0) }),
        ]
        .boxed()
    }
    fn apply(mut state: Depths, request: &Request) -> Depths {
        let capacity = state.capacity;
        let mut frames = |warp: u8| state.warps[usize::from(warp)].take();
        let (warp, frames) = match *request {
            Request::Launch(warp) => (warp, frames(warp).or(Some(vec![0]))),
            Request::Finish(warp) => {
                frames(warp);
                (warp, None)
            }
            Request::Call(warp, fru, _) => (
                warp,
                frames(warp).map(|mut frames| {
                    if fru < capacity {
                        frames.push(0);
                    }
                    frames
                }),
            ),
            Request::Push(warp) => (
                warp,
                frames(warp).map(|mut frames| {
                    let function = frames.len() > 1;
                    if let Some(regs) = frames
                        .last_mut()
                        .filter(|regs| function && **regs + 1 < capacity)
                    {
                        *regs += 1;
                    }
                    frames
                }),
            ),
            Request::Pop(warp) => (
                warp,
                frames(warp).map(|mut frames| {
                    if let Some(regs) = frames.last_mut() {
                        *regs = regs.saturating_sub(1);
                    }
                    frames
                }),
            ),
            Request::Return(warp) => (
                warp,
                frames(warp).map(|mut frames| {
                    if frames.len() > 1 {
                        frames.pop();
                    }
                    frames
                }),
            ),
        };
        state.warps[usize::from(warp)] = frames;
        state
    }
}

struct StackTest;

impl StateMachineTest for StackTest {
    type SystemUnderTest = Machine;
    type Reference = Depths;

    fn init_test(_: &Depths) -> Machine {
        Machine::default()
    }

    /// `state` is the ideal after the request.
    fn apply(mut sm: Machine, state: &Depths, request: Request) -> Machine {
        match request {
            Request::Launch(warp) => {
                let first = 2048 - u16::from(state.capacity) * u16::from(WARPS - warp);
                sm.launch(warp, first, state.capacity);
            }
            Request::Call(warp, fru, more) => {
                sm.call(warp, fru, more);
            }
            Request::Push(warp) => {
                sm.push(warp);
            }
            Request::Pop(warp) => {
                sm.pop(warp);
            }
            Request::Return(warp) => {
                sm.unwind(warp);
            }
            Request::Finish(warp) => {
                sm.finish(warp);
            }
        }
        for (warp, frames) in (0..WARPS).zip(&state.warps) {
            assert_eq!(sm.unit.look_up(warp).is_some(), frames.is_some());
            let Some(frames) = frames else { continue };
            let regs: Vec<_> = sm.programs[usize::from(warp)]
                .frames
                .iter()
                .map(|frame| frame.len() as u8)
                .collect();
            assert_eq!(
                &regs, frames,
                "exactly the requests that make sense are granted"
            );
            sm.check(warp);
            // Nothing leaks: every pack of a frame is in the file or in memory, and the rest is free.
            let used: usize = frames
                .iter()
                .map(|&regs| usize::from(regs) + 1)
                .sum::<usize>()
                - 1;
            let resident = usize::from(state.capacity - sm.free(warp));
            assert_eq!(resident + sm.programs[usize::from(warp)].memory.len(), used);
        }
        sm
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn no_sequence_of_calls_loses_a_register(sequential 1..120 => StackTest);
}
