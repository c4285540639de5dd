//! Single numbers of a paper beside those that the program computes.

use crate::report::table::{plain, right_align};

/// A number.
pub struct Figure {
    /// Where the paper has it: section, table or figure.
    pub place: &'static str,
    /// What it counts, and of what.
    pub what: String,
    /// As the program computes it, with its unit.
    pub computed: String,
    /// What the paper has.
    pub paper: Paper,
}

/// What a paper says of a number.
pub enum Paper {
    /// The number, as the paper prints it.
    Prints(&'static str),
    /// A formula; this is its value.
    Formula(&'static str),
    /// A number that does not follow from what the paper itself says.
    Slip {
        /// The number.
        prints: &'static str,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Nothing, for this reason.
    Silent(&'static str),
}

impl Figure {
    /// The printed number and the verdict.
    fn cells(&self) -> (&'static str, String) {
        let equal = |printed: &str, verdict: &str| match self.computed == printed {
            true => verdict.to_owned(),
            false => "NOT as in the paper".to_owned(),
        };
        match self.paper {
            Paper::Prints(printed) => (printed, equal(printed, "as printed")),
            Paper::Formula(value) => (value, equal(value, "as by its formula")),
            Paper::Slip { prints, why } => (prints, format!("slip of the paper: {why}")),
            Paper::Silent(why) => ("-", why.to_owned()),
        }
    }
}

/// The figures as a table.
pub fn table(title: &str, figures: &[Figure]) -> String {
    let mut table = plain(&["place", "what", "computed", "paper", ""]);
    for figure in figures {
        let (printed, verdict) = figure.cells();
        table.add_row([
            figure.place,
            &figure.what,
            &figure.computed,
            printed,
            &verdict,
        ]);
    }
    right_align(&mut table, &[2, 3]);
    format!("{title}\n{table}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(computed: &str, paper: Paper) -> Figure {
        Figure {
            place: "1",
            what: "bits".to_owned(),
            computed: computed.to_owned(),
            paper,
        }
    }

    #[test]
    fn a_number_that_differs_is_said_to_differ() {
        assert_eq!(figure("7", Paper::Prints("7")).cells().1, "as printed");
        assert_eq!(
            figure("8", Paper::Prints("7")).cells().1,
            "NOT as in the paper"
        );
        assert_eq!(
            figure("8", Paper::Formula("7")).cells().1,
            "NOT as in the paper"
        );
    }
}
