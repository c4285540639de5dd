power_gate_l10.v
