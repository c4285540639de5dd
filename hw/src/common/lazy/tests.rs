use super::{Inputs, Lazy};
use crate::common::eval::{drive, drive_bits, settle};
use proptest::prelude::*;
use rust_hdl::prelude::*;

/// Adds `step` at each rising edge, and counts how often it was computed.
#[derive(LogicBlock, Inputs, Default)]
struct Counter {
    pub clock: Signal<In, Clock>,
    pub step: [Signal<In, Bits<8>>; 2],
    pub count: Signal<Out, Bits<8>>,
    state: DFF<Bits<8>>,
    _computed: u64,
}

impl Logic for Counter {
    fn update(&mut self) {
        self._computed += 1;
        self.state.clock.next = self.clock.val();
        self.state.d.next = self.state.q.val() + self.step[0].val() + self.step[1].val();
        self.count.next = self.state.q.val() ^ self.step[0].val();
    }

    fn connect(&mut self) {
        self.state.clock.connect();
        self.state.d.connect();
        self.count.connect();
    }
}

/// The same counter twice.
#[derive(LogicBlock, Default)]
struct Both {
    pub clock: Signal<In, Clock>,
    pub step: Signal<In, Bits<8>>,
    plain: Counter,
    lazy: Lazy<Counter>,
}

impl Logic for Both {
    fn update(&mut self) {
        self.plain.clock.next = self.clock.val();
        self.lazy.clock.next = self.clock.val();
        for i in 0..2 {
            self.plain.step[i].next = self.step.val();
            self.lazy.step[i].next = self.step.val();
        }
    }
}

impl Both {
    /// A pass, after which both are the same.
    fn pass(&mut self) {
        self.update_all();
        assert_eq!(self.lazy.count.val(), self.plain.count.val());
        assert_eq!(self.lazy.state.q.val(), self.plain.state.q.val());
        assert_eq!(self.lazy.has_changed(), self.plain.has_changed());
    }
}

proptest! {
    #[test]
    fn in_every_pass_it_is_as_if_it_were_computed(
        steps in prop::collection::vec((any::<bool>(), 0u64..4, 1usize..6), 1..40),
    ) {
        let mut both = Both::default();
        for (clock, step, passes) in steps {
            drive(&mut both.clock, clock.into());
            drive_bits(&mut both.step, step);
            (0..passes).for_each(|_| both.pass());
        }
    }
}

#[test]
fn what_has_settled_is_not_computed_until_an_input_changes() {
    let mut both = Both::default();
    settle(&mut both);
    let computed = both.lazy._computed;
    (0..10).for_each(|_| both.pass());
    assert_eq!(both.lazy._computed, computed);
    assert!(both.plain._computed >= 10);

    drive_bits(&mut both.step, 3);
    settle(&mut both);
    assert!(both.lazy._computed > computed);
    let computed = both.lazy._computed;
    drive(&mut both.clock, true.into());
    settle(&mut both);
    assert!(both.lazy._computed > computed);
    assert_eq!(u64::from(both.lazy.state.q.val()), 6);
}

#[test]
fn names_do_not_show_it() {
    let mut defines = ModuleDefines::default();
    let mut both = Both::default();
    both.connect_all();
    both.accept("unit", &mut defines);
    let text = defines.defines();
    assert!(text.contains("module unit$plain("), "{text}");
    assert_eq!(text.matches("module unit$lazy(").count(), 1, "{text}");
}
