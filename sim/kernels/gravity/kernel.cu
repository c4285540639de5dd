// Gravity on every body from the bodies of its tile, in functions: a body's pull, and in it the cube of the inverse
// distance. Calls two deep; the sums and the body live over them.
// PTX: `../build gravity` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o gravity/kernel.ptx gravity/kernel.cu
#include "common.h"

#define BODIES 128

struct Body {
    float x, y, z, mass;
};
struct Sum {
    float x, y, z;
};

// A body weighs `mass / distance^3`; the softening keeps it finite.
CALLED float weight(float squared, float mass) {
    float inverse = rsqrt_approx(squared + 0.01f);
    return mass * inverse * inverse * inverse;
}

// Adds the pull of `other` on a body at (x, y, z).
CALLED Sum pulled(const Body *other, float x, float y, float z) {
    float dx = other->x - x, dy = other->y - y, dz = other->z - z;
    float w = weight(dx * dx + dy * dy + dz * dz, other->mass);
    return {dx * w, dy * w, dz * w};
}

KERNEL gravity(const Body *__restrict bodies, float *__restrict acceleration, u32 others) {
    u32 body = cta_x() * BODIES + tid_x();
    const Body *tile = bodies + cta_x() * BODIES;
    float x = bodies[body].x, y = bodies[body].y, z = bodies[body].z;
    Sum sum = {0, 0, 0};
#pragma unroll 1
    for (u32 other = 0; other < others; other++) {
        Sum pull = pulled(tile + other, x, y, z);
        sum.x += pull.x;
        sum.y += pull.y;
        sum.z += pull.z;
    }
    acceleration[3 * body] = sum.x;
    acceleration[3 * body + 1] = sum.y;
    acceleration[3 * body + 2] = sum.z;
}
