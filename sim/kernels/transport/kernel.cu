// Neutrons that scatter through a medium: each looks up the cross sections of its energy and scores moments of what happens.
//
// A thread follows one neutron for `steps` collisions. The neutrons are sorted, the 32 of a warp have the same energy and
// directions of their own. `energy` is a sorted grid; a binary search in it is a chain of loads that wait for each other.
// Between the two points that it finds, the cross sections of seven reactions (`sections`, seven numbers per point) are
// interpolated. What is scored are the moments 0 to 7 of the cosine of the direction, weighted with each reaction's cross
// section: 56 sums that stay in registers and are touched once per collision. Then random numbers (xorshift, and a linear
// congruence for the direction) choose the next energy and direction. At the end the series are evaluated at the cosine
// `detector`.
// PTX: `../build transport` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o transport/kernel.ptx transport/kernel.cu
#include "common.h"

// Points of the grid, a power of two.
#define POINTS 1024
#define REACTIONS 7
#define MOMENTS 8

KERNEL transport(const u32 *__restrict energy, const float *__restrict sections, const u32 *__restrict seeds,
                 float *__restrict scores, u32 steps, float detector) {
    u32 neutron = cta_x() * threads_x() + tid_x();
    u32 random = seeds[neutron / 32], direction = random ^ neutron;
    float sum[REACTIONS * MOMENTS];
#pragma unroll
    for (u32 i = 0; i < REACTIONS * MOMENTS; i++) sum[i] = 0.0f;
#pragma unroll 1
    for (; steps > 0; steps--) {
        u32 own = random >> 4;
        // The last point that is not above `own`; point 0 is energy 0.
        u32 low = 0;
#pragma unroll
        for (u32 half = POINTS / 2; half > 0; half /= 2) {
            u32 middle = low + half;
            if (energy[middle] <= own) low = middle;
        }
        float within = (float)(own - energy[low]) * (1.0f / (1 << 18));
        // 2^-31 of a number with sign: from -1 to 1.
        float cosine = (float)(s32)direction * (1.0f / 2147483648.0f);
        const float *at = sections + REACTIONS * low;
#pragma unroll
        for (u32 r = 0; r < REACTIONS; r++) {
            float term = at[r] + (at[r + REACTIONS] - at[r]) * within;
#pragma unroll
            for (u32 m = 0; m < MOMENTS; m++) {
                sum[r * MOMENTS + m] += term;
                term *= cosine;
            }
        }
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        direction = 1664525 * direction + 1013904223;
    }
    u32 threads = ctas_x() * threads_x();
    float *to = scores + cta_x_again() * threads_x() + tid_x_again();
#pragma unroll
    for (u32 r = 0; r < REACTIONS; r++) {
        float score = 0.0f;
#pragma unroll
        for (u32 m = MOMENTS; m > 0; m--) score = score * detector + sum[r * MOMENTS + m - 1];
        *to = score;
        to += threads;
    }
}
