//! Lets a proof see a memory.

/// Verilog that shows all of memory `rows` as one vector `observed`, row 0 lowest, where `FORMAL` is defined; elsewhere
/// it is nothing. Property files refer to it by its path.
#[must_use]
pub fn observed(rows: usize, width_bits: usize) -> String {
    let bits = rows * width_bits;
    format!(
        "\
`ifdef FORMAL
wire [{msb}:0] observed;
genvar shown;
generate for (shown = 0; shown < {rows}; shown = shown + 1) begin : show
    assign observed[shown*{width_bits} +: {width_bits}] = rows[shown];
end endgenerate
`endif
",
        msb = bits - 1,
    )
}

/// The same of rows of which bit k is `column$k`.
pub fn observed_columns(rows: usize, width_bits: usize) -> String {
    let row: Vec<_> = (0..width_bits)
        .rev()
        .map(|k| format!("column${k}[shown]"))
        .collect();
    format!(
        "\
`ifdef FORMAL
wire [{msb}:0] observed;
genvar shown;
generate for (shown = 0; shown < {rows}; shown = shown + 1) begin : show
    assign observed[shown*{width_bits} +: {width_bits}] = {{{row}}};
end endgenerate
`endif
",
        msb = rows * width_bits - 1,
        row = row.join(", "),
    )
}
