mod behaviour;
mod pairs;
mod programs;
mod sharing;
mod support;
mod timing;
