//! The server, without a terminal: dialogues, random edits, and how long an answer takes.

mod common;
mod dialogue;
mod edits;
mod speed;
