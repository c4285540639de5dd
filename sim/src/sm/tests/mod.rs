mod support;
mod timing;
