// A matrix product in layers, as libraries of templates have them: a tile of 2 x 2 values per thread, its main loop, one
// step of it, a fragment of each factor, and a load that looks whether it is inside. Calls five deep; four sums and the
// places in both factors live over them.
// PTX: `../build gemm` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o gemm/kernel.ptx gemm/kernel.cu
#include "common.h"

#define SIDE 64

struct Sums {
    float v[4];
};
struct Pair {
    float a, b;
};

// A value of a factor; 0 outside.
CALLED float load(const float *matrix, u32 row, u32 column) {
    return row < SIDE && column < SIDE ? matrix[row * SIDE + column] : 0.0f;
}

// Two values of a factor, a step of rows or of columns apart.
CALLED Pair fragment(const float *matrix, u32 row, u32 column, u32 down) {
    float first = load(matrix, row, column);
    float second = load(matrix, row + down, column + 1 - down);
    return {first, second};
}

// One step: the outer product of two fragments.
CALLED Sums multiplied(const float *a, const float *b, u32 place, u32 k) {
    u32 row = place >> 16, column = place & 0xffff;
    Pair left = fragment(a, row, k, 1);
    Pair right = fragment(b, k, column, 0);
    return {{left.a * right.a, left.a * right.b, left.b * right.a, left.b * right.b}};
}

// All steps of a tile.
CALLED Sums main_loop(const float *a, const float *b, u32 place, u32 inner) {
    Sums sums = {{0, 0, 0, 0}};
#pragma unroll 1
    for (u32 k = 0; k < inner; k++) {
        Sums product = multiplied(a, b, place, k);
#pragma unroll
        for (u32 i = 0; i < 4; i++) sums.v[i] += product.v[i];
    }
    return sums;
}

// The tile of a thread.
CALLED void tile(const float *a, const float *b, float *c, u32 thread, u32 inner) {
    u32 row = thread / (SIDE / 2) * 2, column = thread % (SIDE / 2) * 2;
    Sums sums = main_loop(a, b, row << 16 | column, inner);
    float *out = c + row * SIDE + column;
    out[0] = sums.v[0];
    out[1] = sums.v[1];
    out[SIDE] = sums.v[2];
    out[SIDE + 1] = sums.v[3];
}

KERNEL gemm(const float *__restrict a, const float *__restrict b, float *__restrict c, u32 inner) {
    tile(a, b, c, cta_x() * threads_x() + tid_x(), inner);
}
