// Sum of squares (modulo 2^32) and largest value of a slice of an array per CTA of 256 threads.
//
// Strided loads, a tree in scratchpad down to one warp, then shuffles.
// PTX: `../build reduction` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o reduction/kernel.ptx reduction/kernel.cu
#include "common.h"

#define THREADS 256

KERNEL reduction(const u32 *__restrict in, u32 *__restrict sums, u32 *__restrict largest, u32 per_cta) {
    SHARED u32 sum_tile[THREADS], max_tile[THREADS];
    u32 tid = tid_x();
    const u32 *from = in + cta_x() * per_cta;
    u32 sum = 0, most = 0;
    for (u32 i = tid; i < per_cta; i += THREADS) {
        u32 value = from[i];
        sum += value * value;
        most = max_u32(most, value);
    }
    sum_tile[tid] = sum;
    max_tile[tid] = most;
    for (u32 half = THREADS / 2; half >= 32; half /= 2) {
        barrier();
        if (tid < half) {
            sum_tile[tid] += sum_tile[tid + half];
            max_tile[tid] = max_u32(max_tile[tid], max_tile[tid + half]);
        }
    }
    if (tid < 32) {
        sum = sum_tile[tid];
        most = max_tile[tid];
#pragma unroll
        for (u32 by = 16; by > 0; by /= 2) {
            sum += shuffle_down(sum, by);
            most = max_u32(most, shuffle_down(most, by));
        }
        if (tid == 0) {
            sums[cta_x()] = sum;
            largest[cta_x()] = most;
        }
    }
}
