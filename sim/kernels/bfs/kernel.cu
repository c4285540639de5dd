// One level of a breadth-first search, top-down, one thread per node of the frontier.
//
// The graph is in CSR form. A node is in the frontier where `mask` is 0. Its neighbours get the least cost offered,
// where that is less than theirs (atomic minimum, so order does not matter); where `next_cost` changed is the next
// frontier. Neighbours are taken eight at once, all loads before the first use.
// PTX: `../build bfs` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o bfs/kernel.ptx bfs/kernel.cu
#include "common.h"

#define BATCH 8

KERNEL bfs(const u32 *__restrict first_edge, const u32 *__restrict target, const u32 *__restrict mask,
           const u32 *__restrict cost, u32 *__restrict next_cost, u32 nodes) {
    u32 node = cta_x() * threads_x() + tid_x();
    if (node >= nodes || mask[node] != 0) return;
    u32 edge = first_edge[node], end = first_edge[node + 1];
    u32 offer = cost[node] + 1;
    for (; edge + BATCH <= end; edge += BATCH) {
        u32 to[BATCH], old[BATCH];
#pragma unroll
        for (u32 i = 0; i < BATCH; i++) to[i] = target[edge + i];
#pragma unroll
        for (u32 i = 0; i < BATCH; i++) old[i] = cost[to[i]];
#pragma unroll
        for (u32 i = 0; i < BATCH; i++)
            if (offer < old[i]) atomic_min(next_cost + to[i], offer);
    }
#pragma unroll 1
    for (; edge < end; edge++) {
        u32 to = target[edge];
        if (offer < cost[to]) atomic_min(next_cost + to, offer);
    }
}
