// Separable convolution with radius 3: rows first, then columns, both in scratchpad.
//
// A CTA of 16 x 16 threads walks along a strip of `tiles` tiles of 16 x 16 pixels. Pixels beyond the image repeat the
// border. The image has whole tiles.
// PTX: `../build convsep` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o convsep/kernel.ptx convsep/kernel.cu
#include "common.h"

#define TILE 16
#define RADIUS 3
#define WIDE (TILE + 2 * RADIUS)

KERNEL convsep(const float *__restrict in, const float *__restrict taps, float *__restrict out, s32 width, s32 height,
               u32 tiles) {
    SHARED float pixels[WIDE][WIDE];
    SHARED float rows[WIDE][TILE];
    u32 tx = tid_x(), ty = tid_y();
    s32 top = (s32)(cta_y() * TILE) - RADIUS;
#pragma unroll 1
    for (u32 tile = 0; tile < tiles; tile++) {
        s32 left = (s32)((cta_x() * tiles + tile) * TILE) - RADIUS;
#pragma unroll 1
        for (u32 y = ty; y < WIDE; y += TILE) {
            const float *from = in + clamp(top + (s32)y, 0, height - 1) * width;
#pragma unroll 1
            for (u32 x = tx; x < WIDE; x += TILE) pixels[y][x] = from[clamp(left + (s32)x, 0, width - 1)];
        }
        barrier();
#pragma unroll 1
        for (u32 y = ty; y < WIDE; y += TILE) {
            float sum = 0.0f;
#pragma unroll
            for (u32 k = 0; k <= 2 * RADIUS; k++) sum += taps[k] * pixels[y][tx + k];
            rows[y][tx] = sum;
        }
        barrier();
        float sum = 0.0f;
#pragma unroll
        for (u32 k = 0; k <= 2 * RADIUS; k++) sum += taps[k] * rows[ty + k][tx];
        out[(top + RADIUS + (s32)ty) * width + left + RADIUS + (s32)tx] = sum;
        // The next turn writes `pixels`, which nobody reads any more, and `rows` only behind its first barrier.
    }
}
