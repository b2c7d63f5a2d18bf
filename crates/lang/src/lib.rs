//! burnside-lang
