//! burnside-report
