// A random forest of many classes: each thread walks its sample through `trees` trees and adds the votes of the leaves.
//
// All trees have five levels. `nodes` has of each tree 32 words (the first is not used): the feature in the upper 3 bits and
// the threshold below; children of node `n` are `2 n` and `2 n + 1`. Which feature is compared is known when the node is there,
// its value (`samples`, feature by feature, `pitch` words apart) after that, and the next node after that: a chain of loads.
// `votes` has of each tree and pair of classes a word per leaf, 16 bits for each. The votes of 40 classes are summed in registers
// and touched once per tree.
// PTX: `../build forest` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o forest/kernel.ptx forest/kernel.cu
#include "common.h"

#define LEVELS 5
#define LEAVES (1 << LEVELS)
#define CLASSES 40

KERNEL forest(const u32 *__restrict nodes, const u32 *__restrict votes, const u32 *__restrict samples, u32 *__restrict best,
              u32 trees, u32 pitch) {
    const u32 *sample = samples + cta_x() * threads_x() + tid_x();
    u32 sum[CLASSES];
#pragma unroll
    for (u32 c = 0; c < CLASSES; c++) sum[c] = 0;
#pragma unroll 1
    for (; trees > 0; trees--) {
        u32 node = 1;
#pragma unroll
        for (u32 level = 0; level < LEVELS; level++) {
            u32 word = nodes[node];
            u32 value = sample[(word >> 29) * pitch];
            node = 2 * node + (value > (word & 0x1fffffff));
        }
        nodes += LEAVES;
        const u32 *leaf = votes + (node - LEAVES);
#pragma unroll
        for (u32 c = 0; c < CLASSES; c += 2) {
            u32 two = *leaf;
            leaf += LEAVES;
            sum[c] += two & 0xffff;
            sum[c + 1] += two >> 16;
        }
        votes += CLASSES / 2 * LEAVES;
    }
    u32 most = sum[0], winner = 0;
#pragma unroll
    for (u32 c = 1; c < CLASSES; c++) {
        if (sum[c] > most) {
            most = sum[c];
            winner = c;
        }
    }
    best[cta_x_again() * threads_x() + tid_x_again()] = winner;
}
