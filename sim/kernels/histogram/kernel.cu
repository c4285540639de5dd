// Histogram of bytes with 256 bins: per CTA in scratchpad, then added to the global one.
// PTX: `../build histogram` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o histogram/kernel.ptx histogram/kernel.cu
#include "common.h"

#define BINS 256

KERNEL histogram(const u32 *__restrict words, u32 *__restrict bins, u32 words_per_cta) {
    SHARED u32 local[BINS];
    u32 tid = tid_x();
    local[tid] = 0;
    barrier();
    const u32 *from = words + cta_x() * words_per_cta;
#pragma unroll 1
    for (u32 i = tid; i < words_per_cta; i += BINS) {
        u32 word = from[i];
        atomic_add(&local[word & 255], 1);
        atomic_add(&local[word >> 8 & 255], 1);
        atomic_add(&local[word >> 16 & 255], 1);
        atomic_add(&local[word >> 24], 1);
    }
    barrier();
    if (local[tid] != 0) atomic_add(&bins[tid], local[tid]);
}
