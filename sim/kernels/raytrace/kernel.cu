// An eye, a lamp and eight things: spheres, discs and boxes, each kind with a function of its own that says where a ray
// meets it. Where the eye's ray meets a thing, a second ray looks whether the lamp shines there. Rays lie in scratchpad.
// Calls four deep: the light on a pixel, the nearest thing, a thing, and through a table the function of its kind. The pixel,
// the nearest so far and what was found live over them.
// PTX: `../build raytrace` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o raytrace/kernel.ptx raytrace/kernel.cu
#include "common.h"

#define THINGS 8
#define THREADS 128
#define FAR 1000.0f
#define NEAR 0.01f

// A ray per thread: where from, and where to, of length 1.
SHARED static float rays[6][THREADS];

#define FROM(axis) rays[axis][tid_x()]
#define TO(axis) rays[3 + axis][tid_x()]

struct Meeting {
    float t;
    u32 thing;
};

DEVICE float greater(float a, float b) { return a > b ? a : b; }
DEVICE float less(float a, float b) { return a < b ? a : b; }

// These three: how far along the thread's ray it meets the thing; FAR: nowhere.
CALLED float meet_sphere(const float *centre, float size) {
    float half = 0, rest = 0;
#pragma unroll
    for (u32 axis = 0; axis < 3; axis++) {
        float away = FROM(axis) - centre[axis];
        half += away * TO(axis);
        rest += away * away;
    }
    float inside = half * half - rest + size * size;
    if (inside < 0.0f) return FAR;
    float t = -half - sqrt_rounded(inside);
    return t > NEAR ? t : FAR;
}
CALLED float meet_disc(const float *centre, float size) {
    float t = (centre[1] - FROM(1)) / TO(1);
    float x = FROM(0) + t * TO(0) - centre[0];
    float z = FROM(2) + t * TO(2) - centre[2];
    return t > NEAR && x * x + z * z < size * size ? t : FAR;
}
CALLED float meet_box(const float *centre, float size) {
    float enter = -FAR, leave = FAR;
#pragma unroll
    for (u32 axis = 0; axis < 3; axis++) {
        float inverse = 1.0f / TO(axis);
        float away = centre[axis] - FROM(axis);
        float one = (away - size) * inverse, other = (away + size) * inverse;
        enter = greater(enter, less(one, other));
        leave = less(leave, greater(one, other));
    }
    return enter < leave && enter > NEAR ? enter : FAR;
}

// By the kind of a thing, as objects have their functions.
typedef float (*Meet)(const float *centre, float size);
__attribute__((device)) Meet meets[3] = {meet_sphere, meet_disc, meet_box};

CALLED float meet(const float *centre, float size, u32 kind) { return meets[kind](centre, size); }

CALLED Meeting nearest(const float *centres, const float *sizes, const u32 *kinds) {
    Meeting best = {FAR, THINGS};
#pragma unroll 1
    for (u32 i = 0; i < THINGS; i++) {
        float t = meet(centres + 3 * i, sizes[i], kinds[i]);
        if (t < best.t) best = {t, i};
    }
    return best;
}

// Makes the ray's direction (x, y, z), of length 1.
DEVICE void look(float x, float y, float z) {
    float length = sqrt_rounded(x * x + y * y + z * z);
    TO(0) = x / length;
    TO(1) = y / length;
    TO(2) = z / length;
}

// The light that a ray from the eye through (x, y) brings.
CALLED float light(const float *centres, const float *sizes, const u32 *kinds, float x, float y) {
    FROM(0) = 0;
    FROM(1) = 0;
    FROM(2) = -6;
    look(x, y, 2);
    Meeting seen = nearest(centres, sizes, kinds);
    if (seen.thing == THINGS) return 0.25f + 0.125f * y;
    float at[3];
#pragma unroll
    for (u32 axis = 0; axis < 3; axis++) at[axis] = FROM(axis) + seen.t * TO(axis);
#pragma unroll
    for (u32 axis = 0; axis < 3; axis++) FROM(axis) = at[axis];
    look(4 - at[0], 6 - at[1], -5 - at[2]);
    Meeting shade = nearest(centres, sizes, kinds);
    float own = 1.0f + 0.25f * kinds[seen.thing];
    return (shade.thing == THINGS ? own : 0.5f * own) / (1.0f + 0.125f * seen.t);
}

KERNEL raytrace(const float *__restrict centres, const float *__restrict sizes, const u32 *__restrict kinds,
                float *__restrict image, u32 width) {
    u32 pixel = cta_x() * THREADS + tid_x();
    u32 row = pixel / width, column = pixel % width;
    float x = ((float)column - 0.5f * (float)width + 0.5f) / 16.0f;
    float y = (7.5f - (float)row) / 8.0f;
    image[pixel] = light(centres, sizes, kinds, x, y);
}
