// Temperature of a chip: several explicit time steps of a 2-D heat equation per launch.
//
// A CTA of 32 x 8 threads loads a 32 x 32 tile into scratchpad, four rows per thread, and takes `steps` steps (1 to 8)
// with barriers between. Every step spoils one more ring of cells; the inner ones are written. Cells beyond the border
// of the chip mirror the border. Each CTA advances by 32 - 2 * steps cells. A step loads all that it needs before it
// computes, so that much is alive in it and little at the barriers.
// PTX: `../build hotspot` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o hotspot/kernel.ptx hotspot/kernel.cu
#include "common.h"

#define TILE 32
#define ROWS 4

KERNEL hotspot(const float *__restrict temperature, const float *__restrict power, float *__restrict result,
               s32 width, s32 height, s32 steps, float across, float down, float up, float ambient, float cap) {
    SHARED float tile[TILE][TILE + 1], heat[TILE][TILE];
    s32 inner = TILE - 2 * steps;
    s32 tx = tid_x(), first = tid_y() * ROWS;
    s32 x = (s32)cta_x() * inner - steps + tx;
    s32 y = (s32)cta_y() * inner - steps + first;
    float here[ROWS];
#pragma unroll
    for (s32 i = 0; i < ROWS; i++) {
        s32 from = clamp(y + i, 0, height - 1) * width + clamp(x, 0, width - 1);
        here[i] = temperature[from];
        heat[first + i][tx] = power[from];
        tile[first + i][tx] = here[i];
    }
    // Neighbours inside the tile and inside the chip; elsewhere the cell itself.
    s32 west = x <= 0 || tx == 0 ? tx : tx - 1;
    s32 east = x >= width - 1 || tx == TILE - 1 ? tx : tx + 1;
    s32 top = -y, bottom = height - 1 - y;
#pragma unroll 1
    for (s32 step = steps; step > 0; step--) {
        barrier();
        float sides[ROWS], input[ROWS];
#pragma unroll
        for (s32 i = 0; i < ROWS; i++) {
            sides[i] = tile[first + i][west] + tile[first + i][east];
            input[i] = heat[first + i][tx];
        }
        float above = first == 0 ? here[0] : tile[first - 1][tx];
        float below = first == TILE - ROWS ? here[ROWS - 1] : tile[first + ROWS][tx];
        float next[ROWS];
#pragma unroll
        for (s32 i = 0; i < ROWS; i++) {
            float north = i <= top ? here[i] : i == 0 ? above : here[i - 1];
            float south = i >= bottom ? here[i] : i == ROWS - 1 ? below : here[i + 1];
            float flow = input[i] + (north + south - 2.0f * here[i]) * down + (sides[i] - 2.0f * here[i]) * across +
                         (ambient - here[i]) * up;
            next[i] = here[i] + cap * flow;
        }
        barrier();
        // Cells beyond the border are never read by cells inside.
#pragma unroll
        for (s32 i = 0; i < ROWS; i++) {
            here[i] = next[i];
            tile[first + i][tx] = next[i];
        }
    }
    tx = tid_x_again();
    first = tid_y_again() * ROWS;
    inner = TILE - 2 * steps;
    x = (s32)cta_x_again() * inner - steps + tx;
    y = (s32)cta_y_again() * inner - steps + first;
    if (tx >= steps && tx < TILE - steps && x < width)
#pragma unroll
        for (s32 i = 0; i < ROWS; i++)
            if (first + i >= steps && first + i < TILE - steps && y + i < height) result[(y + i) * width + x] = here[i];
}
