use super::*;

fn graph(edges: &[(usize, usize)]) -> Cfg {
    let n = edges.iter().map(|&(a, b)| a.max(b)).max().unwrap() + 1;
    let mut succs = vec![Vec::new(); n];
    for &(from, to) in edges {
        succs[from].push(to);
    }
    cfg_of(succs, false, &[])
}

/// In no block do lanes anything together.
fn cfg_of(succs: Vec<Vec<usize>>, falls_off: bool, returning: &[usize]) -> Cfg {
    let apart = vec![false; succs.len()];
    Cfg::from_successors(succs, falls_off, returning, (&[], &apart))
}

fn region(cfg: &Cfg, block: u32) -> Vec<usize> {
    cfg.divergent_region(BlockId(block)).ones().collect()
}

#[test]
fn diamond_reconverges_at_its_join() {
    let cfg = graph(&[(0, 1), (0, 2), (1, 3), (2, 3)]);
    assert_eq!(cfg.reconvergence(BlockId(0)), Some(BlockId(3)));
    assert_eq!(region(&cfg, 0), [1, 2]);
    assert_eq!(cfg.idom(BlockId(3)), Some(BlockId(0)));
}

#[test]
fn nested_diamonds_reconverge_from_the_inside_out() {
    let cfg = graph(&[
        (0, 1),
        (0, 5),
        (1, 2),
        (1, 3),
        (2, 4),
        (3, 4),
        (4, 6),
        (5, 6),
    ]);
    assert_eq!(cfg.reconvergence(BlockId(1)), Some(BlockId(4)));
    assert_eq!(cfg.reconvergence(BlockId(0)), Some(BlockId(6)));
    assert_eq!(region(&cfg, 0), [1, 2, 3, 4, 5]);
    assert_eq!(region(&cfg, 1), [2, 3]);
}

#[test]
fn loop_with_two_exits_reconverges_behind_both() {
    // 1 and 2 leave the loop to 4 and 3; both go to 5.
    let cfg = graph(&[(0, 1), (1, 2), (1, 4), (2, 1), (2, 3), (3, 5), (4, 5)]);
    assert_eq!(cfg.reconvergence(BlockId(1)), Some(BlockId(5)));
    assert_eq!(cfg.reconvergence(BlockId(2)), Some(BlockId(5)));
    assert_eq!(region(&cfg, 2), [1, 2, 3, 4]);
    assert_eq!(cfg.loops().len(), 1);
    assert_eq!(cfg.loops()[0].blocks, [BlockId(1), BlockId(2)]);
}

#[test]
fn nested_loops_have_depth_two_inside() {
    let cfg = graph(&[(0, 1), (1, 2), (2, 2), (2, 3), (3, 1), (3, 4)]);
    let depth: Vec<u32> = (0..5).map(|b| cfg.loop_depth(BlockId(b))).collect();
    assert_eq!(depth, [0, 1, 2, 1, 0]);
    assert_eq!(cfg.loops()[1].parent, Some(0));
}

#[test]
fn cycle_with_two_entries_is_irreducible_and_no_natural_loop() {
    let cfg = graph(&[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
    assert!(!cfg.is_reducible());
    assert!(cfg.loops().is_empty());
    assert_eq!(cfg.reconvergence(BlockId(0)), Some(BlockId(2)));
}

#[test]
fn branch_inside_an_infinite_loop_reconverges_inside_it() {
    // 1: if (..) 2 else 3; 4: goto 1.
    let cfg = graph(&[(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1)]);
    assert_eq!(cfg.reconvergence(BlockId(1)), Some(BlockId(4)));
    assert_eq!(cfg.loop_depth(BlockId(4)), 1);
}

#[test]
fn sides_that_meet_only_at_the_end_have_no_reconvergence() {
    // Early exit: 1 ends the kernel.
    let cfg = graph(&[(0, 1), (0, 2), (2, 3)]);
    assert_eq!(cfg.reconvergence(BlockId(0)), None);
    assert_eq!(region(&cfg, 0), [1, 2, 3]);
}

#[test]
fn branch_beside_an_infinite_loop_has_a_region_without_end() {
    let cfg = graph(&[(0, 1), (0, 2), (1, 1)]);
    assert_eq!(cfg.reconvergence(BlockId(0)), None);
    assert_eq!(region(&cfg, 0), [1, 2]);
}

#[test]
fn reverse_postorder_visits_blocks_before_their_forward_successors() {
    let cfg = graph(&[(0, 2), (0, 1), (1, 3), (2, 3)]);
    let order: Vec<u32> = cfg.reverse_postorder().iter().map(|b| b.0).collect();
    assert_eq!(order, [0, 2, 1, 3]);
}

#[test]
fn unreachable_block_has_no_dominator_and_is_in_no_order() {
    let cfg = graph(&[(0, 2), (1, 2)]);
    assert!(!cfg.is_reachable(BlockId(1)));
    assert_eq!(cfg.reverse_postorder().len(), 2);
    assert_eq!(cfg.idom(BlockId(2)), Some(BlockId(0)));
}

#[test]
fn end_of_the_last_block_is_a_way_out() {
    // 2 goes back to 1 or falls off the end: 1 need not be visited again.
    let succs = vec![vec![1], vec![2], vec![1]];
    let with = cfg_of(succs.clone(), true, &[]);
    assert_eq!(with.ipdom(BlockId(2)), None);
    assert_eq!(
        cfg_of(succs, false, &[]).ipdom(BlockId(1)),
        Some(BlockId(2))
    );
}

#[test]
fn lanes_that_return_meet_as_if_those_that_end_had_never_been_there() {
    // A function from 1 on: 4 ends its threads, 6 returns, 7 and 8 end them with a branch on the way.
    let edges = [
        (0, 0),
        (1, 2),
        (1, 3),
        (2, 4),
        (2, 5),
        (5, 6),
        (3, 6),
        (3, 7),
        (7, 8),
        (7, 9),
        (8, 9),
    ];
    let mut succs = vec![Vec::new(); 10];
    for (from, to) in edges {
        succs[from].push(to);
    }
    let with = cfg_of(succs.clone(), false, &[6]);
    let meet = |cfg: &Cfg, block| cfg.reconvergence(BlockId(block)).map(|meet| meet.0);
    assert_eq!(
        [1, 2, 3].map(|block| meet(&with, block)),
        [Some(6), Some(5), Some(6)]
    );
    // Those that do not come back meet among themselves.
    assert_eq!(meet(&with, 7), Some(9));
    let without = cfg_of(succs, false, &[]);
    assert_eq!([1, 2, 3].map(|block| meet(&without, block)), [None; 3]);
}

#[test]
fn ends_at_which_lanes_meet_are_returns_or_beside_inlined_functions_the_kernels_own() {
    let of = |kernel: &str, function: &str| {
        let text = format!(
            ".kernel k;\n.regs architected 4, 1;\nentry:\n@p0 bra other;\none:\n {kernel}\nother:\n exit;\nf:\n {function}\n"
        );
        returning(&crate::kernel::text::parse(&text, "k").unwrap())
    };
    assert_eq!(of("call f; exit;", "@p0 exit; ret;"), [3]);
    assert_eq!(of("call f; exit;", "@p0 ret; exit; ret;"), [0; 0]);
    assert_eq!(of("exit;", "exit;"), [0; 0]);
    assert_eq!(of("exit 1;", "exit;"), [2, 3]);
    assert_eq!(of("@p0 exit 1; exit;", "exit;"), [0; 0]);
}

/// `if (c) { if (e) return; } barrier`: in the kernel both sides meet before the barrier; in a function, where all return together,
/// behind it. A call of a function with a barrier is one.
#[test]
fn sides_meet_before_a_barrier_of_the_kernel_and_behind_one_of_a_function() {
    let body = |joins: &str, end: &str| {
        format!(
            "@p0 bra joins;\ninner:\n@p1 bra joins;\nearly:\n    bra ends;\njoins:\n    {joins};\nends:\n    {end};\n"
        )
    };
    let cfg = |text: String| {
        let head = ".kernel k;\n.regs architected 20, 2;\nentry:\n";
        Cfg::new(&crate::kernel::text::parse(&(head.to_owned() + &text), "k").unwrap()).unwrap()
    };
    let meets = |text: String, branch| cfg(text).reconvergence(BlockId(branch));
    assert_eq!(meets(body("bar.sync 0", "exit"), 0), Some(BlockId(3)));
    assert_eq!(meets(body("mov.u32 r0, 1", "exit"), 0), Some(BlockId(4)));
    let function = |joins: &str| format!("f:\n{}", body(joins, "ret"));
    let in_function = format!("    call f;\n    exit;\n{}", function("bar.sync 0"));
    assert_eq!(meets(in_function, 1), Some(BlockId(5)));
    let parted = |text: String| {
        let head = ".kernel k;\n.regs architected 20, 2;\nentry:\n";
        let kernel = crate::kernel::text::parse(&(head.to_owned() + &text), "k").unwrap();
        Cfg::parted_by_returns(&kernel).unwrap()
    };
    let with = |joins: &str| format!("    call f;\n    exit;\n{}", function(joins));
    assert_eq!(parted(with("bar.sync 0")), [BlockId(1), BlockId(2)]);
    assert_eq!(parted(with("mov.u32 r0, 1")), []);
    assert_eq!(parted(body("bar.sync 0", "exit")), []);
    for (joins, block) in [("bar.sync 0", 3), ("mov.u32 r0, 1", 4)] {
        let simple = format!("f:\n    {joins};\n    ret;\n");
        let calls = format!("{}{simple}", body("call f", "exit"));
        assert_eq!(meets(calls, 0), Some(BlockId(block)), "{joins}");
    }
}
