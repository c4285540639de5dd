//! Places for groups: graph colouring with two ranges, aligned pairs, and a preference for the original place.
//!
//! Groups that are easiest to place are put aside first (Chaitin and Briggs); the rest is placed optimistically.

use super::constraints::{Conflict, Constraints};
use super::webs::{Group, GroupInfo};
use fixedbitset::FixedBitSet;

/// Sizes of the register ranges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranges {
    /// |Bs|: low groups lie below.
    pub bs: u16,
    /// |Bs| + |Es|.
    pub total: u16,
}

/// A place per group, or the groups for which none was left; never an empty list.
pub(super) fn color(
    groups: &[GroupInfo],
    constraints: &Constraints,
    ranges: Ranges,
) -> Result<Vec<u16>, Vec<Group>> {
    let by_degree = smallest_last(groups, constraints, ranges);
    let first = place_all(groups, constraints, ranges, &by_degree);
    if first.is_ok() {
        return first;
    }
    // Another order: low groups before free ones, each as values appear in the program.
    let is_low = |group: &Group| !constraints.low_at[*group as usize].is_empty();
    let mut in_order: Vec<Group> = (0..groups.len() as Group).collect();
    in_order.sort_by_key(|group| (!is_low(group), !groups[*group as usize].wide));
    place_all(groups, constraints, ranges, &in_order).or(first)
}

/// Placement order: the reverse of removing, again and again, the group with the most slack.
fn smallest_last(groups: &[GroupInfo], constraints: &Constraints, ranges: Ranges) -> Vec<Group> {
    let weights: Vec<i32> = groups
        .iter()
        .map(|group| 1 + i32::from(group.wide))
        .collect();
    let weight = |group: Group| weights[group as usize];
    let blocked: Vec<i32> = (constraints.conflicts.iter())
        .map(|conflicts| conflicts.iter().map(|c| weight(c.other)).sum())
        .collect();
    let room = |group: usize| {
        let low = !constraints.low_at[group].is_empty();
        i32::from(if low { ranges.bs } else { ranges.total })
    };
    let mut left: Vec<Group> = (0..groups.len() as Group).collect();
    // Beside each group that is left what it lacks, and where it stands.
    let mut lack: Vec<i32> = (blocked.iter().enumerate())
        .map(|(group, blocked)| blocked - room(group))
        .collect();
    let mut place: Vec<usize> = (0..groups.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    while let Some(least) = lack.iter().min().copied() {
        let at = (lack.iter().position(|lack| *lack == least)).expect("it is there");
        let group = left.swap_remove(at);
        lack.swap_remove(at);
        place[group as usize] = usize::MAX;
        if let Some(moved) = left.get(at) {
            place[*moved as usize] = at;
        }
        for conflict in &constraints.conflicts[group as usize] {
            if let Some(lack) = lack.get_mut(place[conflict.other as usize]) {
                *lack -= weight(group);
            }
        }
        order.push(group);
    }
    order.reverse();
    order
}

fn place_all(
    groups: &[GroupInfo],
    constraints: &Constraints,
    ranges: Ranges,
    order: &[Group],
) -> Result<Vec<u16>, Vec<Group>> {
    let mut failed = Vec::new();
    let mut place: Vec<Option<u16>> = vec![None; groups.len()];
    for group in order {
        let index = *group as usize;
        let low = !constraints.low_at[index].is_empty();
        let limit = if low { ranges.bs } else { ranges.total };
        let taken = taken_places(&constraints.conflicts[index], &place, ranges.total);
        let info = &groups[index];
        let fits = |at: &u16| {
            let end = at + if info.wide { 2 } else { 1 };
            end <= limit
                && !taken.contains(usize::from(*at))
                && (!info.wide || at.is_multiple_of(2))
        };
        let joined = (constraints.joined[index].iter()).filter_map(|other| place[*other as usize]);
        let liked = [info.original]
            .into_iter()
            .chain(joined)
            .find(|at| fits(at));
        let chosen = liked.or_else(|| {
            // A free value leaves the base set alone if it can, and others the places that they are in now; a
            // single one fills up a broken pair.
            let claimed = claims(&constraints.conflicts[index], groups, &place);
            (0..limit).filter(fits).min_by_key(|at| {
                let takes_base = !low && *at < ranges.bs;
                let claims = claimed.get(usize::from(*at)).copied().unwrap_or(0);
                let breaks_pair = !info.wide && !taken.contains(usize::from(at ^ 1));
                (takes_base, claims, breaks_pair, *at)
            })
        });
        place[index] = chosen;
        failed.extend(chosen.is_none().then_some(*group));
    }
    let places: Vec<u16> = place.into_iter().flatten().collect();
    match failed.is_empty() {
        true => Ok(places),
        false => Err(failed),
    }
}

/// Per place, how many conflicting groups without a place would rather have it.
fn claims(conflicts: &[Conflict], groups: &[GroupInfo], place: &[Option<u16>]) -> Vec<u16> {
    let mut claims = Vec::new();
    for conflict in conflicts {
        if place[conflict.other as usize].is_none() {
            let wanted = groups[conflict.other as usize].original + conflict.other_offset;
            if let Some(first) = wanted.checked_sub(conflict.offset) {
                let first = usize::from(first);
                claims.resize(claims.len().max(first + 1), 0);
                claims[first] += 1;
            }
        }
    }
    claims
}

/// First places that would collide. For a pair both of its halves are in the conflicts, each with its offset.
fn taken_places(conflicts: &[Conflict], place: &[Option<u16>], total: u16) -> FixedBitSet {
    let mut taken = FixedBitSet::with_capacity(usize::from(total) + 2);
    for conflict in conflicts {
        if let Some(at) = place[conflict.other as usize]
            && let Some(first) = (at + conflict.other_offset).checked_sub(conflict.offset)
        {
            taken.insert(usize::from(first));
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The first of those with the most slack, by looking at all that are left.
    fn by_definition(
        groups: &[GroupInfo],
        constraints: &Constraints,
        ranges: Ranges,
    ) -> Vec<Group> {
        let mut left: Vec<Group> = (0..groups.len() as Group).collect();
        let mut order = Vec::new();
        while !left.is_empty() {
            let lacks = |group: &Group| {
                let index = *group as usize;
                let conflicts = constraints.conflicts[index].iter();
                let there = conflicts.filter(|conflict| left.contains(&conflict.other));
                let blocked: i32 = there
                    .map(|conflict| 1 + i32::from(groups[conflict.other as usize].wide))
                    .sum();
                let low = !constraints.low_at[index].is_empty();
                blocked - i32::from(if low { ranges.bs } else { ranges.total })
            };
            let least = left.iter().map(lacks).min();
            let at = left.iter().position(|group| Some(lacks(group)) == least);
            order.push(left.swap_remove(at.expect("not empty")));
        }
        order.reverse();
        order
    }

    proptest! {
        #[test]
        fn groups_are_put_aside_by_their_slack(
            kinds in prop::collection::vec((any::<bool>(), any::<bool>()), 1..24),
            pairs in prop::collection::vec((0..24usize, 0..24usize), 0..80),
        ) {
            let count = kinds.len();
            let groups: Vec<GroupInfo> = (kinds.iter())
                .map(|&(wide, _)| GroupInfo { wide, original: 0 })
                .collect();
            let mut conflicts = vec![Vec::new(); count];
            for (one, other) in pairs {
                if one < count && other < count && one != other {
                    let conflict = |other: usize| Conflict {
                        other: other as Group,
                        offset: 0,
                        other_offset: 0,
                    };
                    conflicts[one].push(conflict(other));
                    conflicts[other].push(conflict(one));
                }
            }
            let constraints = Constraints {
                conflicts,
                low_at: kinds.iter().map(|&(_, low)| vec![(0, None); usize::from(low)]).collect(),
                joined: vec![Vec::new(); count],
            };
            let ranges = Ranges { bs: 6, total: 10 };
            prop_assert_eq!(
                smallest_last(&groups, &constraints, ranges),
                by_definition(&groups, &constraints, ranges)
            );
        }
    }
}
