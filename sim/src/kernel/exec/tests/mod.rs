//! Values of every operation, computed independently of the code under test.
