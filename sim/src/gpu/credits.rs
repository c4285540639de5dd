//! How many requests the slices of a channel may have in its memory at once: one each, and a number that they share.
//!
//! The number is what the memory's scheduler and its queue of answers hold, so that no answer ever waits for room in that queue.

/// The requests of a channel that are between its slices and their answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credits {
    /// By slice: whether it has its own request out.
    own: Vec<bool>,
    shared: u32,
    most_shared: u32,
}

impl Credits {
    /// None is out. `queue` and `return_queue` are the requests that the scheduler and the queue of answers hold.
    pub fn new(slices: u32, queue: u32, return_queue: u32) -> Self {
        Credits {
            own: vec![false; slices as usize],
            shared: 0,
            most_shared: (queue + return_queue).saturating_sub(slices - 1),
        }
    }

    /// Whether the slice may send one more.
    pub fn is_left(&self, slice: usize) -> bool {
        !self.own[slice] || self.shared < self.most_shared
    }

    /// The slice sends one; there is one left.
    pub fn take(&mut self, slice: usize) {
        match self.own[slice] {
            false => self.own[slice] = true,
            true => self.shared += 1,
        }
    }

    /// A request of the slice has been answered, or has been written.
    pub fn give_back(&mut self, slice: usize) {
        match self.own[slice] {
            true => self.own[slice] = false,
            false => self.shared -= 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_have_one_each_and_share_what_the_queues_hold() {
        let mut credits = Credits::new(2, 3, 4);
        // Slice 0 takes its own and the six that are shared.
        for _ in 0..7 {
            assert!(credits.is_left(0));
            credits.take(0);
        }
        assert!(!credits.is_left(0) && credits.is_left(1));
        credits.take(1);
        assert!(!credits.is_left(1));
        credits.give_back(1);
        assert!(credits.is_left(1) && !credits.is_left(0));
        credits.give_back(0);
        assert!(credits.is_left(0));
    }

    #[test]
    fn all_that_was_taken_can_be_given_back() {
        let new = Credits::new(4, 1, 1);
        let mut credits = new.clone();
        for slice in 0..4 {
            credits.take(slice);
        }
        assert!((0..4).all(|slice| !credits.is_left(slice)));
        for slice in 0..4 {
            credits.give_back(slice);
        }
        assert_eq!(credits, new);
    }
}
