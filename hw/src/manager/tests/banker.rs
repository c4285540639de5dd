//! The order in which CTAs can end, against all orders.

use proptest::prelude::*;
use regshare_hw::manager::banker::{Account, Packs, is_safe};
use regshare_hw::rfv::rename_table::BANKS;

/// With the whole file as one more bank.
fn with_all(banks: [i32; BANKS]) -> Packs {
    std::array::from_fn(|bank| banks.get(bank).copied().unwrap_or(banks.iter().sum()))
}

/// By trying every order.
fn some_order_works(free: Packs, open: &[Account]) -> bool {
    open.is_empty()
        || (0..open.len()).any(|next| {
            let fits = (0..=BANKS).all(|bank| free[bank] >= open[next].claim[bank]);
            let mut rest = open.to_vec();
            let closed = rest.remove(next);
            let after = std::array::from_fn(|bank| free[bank] + closed.held[bank]);
            fits && some_order_works(after, &rest)
        })
}

fn packs(most: i32) -> impl Strategy<Value = Packs> {
    prop::array::uniform5(0..=most)
}

proptest! {
    #[test]
    fn it_finds_an_order_where_there_is_one(
        free in packs(8),
        open in prop::collection::vec((packs(6), packs(12)), 0..6),
    ) {
        let open: Vec<Account> = open.iter().map(|&(held, claim)| Account { held, claim }).collect();
        let most = |bank: usize| open.iter().map(|account| account.claim[bank]).max();
        let alone = std::array::from_fn(|bank| most(bank).unwrap_or(0));
        prop_assert_eq!(is_safe(free, open.clone(), alone), some_order_works(free, &open));
    }
}

#[test]
fn two_that_hold_what_the_other_needs_are_not_safe() {
    let account = |held: [i32; BANKS], claim: [i32; BANKS]| Account {
        held: with_all(held),
        claim: with_all(claim),
    };
    let alone = with_all([4, 4, 0, 0]);
    let crossed = [
        account([3, 0, 0, 0], [0, 3, 0, 0]),
        account([0, 3, 0, 0], [3, 0, 0, 0]),
    ];
    assert!(!is_safe(with_all([1, 1, 0, 0]), crossed.to_vec(), alone));
    // As many packs in all, and of the right banks.
    assert!(is_safe(with_all([1, 3, 0, 0]), crossed.to_vec(), alone));
}
