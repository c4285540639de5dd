// Price of a call option by simulation: four xorshift chains per thread walk a binomial-like path each.
//
// Each step multiplies a chain's price by 1 + volatility * u with u uniform in [-1, 1). At the end the payoffs of the
// four chains are added. Small trees of integer and float work with all chains in flight.
// PTX: `../build montecarlo` runs
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++14 -O2 -fcuda-short-ptr
//     -mllvm -nvptx-short-ptr -Xclang -target-feature -Xclang +ptx63 -I. -S -o montecarlo/kernel.ptx montecarlo/kernel.cu
#include "common.h"

#define CHAINS 4

KERNEL montecarlo(const u32 *__restrict seeds, float *__restrict payoff, u32 *__restrict last_state, u32 steps,
                  float start, float strike, float volatility) {
    u32 me = cta_x() * threads_x() + tid_x();
    u32 seed = seeds[me];
    float price[CHAINS];
    u32 state[CHAINS];
#pragma unroll
    for (u32 i = 0; i < CHAINS; i++) {
        state[i] = (seed + i) * 2654435761u | 1u;
        price[i] = start;
    }
#pragma unroll 1
    for (u32 step = 0; step < steps; step++) {
#pragma unroll
        for (u32 i = 0; i < CHAINS; i++) {
            u32 s = state[i];
            s ^= s << 13;
            s ^= s >> 17;
            s ^= s << 5;
            state[i] = s;
            float u = (float)(s32)s * (1.0f / 2147483648.0f);
            price[i] += price[i] * (volatility * u);
        }
    }
    float sum = 0.0f;
    u32 mix = 0;
#pragma unroll
    for (u32 i = 0; i < CHAINS; i++) {
        float gain = price[i] - strike;
        sum += gain > 0.0f ? gain : 0.0f;
        mix ^= state[i];
    }
    payoff[me] = sum * (1.0f / CHAINS);
    last_state[me] = mix;
}
