//! The hall: engines behind one door, the table of options, stopping, files and inputs, on the real program.

mod engine;
mod files;
mod inputs;
mod program;
mod stopping;
mod table;
