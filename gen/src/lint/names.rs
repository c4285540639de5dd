//! Names that Verilog keeps for itself.

use super::design::Module;
use super::{Findings, Rule};

pub(super) const KEYWORD: Rule = Rule {
    id: "keyword",
    what: "the name is a keyword of Verilog-2005 or SystemVerilog; Yosys accepts some, Icarus and Verilator do not",
    cure: "rename the field",
};

pub(super) const IDENTIFIER: Rule = Rule {
    id: "identifier",
    what: "Verilog identifiers are ASCII letters, digits, `_` and `$`, and do not begin with a digit",
    cure: "rename the field",
};

/// IEEE 1364-2005, annex B.
const VERILOG_2005: &str = "always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config \
    deassign default defparam design disable edge else end endcase endconfig endfunction endgenerate endmodule \
    endprimitive endspecify endtable endtask event for force forever fork function generate genvar highz0 highz1 if \
    ifnone incdir include initial inout input instance integer join large liblist library localparam macromodule \
    medium module nand negedge nmos nor noshowcancelled not notif0 notif1 or output parameter pmos posedge primitive \
    pull0 pull1 pulldown pullup pulsestyle_onevent pulsestyle_ondetect rcmos real realtime reg release repeat rnmos \
    rpmos rtran rtranif0 rtranif1 scalared showcancelled signed small specify specparam strong0 strong1 supply0 \
    supply1 table task time tran tranif0 tranif1 tri tri0 tri1 triand trior trireg unsigned use uwire vectored wait \
    wand weak0 weak1 while wire wor xnor xor";

/// IEEE 1800-2017, annex B, without those above.
const SYSTEM_VERILOG: &str = "accept_on alias always_comb always_ff always_latch assert assume before bind bins \
    binsof bit break byte chandle checker class clocking const constraint context continue cover covergroup \
    coverpoint cross dist do endchecker endclass endclocking endgroup endinterface endpackage endprogram \
    endproperty endsequence enum eventually expect export extends extern final first_match foreach forkjoin global \
    iff ignore_bins illegal_bins implements implies import inside int interconnect interface intersect join_any \
    join_none let local logic longint matches modport nettype new nexttime null package packed priority program \
    property protected pure rand randc randcase randsequence ref reject_on restrict return s_always s_eventually \
    s_nexttime s_until s_until_with sequence shortint shortreal soft solve static string strong struct super \
    sync_accept_on sync_reject_on tagged this throughout timeprecision timeunit type typedef union unique unique0 \
    until until_with untyped var virtual void wait_order weak wildcard with within";

/// Every reserved word of both standards.
pub(super) fn keywords() -> impl Iterator<Item = &'static str> {
    VERILOG_2005
        .split_whitespace()
        .chain(SYSTEM_VERILOG.split_whitespace())
}

fn check_name(name: &str, place: &str, findings: &mut Findings) {
    if keywords().any(|keyword| keyword == name) {
        findings.add(&KEYWORD, place, 0, name);
    }
    let legal = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '_' || symbol == '$';
    let first = name.chars().next();
    if !name.chars().all(legal)
        || first.is_none_or(|symbol| symbol.is_ascii_digit() || symbol == '$')
    {
        findings.add(&IDENTIFIER, place, 0, name);
    }
}

pub(super) fn module_name(top: &str, findings: &mut Findings) {
    check_name(top, top, findings);
}

pub(super) fn check(module: &Module, findings: &mut Findings) {
    check_name(&module.instance, &module.path, findings);
    for name in &module.own_names {
        check_name(name, &module.path, findings);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_keyword_is_listed_once() {
        let all: Vec<_> = keywords().collect();
        let distinct: BTreeSet<_> = all.iter().collect();
        assert_eq!(all.len(), distinct.len());
    }

    #[test]
    fn both_standards_are_complete_by_count() {
        assert_eq!(
            VERILOG_2005.split_whitespace().count(),
            124,
            "IEEE 1364-2005 annex B"
        );
        assert_eq!(keywords().count(), 248, "IEEE 1800-2017 annex B");
    }
}
