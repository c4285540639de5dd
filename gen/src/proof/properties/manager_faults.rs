//! Faults in the wiring of each register manager, which its proof must find.

use super::{Fault, fault};
use regshare_hw::register_manager::System;

pub(super) fn faults(system: System) -> &'static [Fault] {
    match system {
        System::Baseline => {
            const {
                &[
                    fault(
                        "b_looks_up_as_the_warp_on_a",
                        "port_b$warp = b_warp;",
                        "port_b$warp = a_warp;",
                    ),
                    fault(
                        "two_sources_change_places",
                        "a_y0 = port_a$y0;",
                        "a_y0 = port_a$y1;",
                    ),
                    fault(
                        "memory_is_forbidden",
                        "memory_allowed = all_1;",
                        "memory_allowed = zero_1;",
                    ),
                    fault(
                        "clear_reaches_one_port",
                        "port_b$clear = clear;",
                        "port_b$clear = zero_1;",
                    ),
                ]
            }
        }
        System::Regmutex => {
            const {
                &[
                    fault(
                        "the_pool_begins_elsewhere",
                        "top$srp_offset = offset;",
                        "top$srp_offset = a_base;",
                    ),
                    fault(
                        "b_changes_as_a",
                        "top$b_change = b_change;",
                        "top$b_change = a_change;",
                    ),
                    fault("nobody_is_woken", "wake = top$wake;", "wake = zero_1;"),
                    fault(
                        "a_is_answered_with_b",
                        "a_answer = top$a_grant;",
                        "a_answer = top$b_grant;",
                    ),
                ]
            }
        }
        System::Paired | System::SafePaired => {
            const {
                &[
                    fault(
                        "the_sets_change_places",
                        "top$ext_regs = ext_regs;",
                        "top$ext_regs = base_regs;",
                    ),
                    fault(
                        "release_is_lost",
                        "top$a_release = a_release;",
                        "top$a_release = a_exit;",
                    ),
                    fault(
                        "b_holds_what_a_holds",
                        "b_held = top$b_held;",
                        "b_held = top$a_held;",
                    ),
                    fault(
                        "a_cta_must_not_issue",
                        "may_issue = all_8;",
                        "may_issue = starts[32'd7:32'd0];",
                    ),
                ]
            }
        }
        System::Owf => {
            const {
                &[
                    fault(
                        "a_pair_is_of_another_cta",
                        "top$cta = exit_cta;",
                        "top$cta = launch_cta;",
                    ),
                    fault(
                        "all_warps_are_owners",
                        "owner = top$owner;",
                        "owner = ready;",
                    ),
                    fault(
                        "throttled_while_owner",
                        "memory_allowed = top$memory_allowed;",
                        "memory_allowed = top$sharing;",
                    ),
                    fault(
                        "launch_of_renaming_starts_warps",
                        "top$stall = stall_cycle;",
                        "top$stall = stall;",
                    ),
                ]
            }
        }
        System::Rfv => {
            const {
                &[
                    fault(
                        "a_reads_the_answer_of_b",
                        "answer_a$answers = top$a_answer;",
                        "answer_a$answers = top$b_answer;",
                    ),
                    fault(
                        "two_registers_change_places",
                        "top$b_x2 = ids_b$r2;",
                        "top$b_x2 = ids_b$r1;",
                    ),
                    fault(
                        "the_chosen_cta_is_a_bank",
                        "chosen_cta = top$chosen;",
                        "chosen_cta = top$word_flags;",
                    ),
                    fault(
                        "a_starved_port_does_not_know",
                        "b_starved = answer_b$own_starved;",
                        "b_starved = zero_1;",
                    ),
                ]
            }
        }
        System::Cars => {
            const {
                &[
                    fault(
                        "the_end_of_a_warp_wakes_none",
                        "top$wake = freed;",
                        "top$wake = stall;",
                    ),
                    fault(
                        "the_link_is_of_the_other_port",
                        "top$b_link = b_link;",
                        "top$b_link = a_link;",
                    ),
                    fault("the_trap_is_hidden", "trap = top$trap;", "trap = zero_1;"),
                    fault(
                        "somebody_is_stalled",
                        "none_stalled = top$empty;",
                        "none_stalled = top$a_stalled;",
                    ),
                ]
            }
        }
    }
}
