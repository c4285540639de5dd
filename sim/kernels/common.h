// The little of CUDA that the bundled kernels use, without any CUDA header.
//
// Everything here is ours; clang knows the attributes and the __nvvm builtins.
#pragma once

#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE static inline __attribute__((device, always_inline))
#define SHARED __attribute__((shared))
// A function that stays one: it is called.
#define CALLED extern "C" __attribute__((device, noinline))

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int s32;

#define FULL_WARP 0xffffffffu

DEVICE u32 tid_x() { return __nvvm_read_ptx_sreg_tid_x(); }
DEVICE u32 tid_y() { return __nvvm_read_ptx_sreg_tid_y(); }
DEVICE u32 cta_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
DEVICE u32 cta_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
DEVICE u32 ctas_x() { return __nvvm_read_ptx_sreg_nctaid_x(); }
// Read anew where they are used, so that nothing derived from them stays in a register meanwhile.
DEVICE u32 tid_x_again() {
    u32 value;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(value));
    return value;
}
DEVICE u32 tid_y_again() {
    u32 value;
    asm volatile("mov.u32 %0, %%tid.y;" : "=r"(value));
    return value;
}
DEVICE u32 cta_x_again() {
    u32 value;
    asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(value));
    return value;
}
DEVICE u32 cta_y_again() {
    u32 value;
    asm volatile("mov.u32 %0, %%ctaid.y;" : "=r"(value));
    return value;
}
DEVICE u32 threads_x() { return __nvvm_read_ptx_sreg_ntid_x(); }

DEVICE void barrier() { __syncthreads(); }
DEVICE u32 shuffle_down(u32 value, u32 by) { return __nvvm_shfl_sync_down_i32(FULL_WARP, value, by, 31); }

DEVICE float rsqrt_approx(float x) {
    float y;
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
DEVICE float sqrt_rounded(float x) {
    float y;
    asm("sqrt.rn.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
DEVICE s32 round_to_int(float x) {
    s32 y;
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(y) : "f"(x));
    return y;
}

DEVICE u32 min_u32(u32 a, u32 b) { return a < b ? a : b; }
DEVICE u32 max_u32(u32 a, u32 b) { return a > b ? a : b; }
DEVICE s32 clamp(s32 value, s32 low, s32 high) { return value < low ? low : value > high ? high : value; }

// Results of these atomics do not depend on order, and the old value is not used.
DEVICE void atomic_add(u32 *p, u32 value) { __atomic_fetch_add(p, value, __ATOMIC_RELAXED); }
DEVICE void atomic_min(u32 *p, u32 value) { __nvvm_atom_min_gen_ui(p, value); }
