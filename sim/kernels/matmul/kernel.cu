// C = A * B for row-major matrices: 64 x 64 tile of C per CTA of 256 threads, 4 x 4 values per thread.
//
// The operands go through scratchpad in steps of 16 along the inner dimension. The accumulators live across the
// barriers; operands of the inner product and their addresses do not. Sizes are multiples of the tile.
// PTX: `../build matmul` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o matmul/kernel.ptx matmul/kernel.cu
#include "common.h"

#define TILE 64
#define STEP 16
#define PITCH (TILE + 4) // keeps rows 16-byte aligned and spreads transposed stores over the banks

KERNEL matmul(const float *__restrict a, const float *__restrict b, float *__restrict c, u32 columns, u32 inner) {
    SHARED __attribute__((aligned(16))) float a_tile[STEP][PITCH];
    SHARED __attribute__((aligned(16))) float b_tile[STEP][PITCH];
    u32 tid = tid_x();
    u32 column = tid % 16 * 4, row = tid / 16 * 4;
    const float *a_from = a + (cta_y() * TILE + tid / 4) * inner + tid % 4 * 4;
    const float *b_from = b + (tid / 16) * columns + cta_x() * TILE + column;
    float sum[4][4] = {};
#pragma unroll 1
    for (u32 left = inner / STEP; left != 0; left--) {
#pragma unroll
        for (u32 i = 0; i < 4; i++) {
            a_tile[tid % 4 * 4 + i][tid / 4] = a_from[i];
            b_tile[tid / 16][column + i] = b_from[i];
        }
        barrier();
#pragma unroll 2
        for (u32 k = 0; k < STEP; k++) {
            float of_a[4], of_b[4];
#pragma unroll
            for (u32 i = 0; i < 4; i++) {
                of_a[i] = a_tile[k][row + i];
                of_b[i] = b_tile[k][column + i];
            }
#pragma unroll
            for (u32 i = 0; i < 4; i++)
#pragma unroll
                for (u32 j = 0; j < 4; j++) sum[i][j] += of_a[i] * of_b[j];
        }
        barrier();
        a_from += STEP;
        b_from += STEP * columns;
    }
    tid = tid_x_again();
    float *to = c + (cta_y_again() * TILE + tid / 16 * 4) * columns + cta_x_again() * TILE + tid % 16 * 4;
#pragma unroll
    for (u32 i = 0; i < 4; i++)
#pragma unroll
        for (u32 j = 0; j < 4; j++) to[i * columns + j] = sum[i][j];
}
