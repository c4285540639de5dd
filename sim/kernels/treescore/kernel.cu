// Walks a tree of four children per node with the reads of a CTA, and scores what was met on the way.
//
// Entry `node ^ base` of `child` is the node that follows `node` where the read has `base` (so a node's four children
// lie side by side, in an order of its own); nodes lie anywhere, so each step waits for the load of the step before.
// All threads of a CTA walk with the same reads of 16 bases, two bits each, lowest first. The nodes on the way are
// folded into a signature. Each thread takes the 16 pairs of bits of its own variant of the signature (xor with its
// word of `profile`) as points, transforms them (Walsh-Hadamard, in registers) and adds the products of neighbours in
// the spectrum. Few registers while waiting for memory, many in the short transform.
// PTX: `../build treescore` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o treescore/kernel.ptx treescore/kernel.cu
#include "common.h"

#define POINTS 16
#define STEPS 16

KERNEL treescore(const u32 *__restrict child, const u32 *__restrict reads, const u32 *__restrict profile,
                 u32 *__restrict score, u32 rounds) {
    u32 own = profile[cta_x() * threads_x() + tid_x()];
    u32 total = 0;
    const u32 *next_read = reads + cta_x() * rounds;
#pragma unroll 1
    for (; rounds > 0; rounds--) {
        u32 read = *next_read++;
        u32 node = 0, signature = 0;
#pragma unroll 4
        for (u32 step = 0; step < STEPS; step++) {
            node = child[node ^ (read & 3)];
            read >>= 2;
            signature = 5 * signature + node;
        }
        signature ^= own;
        u32 point[POINTS];
#pragma unroll
        for (u32 i = 0; i < POINTS; i++) point[i] = signature >> 2 * i & 3;
#pragma unroll
        for (u32 half = 1; half < POINTS; half *= 2) {
#pragma unroll
            for (u32 i = 0; i < POINTS; i++) {
                if (i & half) continue;
                u32 a = point[i], b = point[i + half];
                point[i] = a + b;
                point[i + half] = a - b;
            }
        }
#pragma unroll
        for (u32 i = 0; i + 1 < POINTS; i++) total += point[i] * point[i + 1];
    }
    score[cta_x_again() * threads_x() + tid_x_again()] = total;
}
