// y = A * x for a sparse matrix in CSR form, one thread per row.
// PTX: `../build spmv` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o spmv/kernel.ptx spmv/kernel.cu
#include "common.h"

KERNEL spmv(const u32 *__restrict first, const u32 *__restrict column, const float *__restrict value,
            const float *__restrict x, float *__restrict y, u32 rows) {
    u32 row = cta_x() * threads_x() + tid_x();
    if (row >= rows) return;
    float sum = 0.0f;
    u32 end = first[row + 1];
#pragma unroll 1
    for (u32 i = first[row]; i < end; i++) sum += value[i] * x[column[i]];
    y[row] = sum;
}
