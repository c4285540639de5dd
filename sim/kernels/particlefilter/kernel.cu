// Tracking with particles, one independent filter of 256 particles per CTA, all in whole numbers.
//
// In each step a particle moves by a random amount, is weighted by how many of eight sensors it explains (much in
// flight, no barrier), the weights are summed up in scratchpad (barriers in a loop), and each particle is replaced by
// the one that a systematic draw finds by binary search.
// PTX: `../build particlefilter` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o particlefilter/kernel.ptx particlefilter/kernel.cu
#include "common.h"

#define PARTICLES 256
#define SENSORS 8

KERNEL particlefilter(const u32 *__restrict start, const u32 *__restrict seeds, const u32 *__restrict readings,
                      u32 *__restrict positions, u32 *__restrict totals, u32 steps) {
    SHARED u32 scan[PARTICLES], place[PARTICLES];
    u32 tid = tid_x(), me = cta_x() * PARTICLES + tid;
    u32 position = start[me], random = seeds[me], total = 0;
#pragma unroll 1
    for (u32 step = 0; step < steps; step++) {
        random = random * 1664525u + 1013904223u;
        position = position + (random >> 24) & 0xffffu;
        const u32 *reading = readings + step * SENSORS;
        u32 seen[SENSORS], error[SENSORS];
#pragma unroll
        for (u32 i = 0; i < SENSORS; i++) seen[i] = reading[i];
#pragma unroll
        for (u32 i = 0; i < SENSORS; i++) {
            u32 off = position * (2 * i + 1) - seen[i] & 0xffffu;
            error[i] = min_u32(off, 0x10000u - off);
        }
        u32 weight = 1;
#pragma unroll
        for (u32 i = 0; i < SENSORS; i++) weight += (0x8000u - error[i]) * (0x8000u - error[i]) >> 20;
        // Inclusive sums of the weights.
        barrier();
        scan[tid] = weight;
        place[tid] = position;
        barrier();
#pragma unroll 1
        for (u32 by = 1; by < PARTICLES; by *= 2) {
            u32 left = tid >= by ? scan[tid - by] : 0;
            barrier();
            scan[tid] += left;
            barrier();
        }
        total = scan[PARTICLES - 1];
        // The first particle whose sum exceeds the draw.
        u32 draw = (u32)((u64)total * tid / PARTICLES);
        u32 low = 0, high = PARTICLES - 1;
        while (low < high) {
            u32 middle = (low + high) / 2;
            if (scan[middle] > draw) high = middle;
            else low = middle + 1;
        }
        position = place[low];
    }
    positions[me] = position;
    if (tid == 0) totals[cta_x()] = total;
}
