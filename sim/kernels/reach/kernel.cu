// What can be reached from a node in a graph within nine steps, as in an analysis of pointers: a chain of nine functions,
// one per step. From each node one edge is followed that the node's mark chooses, and where three bits of the mark are 0 a
// second one, so that lanes part; four neighbouring threads walk together. What was found so far, the node, its mark and
// the thread's own word live over each call.
// PTX: `../build reach` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o reach/kernel.ptx reach/kernel.cu
#include "common.h"

#define EDGES 4
#define WALKERS 4

// One step: what the nodes beyond hold, turned by a bit for each edge so that the order counts.
#define STEP(name, bit, next)                                                                 \
    CALLED u32 name(const u32 *edges, const u32 *marks, u32 node, u32 own) {                  \
        u32 mark = marks[node] >> (bit), found = 0;                                           \
        u32 last = (mark & 28) == 0;                                                          \
        _Pragma("unroll 1") for (u32 edge = 0; edge <= last; edge++) {                        \
            u32 beyond = next(edges, marks, edges[EDGES * node + ((mark & 3) ^ edge)], own + edge); \
            found = (found << 1 | found >> 31) + beyond;                                      \
        }                                                                                     \
        return (found << 1 | found >> 31) + (mark ^ own);                                     \
    }

CALLED u32 step9(const u32 *, const u32 *marks, u32 node, u32 own) { return marks[node] * 5 + own; }
STEP(step8, 0, step9)
STEP(step7, 3, step8)
STEP(step6, 6, step7)
STEP(step5, 9, step6)
STEP(step4, 12, step5)
STEP(step3, 15, step4)
STEP(step2, 18, step3)
STEP(step1, 21, step2)

KERNEL reach(const u32 *__restrict edges, const u32 *__restrict marks, const u32 *__restrict words,
             u32 *__restrict found) {
    u32 thread = cta_x() * threads_x() + tid_x();
    found[thread] = step1(edges, marks, thread / WALKERS, words[thread]);
}
