//! burnside-explicit
