mod behaviour;
mod programs;
mod support;
mod timing;
