power_gate_l3.v
