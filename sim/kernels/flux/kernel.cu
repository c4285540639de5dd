// Second-order flux of a gas through the four faces of the cells of an unstructured grid.
//
// `links` has of each cell and face a word: how far ahead in the arrays the neighbour is, counted from GHOSTS cells back (above
// bit 4), and the shape of the face (below): its normal times its area and the way from centre to centre are in
// `shapes`, six numbers of each shape, number by number. The grid is numbered so that neighbours are near; GHOSTS cells are in
// front and behind. First the gradients of density, velocity and pressure are summed over the neighbours; then the
// state that they give at each face and that of the neighbour give the flux of Rusanov: half of both fluxes, less half of
// the difference times the fastest wave. So the 15 numbers of the gradients, the cell's state and the sums wait in
// registers while the neighbours are loaded.
// PTX: `../build flux` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o flux/kernel.ptx flux/kernel.cu
#include "common.h"

#define FACES 4
#define PARTS 5 // density, velocity in x, y, z, pressure
#define SHAPES 16
#define GHOSTS 16
#define GAMMA 1.4f

DEVICE float larger(float a, float b) { return a > b ? a : b; }
DEVICE float size_of(float a) { return a < 0 ? -a : a; }

// Adds half the flux of a state through a face to `flux`; gives what is conserved and the speed of the fastest wave there.
DEVICE float half_flux(const float *state, const float *normal, float *flux, float *conserved) {
    float through = 0.0f, squares = 0.0f;
#pragma unroll
    for (u32 axis = 0; axis < 3; axis++) {
        through += state[1 + axis] * normal[axis];
        squares += state[1 + axis] * state[1 + axis];
        conserved[1 + axis] = state[0] * state[1 + axis];
    }
    conserved[0] = state[0];
    conserved[4] = state[4] * (1.0f / (GAMMA - 1.0f)) + 0.5f * state[0] * squares;
    float half = 0.5f * through;
    flux[0] += half * state[0];
#pragma unroll
    for (u32 axis = 0; axis < 3; axis++)
        flux[1 + axis] += half * conserved[1 + axis] + 0.5f * state[4] * normal[axis];
    flux[4] += half * (conserved[4] + state[4]);
    return size_of(through) + sqrt_rounded(GAMMA * state[4] / state[0]);
}

KERNEL flux(const u32 *__restrict links, const float *__restrict shapes, const float *__restrict states,
            float *__restrict changes, u32 cells) {
    u32 pitch = cells + 2 * GHOSTS;
    u32 cell = cta_x() * threads_x() + tid_x();
    float own[PARTS], slope[3][PARTS], sum[PARTS];
#pragma unroll
    for (u32 part = 0; part < PARTS; part++) {
        own[part] = states[part * pitch + cell + GHOSTS];
        sum[part] = 0.0f;
#pragma unroll
        for (u32 axis = 0; axis < 3; axis++) slope[axis][part] = 0.0f;
    }
    const u32 *link = links + cell;
#pragma unroll 1
    for (u32 face = 0; face < FACES; face++) {
        u32 word = *link;
        link += cells;
        const float *way = shapes + 3 * SHAPES + (word & 15);
        const float *of = states + cell + (word >> 4);
        float x = way[0], y = way[SHAPES], z = way[2 * SHAPES];
#pragma unroll
        for (u32 part = 0; part < PARTS; part++) {
            float more = *of - own[part];
            of += pitch;
            slope[0][part] += more * x;
            slope[1][part] += more * y;
            slope[2][part] += more * z;
        }
    }
    link = links + cell;
#pragma unroll 1
    for (u32 face = 0; face < FACES; face++) {
        u32 word = *link;
        link += cells;
        const float *shape = shapes + (word & 15);
        const float *of = states + cell + (word >> 4);
        float normal[3], here[PARTS], there[PARTS];
#pragma unroll
        for (u32 axis = 0; axis < 3; axis++) normal[axis] = shape[SHAPES * axis];
        float x = 0.5f * shape[3 * SHAPES], y = 0.5f * shape[4 * SHAPES], z = 0.5f * shape[5 * SHAPES];
#pragma unroll
        for (u32 part = 0; part < PARTS; part++) {
            there[part] = *of;
            of += pitch;
            here[part] = own[part] + (slope[0][part] * x + slope[1][part] * y + slope[2][part] * z);
        }
        float kept_here[PARTS], kept_there[PARTS];
        float fast = half_flux(here, normal, sum, kept_here);
        fast = 0.5f * larger(fast, half_flux(there, normal, sum, kept_there));
#pragma unroll
        for (u32 part = 0; part < PARTS; part++) sum[part] -= fast * (kept_there[part] - kept_here[part]);
    }
    float *to = changes + cell;
#pragma unroll
    for (u32 part = 0; part < PARTS; part++) {
        *to = -sum[part];
        to += cells;
    }
}
