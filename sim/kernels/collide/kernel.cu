// Balls that touch push each other: every ball against those of its cell of the grid, in whole numbers (1/256 of a
// unit). Calls three deep: a ball meets another, the overlap of the two, the root of their distance.
// PTX: `../build collide` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o collide/kernel.ptx collide/kernel.cu
#include "common.h"

#define BALLS 128

struct Ball {
    s32 x, y, width, mass;
};

// The whole part of the root, bit by bit.
CALLED u32 root(u32 square) {
    u32 found = 0;
    for (u32 bit = 1u << 15; bit > 0; bit >>= 1) {
        u32 next = found + bit;
        if (next * next <= square) found = next;
    }
    return found;
}

// How far two balls overlap; 0 or less: they do not touch.
CALLED s32 overlap(const Ball *a, const Ball *b) {
    s32 dx = a->x - b->x, dy = a->y - b->y;
    s32 reach = (a->width + b->width) / 2;
    u32 square = dx * dx + dy * dy;
    if (square >= (u32)(reach * reach)) return 0;
    return reach - (s32)root(square);
}

// What `other` does to `ball`: its share of the overlap, by mass.
CALLED s32 pushed(const Ball *ball, const Ball *other) {
    s32 depth = overlap(ball, other);
    if (depth <= 0) return 0;
    return depth * other->mass;
}

KERNEL collide(const Ball *__restrict balls, s32 *__restrict push, u32 *__restrict touched, u32 others) {
    u32 number = cta_x() * BALLS + tid_x();
    const Ball *cell = balls + cta_x() * BALLS;
    const Ball *ball = balls + number;
    s32 sum = 0;
    u32 count = 0;
#pragma unroll 1
    for (u32 i = 1; i <= others; i++) {
        s32 force = pushed(ball, cell + (tid_x() + i) % BALLS);
        sum += force;
        count += force > 0;
    }
    push[number] = sum;
    touched[number] = count;
}
