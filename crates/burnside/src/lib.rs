//! burnside
