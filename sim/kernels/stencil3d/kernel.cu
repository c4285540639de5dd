// One sweep of a 19-point stencil (radius 3 along each axis) over a padded volume.
//
// Each thread walks along z and keeps the seven values of its column in registers; the twelve neighbours in the plane
// are loaded anew in each step, together. The volume is PITCH x rows x planes, with 3 cells of padding on every side.
// PTX: `../build stencil3d` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o stencil3d/kernel.ptx stencil3d/kernel.cu
#include "common.h"

#define PITCH 72
#define RADIUS 3

KERNEL stencil3d(const float *__restrict in, float *__restrict out, u32 rows, u32 planes, float c0, float c1, float c2,
                 float c3) {
    u32 x = cta_x() * 32 + tid_x() + RADIUS;
    u32 y = cta_y() * 8 + tid_y() + RADIUS;
    u32 plane = rows * PITCH;
    u32 at = y * PITCH + x;
    float column[2 * RADIUS + 1];
#pragma unroll
    for (u32 i = 0; i < 2 * RADIUS; i++) column[i + 1] = in[at + i * plane];
    const float *ahead = in + at + 2 * RADIUS * plane;
    const float *here = in + at + RADIUS * plane;
    float *to = out + at + RADIUS * plane;
    for (u32 z = RADIUS; z < planes - RADIUS; z++) {
#pragma unroll
        for (u32 i = 0; i < 2 * RADIUS; i++) column[i] = column[i + 1];
        column[2 * RADIUS] = *ahead;
        float side[4 * RADIUS];
#pragma unroll
        for (s32 i = 1; i <= RADIUS; i++) {
            side[4 * i - 4] = here[-i];
            side[4 * i - 3] = here[i];
            side[4 * i - 2] = here[-i * PITCH];
            side[4 * i - 1] = here[i * PITCH];
        }
        float sum = c0 * column[RADIUS];
        sum += c1 * (column[2] + column[4] + ((side[0] + side[1]) + (side[2] + side[3])));
        sum += c2 * (column[1] + column[5] + ((side[4] + side[5]) + (side[6] + side[7])));
        sum += c3 * (column[0] + column[6] + ((side[8] + side[9]) + (side[10] + side[11])));
        *to = sum;
        ahead += plane;
        here += plane;
        to += plane;
    }
}
