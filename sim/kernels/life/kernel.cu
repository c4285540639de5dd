// The game of life on a torus of 64 x 64 cells, several generations per CTA, in scratchpad. A function finds what four
// cells of a row become; calls are one deep, and the place and the boards live over them.
// PTX: `../build life` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o life/kernel.ptx life/kernel.cu
#include "common.h"

#define SIDE 64
#define CELLS (SIDE * SIDE)
#define THREADS 256

// What becomes of four cells of a row from column x on, a byte each.
CALLED u32 four(const u8 *board, u32 x, u32 y) {
    const u8 *above = board + (y + SIDE - 1) % SIDE * SIDE;
    const u8 *own = board + y * SIDE;
    const u8 *below = board + (y + 1) % SIDE * SIDE;
    u32 sum[6], alive[6];
#pragma unroll
    for (u32 i = 0; i < 6; i++) {
        u32 column = (x + SIDE - 1 + i) % SIDE;
        alive[i] = own[column];
        sum[i] = above[column] + alive[i] + below[column];
    }
    u32 next = 0;
#pragma unroll
    for (u32 i = 1; i <= 4; i++) {
        u32 count = sum[i - 1] + sum[i] + sum[i + 1];
        next |= (u32)(count == 3 || (count == 4 && alive[i])) << 8 * (i - 1);
    }
    return next;
}

KERNEL life(const u32 *__restrict start, u32 *__restrict end, u32 generations) {
    SHARED static u32 boards[2][CELLS / 4];
    u32 *now = boards[0], *next = boards[1];
    for (u32 at = tid_x(); at < CELLS / 4; at += THREADS) now[at] = start[cta_x() * (CELLS / 4) + at];
    barrier();
#pragma unroll 1
    for (; generations > 0; generations--) {
#pragma unroll 1
        for (u32 at = tid_x(); at < CELLS / 4; at += THREADS) {
            next[at] = four((const u8 *)now, at % (SIDE / 4) * 4, at / (SIDE / 4));
        }
        barrier();
        u32 *other = now;
        now = next;
        next = other;
    }
    for (u32 at = tid_x(); at < CELLS / 4; at += THREADS) end[cta_x() * (CELLS / 4) + at] = now[at];
}
