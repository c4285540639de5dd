// Motion search: for each 4 x 4 block of the current frame the displacement within -2..+1 in x and y whose pixels in
// the reference frame have the least sum of absolute differences. Ties go to the first in row order.
//
// One thread per block; its sixteen pixels stay in registers during the search. The reference has a border of 4 pixels
// on every side.
// PTX: `../build sad` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o sad/kernel.ptx sad/kernel.cu
#include "common.h"

KERNEL sad(const u8 *__restrict current, const u8 *__restrict reference, u32 *__restrict best_sad,
           u32 *__restrict best_position, u32 width) {
    u32 bx = cta_x() * 32 + tid_x(), by = cta_y() * 8 + tid_y();
    u32 pitch = width + 8;
    const u8 *from = current + by * 4 * width + bx * 4;
    s32 pixel[16];
#pragma unroll
    for (u32 i = 0; i < 16; i++) pixel[i] = from[i / 4 * width + i % 4];
    u32 best = 0xffffffffu, where = 0;
#pragma unroll 1
    for (u32 position = 0; position < 16; position++) {
        // The displacement 0 is 4 pixels into the border.
        const u8 *row = reference + (by * 4 + 2 + position / 4) * pitch + bx * 4 + 2 + position % 4;
        u32 sum = 0;
#pragma unroll
        for (u32 y = 0; y < 4; y++) {
            s32 other[4];
#pragma unroll
            for (u32 x = 0; x < 4; x++) other[x] = row[x];
#pragma unroll
            for (u32 x = 0; x < 4; x++) {
                s32 difference = pixel[y * 4 + x] - other[x];
                sum += difference < 0 ? -difference : difference;
            }
            row += pitch;
        }
        if (sum < best) {
            best = sum;
            where = position;
        }
    }
    u32 block = by * (width / 4) + bx;
    best_sad[block] = best;
    best_position[block] = where;
}
