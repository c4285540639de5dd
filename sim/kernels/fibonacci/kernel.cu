// Fibonacci numbers by two recursive calls, and a sum by a chain of calls as deep as 40: no stack of registers holds that.
// Lanes ask for different numbers, so they return at different depths. Computed modulo 2^32.
// PTX: `../build fibonacci` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o fibonacci/kernel.ptx fibonacci/kernel.cu
#include "common.h"

CALLED u32 fib(u32 n) {
    if (n < 2) return n;
    u32 before = fib(n - 1);
    return before + fib(n - 2);
}

// n^2 + (n - 1)^2 + ... with alternating signs; the square lives over the call.
CALLED u32 alternating(u32 n) {
    if (n == 0) return 0;
    u32 square = n * n;
    return square - alternating(n - 1);
}

KERNEL fibonacci(const u32 *__restrict numbers, u32 *__restrict results) {
    u32 thread = cta_x() * threads_x() + tid_x();
    u32 n = numbers[thread];
    u32 sum = fib(n & 7);
    results[thread] = sum + alternating(n);
}
