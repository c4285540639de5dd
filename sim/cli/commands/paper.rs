//! The worked examples, tables and storage bits of the papers, computed by the code that plans kernels and describes hardware.

mod cars;
mod figures;
mod regmutex;
mod rfv;
mod sharing;

pub use regmutex::candidates;

use crate::failure::Outcome;

/// Everything, as text.
pub fn text() -> Outcome<String> {
    Ok([
        regmutex::text()?,
        sharing::text()?,
        rfv::text()?,
        cars::text()?,
    ]
    .join("\n"))
}

#[cfg(test)]
mod tests {
    use super::figures::Paper;
    use super::*;
    use regshare_sim::scheme::paper::{RFV_TABLE_1, RFV_TABLE_1_SLIPS};

    #[test]
    fn every_figure_is_as_printed_and_every_slip_is_one() {
        let lists = [
            regmutex::figures(),
            sharing::figures(),
            rfv::figures(),
            cars::figures(),
        ];
        let (mut equal, mut slips) = (0, 0);
        for figure in lists.into_iter().flat_map(|list| list.ok().expect("plans")) {
            match figure.paper {
                Paper::Prints(printed) | Paper::Formula(printed) => {
                    assert_eq!(figure.computed, printed, "{}", figure.what);
                    equal += 1;
                }
                Paper::Slip { prints, .. } => {
                    assert_ne!(figure.computed, prints, "{}", figure.what);
                    slips += 1;
                }
                Paper::Silent(_) => {}
            }
        }
        assert!(equal >= 20, "{equal}");
        assert_eq!(slips, 6);
    }

    #[test]
    fn table_1_of_rfv_marks_its_two_slips() {
        let text = rfv::text().ok().expect("plans");
        let follow = RFV_TABLE_1.len() - RFV_TABLE_1_SLIPS.len();
        let count = format!("as printed: {follow} of {}\n", RFV_TABLE_1.len());
        assert!(text.contains(&count), "{text}");
        for (kernel, ..) in RFV_TABLE_1_SLIPS {
            let mut lines = text.lines().filter(|line| line.contains("slip"));
            assert!(lines.any(|line| line.contains(kernel)), "{kernel}: {text}");
        }
    }
}
