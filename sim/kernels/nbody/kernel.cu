// Gravity in boxes, as in lavaMD: the bodies of a box feel those of their own and of the next box (the last one's next
// is the first).
//
// One CTA per box of 192 bodies. A box at a time goes through scratchpad; the inner loop takes four bodies at once.
// A body is x, y, z and mass.
// PTX: `../build nbody` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o nbody/kernel.ptx nbody/kernel.cu
#include "common.h"

#define BODIES 192
#define BATCH 4
#define SOFTENING 0.01f

KERNEL nbody(const float *__restrict bodies, float *__restrict acceleration) {
    SHARED float tile[BODIES][4];
    u32 tid = tid_x(), me = cta_x_again() * BODIES + tid;
    float x = bodies[4 * me], y = bodies[4 * me + 1], z = bodies[4 * me + 2];
    float sum_x = 0.0f, sum_y = 0.0f, sum_z = 0.0f;
    u32 box = cta_x();
#pragma unroll 1
    for (u32 turn = 0; turn < 2; turn++) {
        const float *from = bodies + 4 * (box * BODIES + tid);
#pragma unroll
        for (u32 i = 0; i < 4; i++) tile[tid][i] = from[i];
        barrier();
#pragma unroll 1
        for (u32 j = 0; j < BODIES; j += BATCH) {
            float dx[BATCH], dy[BATCH], dz[BATCH], pull[BATCH];
#pragma unroll
            for (u32 i = 0; i < BATCH; i++) {
                dx[i] = tile[j + i][0] - x;
                dy[i] = tile[j + i][1] - y;
                dz[i] = tile[j + i][2] - z;
            }
#pragma unroll
            for (u32 i = 0; i < BATCH; i++) {
                float inverse = rsqrt_approx(dx[i] * dx[i] + dy[i] * dy[i] + dz[i] * dz[i] + SOFTENING);
                pull[i] = tile[j + i][3] * inverse * inverse * inverse;
            }
#pragma unroll
            for (u32 i = 0; i < BATCH; i++) {
                sum_x += dx[i] * pull[i];
                sum_y += dy[i] * pull[i];
                sum_z += dz[i] * pull[i];
            }
        }
        barrier();
        box = box + 1 == ctas_x() ? 0 : box + 1;
    }
    me = cta_x_again() * BODIES + tid_x_again();
    acceleration[3 * me] = sum_x;
    acceleration[3 * me + 1] = sum_y;
    acceleration[3 * me + 2] = sum_z;
}
