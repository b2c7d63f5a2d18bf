//! Boolean programs and thread transition systems.

pub mod tts;
