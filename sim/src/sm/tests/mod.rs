mod programs;
mod support;
mod timing;
