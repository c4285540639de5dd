// Cosine transform of 8 x 8 blocks and quantisation, as in JPEG.
//
// A CTA of 192 threads takes 24 blocks at a time, eight threads to a block. Each thread transforms one row, then one
// column, all eight values and the butterfly's intermediates in registers. Little is alive at the barriers.
// PTX: `../build dct8x8` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o dct8x8/kernel.ptx dct8x8/kernel.cu
#include "common.h"

#define BLOCKS 24
#define PITCH 9

// Rows of the orthonormal DCT-II: even part and odd part of the butterfly.
DEVICE void transform(float *v) {
    const float c1 = 0.49039264f, c2 = 0.46193977f, c3 = 0.41573481f, c4 = 0.35355339f, c5 = 0.27778512f,
                c6 = 0.19134172f, c7 = 0.09754516f;
    float s0 = v[0] + v[7], s1 = v[1] + v[6], s2 = v[2] + v[5], s3 = v[3] + v[4];
    float d0 = v[0] - v[7], d1 = v[1] - v[6], d2 = v[2] - v[5], d3 = v[3] - v[4];
    float e0 = s0 + s3, e1 = s1 + s2, f0 = s0 - s3, f1 = s1 - s2;
    v[0] = (e0 + e1) * c4;
    v[4] = (e0 - e1) * c4;
    v[2] = f0 * c2 + f1 * c6;
    v[6] = f0 * c6 - f1 * c2;
    v[1] = d0 * c1 + d1 * c3 + d2 * c5 + d3 * c7;
    v[3] = d0 * c3 - d1 * c7 - d2 * c1 - d3 * c5;
    v[5] = d0 * c5 - d1 * c1 + d2 * c7 + d3 * c3;
    v[7] = d0 * c7 - d1 * c5 + d2 * c3 - d3 * c1;
}

KERNEL dct8x8(const float *__restrict in, const float *__restrict inverse_quantum, s32 *__restrict out, u32 rounds) {
    SHARED float tile[BLOCKS][8][PITCH];
    u32 block = tid_x() / 8, lane = tid_x() % 8;
#pragma unroll 1
    for (u32 round = 0; round < rounds; round++) {
        u32 base = ((cta_x() * rounds + round) * BLOCKS + block) * 64;
        float v[8];
#pragma unroll
        for (u32 i = 0; i < 8; i++) v[i] = in[base + lane * 8 + i];
        transform(v);
#pragma unroll
        for (u32 i = 0; i < 8; i++) tile[block][lane][i] = v[i];
        barrier();
#pragma unroll
        for (u32 i = 0; i < 8; i++) v[i] = tile[block][i][lane];
        barrier();
        transform(v);
        float q[8];
#pragma unroll
        for (u32 i = 0; i < 8; i++) q[i] = inverse_quantum[i * 8 + lane];
#pragma unroll
        for (u32 i = 0; i < 8; i++) out[base + i * 8 + lane] = round_to_int(v[i] * q[i]);
    }
}
