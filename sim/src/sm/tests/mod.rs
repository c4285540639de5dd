mod behaviour;
mod calls;
mod pairs;
mod programs;
mod scratchpad_pairs;
mod sharing;
mod support;
mod timing;
