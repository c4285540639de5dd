//! What the property tests of both locks draw: kernels with pairs of CTAs, and warps that meet at their locks.

use proptest::prelude::*;

/// What a port does, in numbers that only a kernel gives a meaning.
#[derive(Clone, Copy, Debug)]
struct PortDraw {
    valid: bool,
    leaves: bool,
    pair: usize,
    upper: bool,
    place: usize,
    /// Any warp instead.
    any: Option<u8>,
    beside: i32,
}

/// What a port does.
#[derive(Clone, Copy, Debug, Default)]
pub struct PortStep {
    /// It asks.
    pub valid: bool,
    /// The warp ends.
    pub leaves: bool,
    /// The warp.
    pub warp: u8,
    /// How far what it accesses lies above the first shared register or byte; below it if negative.
    pub beside: i32,
}

/// Inputs of one cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    /// A kernel starts.
    pub clear: bool,
    /// It shares.
    pub share: bool,
    /// Its warps per CTA; the same until the next start.
    pub warps_per_cta: u8,
    /// From here on registers or bytes are shared: a number of 0 ..= 65,535 to be scaled.
    pub private: u16,
    /// `cta` and `partner` become a pair.
    pub pair: bool,
    /// `cta` ends.
    pub exit: bool,
    /// The CTA.
    pub cta: u8,
    /// Its partner to be.
    pub partner: u8,
    /// Port that goes first.
    pub favor_b: bool,
    /// Ports a and b.
    pub ports: [PortStep; 2],
}

#[derive(Clone, Debug)]
struct Kernel {
    share: bool,
    warps_per_cta: u8,
    private: u16,
    pairs: Vec<(u8, u8)>,
}

/// CTAs of any size, among them the largest of which a pair fits, and the smallest. Lower CTAs are some of those that have
/// locks, upper ones any others that fit.
fn kernel<const NW: usize, const T: usize>() -> impl Strategy<Value = Kernel> {
    let most = (1usize << crate::pins::bits_for(NW / 2 + 1)) - 1;
    let warps_per_cta = prop_oneof![
        3 => 1..=NW / 4,
        2 => Just(NW / 2),
        2 => Just(NW / T),
        1 => Just(NW / 3),
        3 => 1usize..3,
        2 => NW / T..=NW / 5,
        1 => Just(0),
        1 => 0..=most,
    ];
    let ctas = || Just((0..T as u8).collect::<Vec<_>>()).prop_shuffle();
    (
        prop::bool::weighted(0.95),
        warps_per_cta,
        any::<u16>(),
        prop_oneof![2 => Just(T), 1 => Just(1), 1 => 0..=T / 2],
        ctas(),
        ctas(),
    )
        .prop_map(|(share, warps, private, count, lower, upper)| {
            let fit =
                |space: usize, slots: usize| slots.min(space.checked_div(warps).unwrap_or(slots));
            let (low, high) = (fit(NW / 2, T / 2), fit(NW, T));
            let mut lower = lower;
            lower.retain(|&cta| usize::from(cta) < low);
            lower.truncate(count);
            let mut pairs = Vec::<(u8, u8)>::new();
            for cta in upper {
                let taken = |pairs: &[(u8, u8)], cta| {
                    pairs.iter().any(|&(low, high)| cta == low || cta == high)
                };
                let free = |&low: &u8| low < cta && !taken(&pairs, low);
                if usize::from(cta) < high
                    && !taken(&pairs, cta)
                    && let Some(low) = lower.iter().copied().find(free)
                {
                    pairs.push((low, cta));
                }
            }
            Kernel {
                share,
                warps_per_cta: warps as u8,
                private,
                pairs,
            }
        })
}

fn port() -> impl Strategy<Value = PortDraw> {
    let chance = prop::bool::weighted;
    let place = prop_oneof![3 => 0usize..3, 2 => any::<usize>()];
    let beside = prop_oneof![4 => 0..3, 2 => -2..1, 1 => -80_000..80_000];
    (
        (chance(0.85), chance(0.2)),
        any::<usize>(),
        any::<bool>(),
        place,
        prop::option::weighted(0.12, prop_oneof![any::<u8>(), Just(0)]),
        beside,
    )
        .prop_map(
            |((valid, leaves), pair, upper, place, any, beside)| PortDraw {
                valid,
                leaves,
                pair,
                upper,
                place,
                any,
                beside,
            },
        )
}

impl Kernel {
    fn cta(&self, pair: usize, upper: bool) -> u8 {
        let pair = self.pairs.get(pair % self.pairs.len().max(1));
        pair.map_or(0, |&(low, high)| if upper { high } else { low })
    }

    fn port<const NW: usize>(&self, draw: PortDraw) -> PortStep {
        let size = usize::from(self.warps_per_cta);
        let place = draw.place.checked_rem(size).unwrap_or(0);
        let warp = usize::from(self.cta(draw.pair, draw.upper)) * size + place;
        let most = (1 << crate::pins::bits_for(NW)) - 1;
        PortStep {
            valid: draw.valid,
            leaves: draw.leaves,
            warp: draw.any.unwrap_or(warp as u8) & most,
            beside: draw.beside,
        }
    }
}

/// A kernel: its start, its pairs and a mixture of everything.
fn run<const NW: usize, const T: usize>() -> impl Strategy<Value = Vec<Step>> {
    let chance = prop::bool::weighted;
    let any_cta = || prop::option::weighted(0.3, 0..T as u8);
    // Stretches with few pairs let CTAs take many locks of one pair.
    let crowd = prop_oneof![Just(1usize), Just(2), Just(usize::MAX)];
    // Two CTAs in order, whether they can be a pair or not.
    let lower = prop_oneof![0..T as u8, 0..T as u8 / 2];
    let tries = prop::collection::vec((lower, 0..T as u8), 0..6);
    let row = (
        (chance(0.05), chance(0.06), any::<bool>()),
        (any::<usize>(), any::<bool>(), any_cta(), any_cta()),
        [port(), port()],
    );
    (
        kernel::<NW, T>(),
        crowd,
        (chance(0.9), chance(0.5), tries),
        prop::collection::vec(row, 0..60),
    )
        .prop_map(|(kernel, crowd, (all_pairs, before, tries), rows)| {
            let idle = Step {
                share: kernel.share,
                warps_per_cta: kernel.warps_per_cta,
                private: kernel.private,
                ..Step::default()
            };
            // A pair beside a start comes to nothing.
            let mut steps = vec![Step {
                clear: true,
                pair: before,
                partner: 1,
                ..idle
            }];
            let pair = |&(cta, partner): &(u8, u8)| Step {
                pair: true,
                cta,
                partner,
                ..idle
            };
            let ordered = |&(one, other): &(u8, u8)| pair(&(one.min(other), one.max(other)));
            let pairs = if all_pairs { kernel.pairs.len() } else { 0 };
            let (first, last) = tries.split_at(if before { tries.len() } else { 0 });
            steps.extend(first.iter().map(ordered));
            steps.extend(kernel.pairs.iter().take(pairs).map(pair));
            steps.extend(last.iter().map(ordered));
            for ((pair, exit, favor_b), (at, upper, cta, partner), ports) in rows {
                let ports = ports.map(|mut draw| {
                    draw.pair %= crowd;
                    kernel.port::<NW>(draw)
                });
                let ends = pair || exit;
                steps.push(Step {
                    pair,
                    exit,
                    cta: cta.unwrap_or(kernel.cta(at, ends && !pair && upper)),
                    partner: partner.unwrap_or(kernel.cta(at, true)),
                    favor_b,
                    ports,
                    ..idle
                });
            }
            steps
        })
}

/// Runs of one to three kernels, one after the other.
pub fn steps<const NW: usize, const T: usize>() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(run::<NW, T>(), 1..4).prop_map(|runs| runs.concat())
}
