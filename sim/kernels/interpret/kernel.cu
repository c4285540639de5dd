// Expressions in the code of a stack machine, each thread on a value of its own: the operation is a function, found by the
// code of the instruction in a table. The stack has four words. Calls two deep: one step of the machine, and through the
// table the operation; the lower half of the stack lives over them.
// PTX: `../build interpret` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o interpret/kernel.ptx interpret/kernel.cu
#include "common.h"

struct State {
    u32 top, second, third, fourth;
};

CALLED u32 op_add(u32 a, u32 b) { return a + b; }
CALLED u32 op_sub(u32 a, u32 b) { return b - a; }
CALLED u32 op_mul(u32 a, u32 b) { return a * b; }
CALLED u32 op_turn(u32 a, u32 b) { return a << (b & 31) | a >> (-b & 31); }
CALLED u32 op_most(u32 a, u32 b) { return a > b ? a : b; }
// Collatz: as long as its path is from `a`, at most 8 steps, and `b`.
CALLED u32 op_path(u32 a, u32 b) {
    u32 steps = 0;
    while (a > 1 && steps < 8) {
        a = a & 1 ? 3 * a + 1 : a / 2;
        steps++;
    }
    return steps + b;
}

typedef u32 (*Operation)(u32, u32);
__attribute__((device)) Operation operations[8] = {op_add, op_sub, op_mul, op_turn, op_most, op_path, op_path, op_path};

// One step: the operation on the two topmost values. A lane whose topmost is odd may take the operation beside.
CALLED State step(State state, u32 word, u32 next) {
    u32 result = operations[word + (state.top & 1 & word >> 3) & 7](state.top, state.second);
    if (word & 16) return {result, state.third, state.fourth, next};
    return {state.second, state.third, state.fourth, result};
}

KERNEL interpret(const u32 *__restrict code, const u32 *__restrict values, u32 *__restrict results, u32 length) {
    u32 thread = cta_x() * threads_x() + tid_x();
    u32 x = values[thread];
    State state = {x, x, x, x};
    // Every other warp has another program.
    const u32 *program = code + (tid_x() / 32 & 1) * length;
#pragma unroll 1
    for (u32 at = 0; at < length; at++) state = step(state, program[at], x + at);
    results[thread] = state.top ^ state.second;
}
