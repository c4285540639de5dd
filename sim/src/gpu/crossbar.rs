//! A crossbar: a queue at each input, and per cycle at most one packet into each output.

use std::collections::VecDeque;

/// What is behind the outputs.
pub trait Outputs<P> {
    /// Whether an output takes no packet.
    fn is_full(&self, output: usize) -> bool;
    /// An output takes a packet.
    fn take(&mut self, output: usize, packet: P);
}

/// One direction of the interconnect. `P` is what travels.
#[derive(Clone, Debug)]
pub struct Crossbar<P> {
    inputs: Vec<VecDeque<(u32, P)>>,
    /// Of each output: the inputs whose first packet goes there.
    wanted: Vec<u128>,
    outputs_wanted: u128,
    next: Vec<u32>,
    first_input: u32,
    nodes: u32,
    input_limit: usize,
}

impl<P> Crossbar<P> {
    /// `inputs` and `outputs` ports (1 ..= 128 each) with queues of `input_limit` packets at the inputs. Ports of both sides
    /// are numbered together, the inputs from `first_input` on, as the round robin at an output sees them.
    pub fn new(inputs: usize, outputs: usize, first_input: usize, input_limit: usize) -> Self {
        Crossbar {
            inputs: (0..inputs).map(|_| VecDeque::new()).collect(),
            wanted: vec![0; outputs],
            outputs_wanted: 0,
            next: vec![0; outputs],
            first_input: first_input as u32,
            nodes: (inputs + outputs) as u32,
            input_limit,
        }
    }

    /// How many packets an input takes.
    pub fn room(&self, input: usize) -> usize {
        self.input_limit.saturating_sub(self.inputs[input].len())
    }

    /// Puts a packet in.
    pub fn push(&mut self, input: usize, output: usize, packet: P) {
        let queue = &mut self.inputs[input];
        queue.push_back((output as u32, packet));
        if queue.len() == 1 {
            self.wanted[output] |= 1 << input;
            self.outputs_wanted |= 1 << output;
        }
    }

    /// Whether packets wait at inputs.
    pub fn is_busy(&self) -> bool {
        self.outputs_wanted != 0
    }

    /// One cycle: each output that is not full, in order, takes one packet, round robin over the inputs. An input whose packet is
    /// taken shows its next one to the outputs that come later, as in GPGPU-Sim's crossbar.
    pub fn advance(&mut self, outputs: &mut impl Outputs<P>) {
        let mut left = self.outputs_wanted;
        while left != 0 {
            let output = left.trailing_zeros() as usize;
            left &= left - 1;
            if outputs.is_full(output) {
                continue;
            }
            let wanted = self.wanted[output];
            if wanted == 0 {
                continue;
            }
            let from = self.next[output].saturating_sub(self.first_input);
            let behind = wanted & u128::MAX.checked_shl(from).unwrap_or(0);
            let input = if behind != 0 { behind } else { wanted }.trailing_zeros() as usize;
            let next = input as u32 + self.first_input + 1;
            self.next[output] = if next == self.nodes { 0 } else { next };
            self.wanted[output] &= !(1 << input);
            if self.wanted[output] == 0 {
                self.outputs_wanted &= !(1 << output);
            }
            if let Some((_, packet)) = self.inputs[input].pop_front() {
                outputs.take(output, packet);
            }
            if let Some(&(next, _)) = self.inputs[input].front() {
                self.wanted[next as usize] |= 1 << input;
                self.outputs_wanted |= 1 << next;
                // An output whose turn is still to come can take it in this cycle.
                left |= 1 << next & u128::MAX.checked_shl(output as u32 + 1).unwrap_or(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What came out, and whether all outputs are full.
    #[derive(Default)]
    struct Out<P>(Vec<(usize, P)>, bool);

    impl<P> Outputs<P> for Out<P> {
        fn is_full(&self, _: usize) -> bool {
            self.1
        }

        fn take(&mut self, output: usize, packet: P) {
            self.0.push((output, packet));
        }
    }

    #[test]
    fn packets_to_one_output_take_turns() {
        let mut bar = Crossbar::new(3, 2, 0, 8);
        for input in 0..3 {
            bar.push(input, 1, input);
            bar.push(input, 1, 10 + input);
        }
        let mut out = Out::default();
        while bar.is_busy() {
            bar.advance(&mut out);
        }
        assert_eq!(out.0, [0, 1, 2, 10, 11, 12].map(|packet| (1, packet)));
    }

    #[test]
    fn packets_to_different_outputs_go_in_one_cycle() {
        let mut bar = Crossbar::new(2, 2, 0, 8);
        bar.push(0, 0, 'a');
        bar.push(1, 1, 'b');
        let mut out = Out::default();
        bar.advance(&mut out);
        assert_eq!(out.0, [(0, 'a'), (1, 'b')]);
    }

    #[test]
    fn input_gives_packets_to_outputs_in_ascending_order_in_a_cycle() {
        let mut bar = Crossbar::new(2, 4, 0, 8);
        for (output, packet) in [(0, 'a'), (2, 'b'), (3, 'c'), (1, 'd')] {
            bar.push(0, output, packet);
        }
        bar.push(1, 2, 'e');
        let mut out = Out::default();
        bar.advance(&mut out);
        // Nobody wanted output 3 when the cycle began.
        assert_eq!(out.0, [(0, 'a'), (2, 'b'), (3, 'c')]);
        // Output 1 has had its turn when its packet came to the front, and output 2 takes one packet only.
        bar.advance(&mut out);
        assert_eq!(out.0[3..], [(1, 'd'), (2, 'e')]);
        assert!(!bar.is_busy());
    }

    #[test]
    fn full_output_holds_packets_back() {
        let mut bar = Crossbar::new(1, 1, 0, 8);
        bar.push(0, 0, 1);
        bar.push(0, 0, 2);
        let mut out = Out::default();
        bar.advance(&mut out);
        out.1 = true;
        bar.advance(&mut out);
        assert_eq!((out.0.as_slice(), bar.room(0)), (&[(0, 1)][..], 7));
        out.1 = false;
        bar.advance(&mut out);
        assert_eq!(out.0, [(0, 1), (0, 2)]);
    }
}
