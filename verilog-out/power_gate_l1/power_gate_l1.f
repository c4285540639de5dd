power_gate_l1.v
