mod behaviour;
mod programs;
mod sharing;
mod support;
mod timing;
