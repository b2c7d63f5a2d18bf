//! Numbers: reference values, PRISM's regression lines, and random models against an oracle of their own.

mod golden;
mod mistakes;
mod random;
mod regression;
mod shared;
