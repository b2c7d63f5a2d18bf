//! Numbers: reference values, PRISM's regression lines, and random models against an oracle of their own.

mod golden;
mod random;
mod regression;
mod shared;
