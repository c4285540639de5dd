//! The four look-up ports that every register mapper has: three sources and one destination.

/// Look-ups per evaluation of a mapper (three sources, one destination).
pub const LOOKUPS: usize = 4;

/// Inputs of a mapper.
pub trait Lookups {
    /// The architected registers that are wanted; `None` where the valid bit is low.
    fn lookups(&self) -> [Option<u8>; LOOKUPS];
    /// Sets the look-ups; the register pin of one that is not wanted is 0.
    fn set_lookups(&mut self, x: [Option<u8>; LOOKUPS]);
}

/// Outputs of a mapper.
pub trait Answers {
    /// The physical registers; `None` where the valid bit is low.
    fn packs(&self) -> [Option<u16>; LOOKUPS];
    /// The outputs with these answers; the pack pin of one that is not valid is 0.
    fn from_packs(y: [Option<u16>; LOOKUPS]) -> Self;
}

macro_rules! lookup_pins {
    ($inputs:ident, $outputs:ident) => {
        impl<const NW: usize, const PACKS: usize> $crate::common::lookup::Lookups
            for $inputs<NW, PACKS>
        {
            fn lookups(&self) -> [Option<u8>; 4] {
                [
                    self.x0_valid.then_some(self.x0),
                    self.x1_valid.then_some(self.x1),
                    self.x2_valid.then_some(self.x2),
                    self.x3_valid.then_some(self.x3),
                ]
            }
            fn set_lookups(&mut self, x: [Option<u8>; 4]) {
                [self.x0, self.x1, self.x2, self.x3] = x.map(|x| x.unwrap_or(0));
                [self.x0_valid, self.x1_valid, self.x2_valid, self.x3_valid] =
                    x.map(|x| x.is_some());
            }
        }

        impl<const NW: usize, const PACKS: usize> $crate::common::lookup::Answers
            for $outputs<NW, PACKS>
        {
            fn packs(&self) -> [Option<u16>; 4] {
                [
                    self.y0_valid.then_some(self.y0),
                    self.y1_valid.then_some(self.y1),
                    self.y2_valid.then_some(self.y2),
                    self.y3_valid.then_some(self.y3),
                ]
            }
            fn from_packs(y: [Option<u16>; 4]) -> Self {
                let [y0, y1, y2, y3] = y.map(|y| y.unwrap_or(0));
                let [y0_valid, y1_valid, y2_valid, y3_valid] = y.map(|y| y.is_some());
                Self {
                    y0,
                    y0_valid,
                    y1,
                    y1_valid,
                    y2,
                    y2_valid,
                    y3,
                    y3_valid,
                }
            }
        }
    };
}
pub(crate) use lookup_pins;
