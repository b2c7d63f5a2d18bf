//! burnside-symmetry
