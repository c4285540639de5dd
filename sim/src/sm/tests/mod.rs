mod support;
mod timing;
mod programs;
