use super::*;
use crate::machine::Machine;
use crate::scheme::paper::TABLE_1;

fn input(limits: &Limits, regs: u16, threads: u32) -> EsInput<'_> {
    EsInput {
        regs,
        limits,
        cta: CtaShape {
            threads,
            scratchpad_bytes: 0,
        },
        live_at_barriers: 0,
        sharing: Sharing::Pool,
    }
}

fn limits(preset: &str) -> Limits {
    Machine::preset(preset).unwrap().limits
}

fn choose(preset: &str, regs: u16, threads: u32, policy: Policy) -> EsChoice {
    EsChoice::by_policy(&input(&limits(preset), regs, threads), policy, |_| Ok(()))
}

fn chosen_es(choice: &EsChoice) -> u16 {
    choice.candidate().map_or(0, |c| c.es)
}

#[test]
fn worked_example_of_24_registers_comes_out_to_the_digit() {
    let choice = choose("gtx480", 24, 256, Policy::PaperText);
    let rows: Vec<_> = (choice.candidates.iter())
        .map(|c| (c.es, c.bs, c.warps, c.sections))
        .collect();
    let expected = [
        (2, 22, 40, 48),
        (4, 20, 48, 16),
        (6, 18, 48, 26),
        (8, 16, 48, 32),
    ];
    assert_eq!(rows, expected);
    assert_eq!(chosen_es(&choice), 6);
    assert_eq!(choice.candidates[0].rejected, Some(Rejection::NoGain));
    assert_eq!(choice.candidates[3].rejected, Some(Rejection::Sections));
}

#[test]
fn literal_sentence_would_take_8_in_the_worked_example() {
    let choice = choose("gtx480", 24, 256, Policy::PaperLiteral);
    assert_eq!(chosen_es(&choice), 8);
}

#[test]
fn rounding_up_also_takes_6_in_the_worked_example() {
    let choice = choose("gtx480", 24, 256, Policy::RoundUpEven);
    assert_eq!(chosen_es(&choice), 6);
}

fn reached(policy: Policy) -> Vec<&'static str> {
    (TABLE_1.iter())
        .filter(|(_, regs, rounded, bs)| policy.sizes(*regs, *rounded).contains(&(rounded - bs)))
        .map(|(name, ..)| *name)
        .collect()
}

#[test]
fn rounding_up_reaches_all_16_rows_of_table_1() {
    assert_eq!(reached(Policy::RoundUpEven).len(), 16);
}

#[test]
fn rounding_down_misses_four_rows_of_table_1() {
    let reached = reached(Policy::PaperText);
    let missed: Vec<_> = (TABLE_1.iter().map(|row| row.0))
        .filter(|name| !reached.contains(name))
        .collect();
    assert_eq!(reached.len(), 12);
    assert_eq!(missed, ["ParticleFilter", "RadixSort", "SAD", "SRAD"]);
}

#[test]
fn table_1_rounds_registers_to_a_multiple_of_4() {
    for (name, regs, rounded, _) in TABLE_1 {
        assert_eq!(limits("gtx480").rounded_regs(regs), rounded, "{name}");
    }
}

#[test]
fn bfs_and_mri_q_get_the_base_set_of_table_1() {
    for threads in [512, 256] {
        let choice = choose("gtx480", 21, threads, Policy::RoundUpEven);
        assert_eq!(choice.candidate().unwrap().bs, 18);
    }
}

#[test]
fn gaussian_gets_the_base_set_of_table_1_on_half_the_register_file() {
    let choice = choose("gtx480-half", 12, 256, Policy::RoundUpEven);
    assert_eq!(choice.candidate().unwrap().bs, 8);
}

#[test]
fn radix_sort_keeps_ten_sections_because_occupancy_counts_ctas() {
    // Warp by warp, 34 warps x 30 registers would leave 4 packs: no section at all.
    let limits = limits("gtx480");
    let choice = choose("gtx480", 33, 256, Policy::RoundUpEven);
    let row = choice.candidates.iter().find(|c| c.bs == 30).unwrap();
    assert_eq!((row.ctas, row.warps, row.sections), (4, 32, 10));
    assert_eq!((limits.packs_per_sm - 34 * 30) / 6, 0);
}

#[test]
fn kernel_that_registers_do_not_limit_keeps_all_of_them() {
    let choice = choose("gtx480", 20, 256, Policy::RoundUpEven);
    assert_eq!(choice.chosen, None);
    assert!((choice.candidates.iter()).all(|c| c.rejected == Some(Rejection::NoGain)));
}

#[test]
fn candidate_without_a_section_is_rejected() {
    // 16 warps of 32 registers fill the half machine; |Es| = 0 is left.
    let half = limits("gtx480-half");
    let full_half = EsInput {
        regs: 40,
        ..input(&half, 40, 512)
    };
    let row = full_half.candidate(8, 40, 0);
    assert_eq!((row.warps, row.sections), (16, 0));
    assert_eq!(row.rejected, Some(Rejection::NoSection));
}

#[test]
fn candidate_below_the_live_registers_at_a_barrier_is_rejected() {
    let limits = limits("gtx480");
    let mut input = input(&limits, 24, 256);
    input.live_at_barriers = 19;
    let choice = EsChoice::by_policy(&input, Policy::PaperText, |_| Ok(()));
    assert_eq!(chosen_es(&choice), 4);
    let rule = Some(Rejection::LiveAtBarrier { live: 19 });
    assert_eq!(choice.candidates[2].rejected, rule);
}

#[test]
fn size_that_cannot_be_compacted_gives_way_to_the_next_best() {
    let limits = limits("gtx480");
    let input = input(&limits, 24, 256);
    let choice = EsChoice::by_policy(&input, Policy::PaperText, |bs| {
        (bs != 18).then_some(()).ok_or_else(|| "test".to_owned())
    });
    assert_eq!(chosen_es(&choice), 8);
}

#[test]
fn fixed_size_gives_up_ctas_until_one_section_exists() {
    let half = limits("gtx480-half");
    let (choice, occupancy) = EsChoice::fixed(&input(&half, 40, 256), 8).unwrap();
    let row = choice.candidate().unwrap();
    // 16 warps x 32 = 512 leave nothing; 8 warps leave 256 packs: 32 sections.
    assert_eq!((occupancy.warps, row.sections), (8, 32));
}

#[test]
fn pairs_need_two_base_sets_and_one_extended_set() {
    let limits = limits("gtx480");
    let mut input = input(&limits, 24, 256);
    input.sharing = Sharing::Pairs;
    // 24 pairs x (2 x 18 + 6) = 1008 of 1024 packs.
    assert_eq!(input.occupancy(18, 6).unwrap().warps, 48);
    // 24 pairs x (2 x 20 + 4) = 1056 do not fit; 20 pairs do.
    assert_eq!(input.occupancy(20, 4).unwrap().warps, 40);
    let choice = EsChoice::by_policy(&input, Policy::RoundUpEven, |_| Ok(()));
    assert_eq!(chosen_es(&choice), 6);
}

#[test]
fn figure_2_fits_two_warps_only_with_sharing() {
    // 48 packs; 31 registers twice are 62; 2 x 16 + 16 = 48.
    let mut limits = limits("gtx480");
    limits.packs_per_sm = 48;
    let input = input(&limits, 31, 32);
    assert_eq!(
        Occupancy::with_regs(&limits, input.cta, 31).unwrap().ctas,
        1
    );
    let (choice, _) = EsChoice::fixed(&input, 16).unwrap();
    let row = choice.candidate().unwrap();
    assert_eq!((row.bs, row.warps, row.sections), (16, 2, 1));
}
