//! How results look: the table on the terminal and the HTML report. Both show only what is in the JSON schema.

pub mod chart;
pub mod html;
pub mod stalls;
pub mod table;
