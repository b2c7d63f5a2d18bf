//! Threads whose stack suffices for recursion over a model or a diagram, and the one way to treat a panic in them: it
//! goes on in the thread that waits, so that it is never swallowed.

use std::thread::{Builder, scope};

/// Bytes of stack for calls as deep as the interpreter allows; reserved, not used up.
const CODE: usize = 256 << 20;

/// Bytes of stack for recursion over the levels of a diagram.
const DIAGRAMS: usize = 1 << 30;

/// A thread that executes code of a model.
pub fn thread(name: &str) -> Builder {
    Builder::new().name(name.to_owned()).stack_size(CODE)
}

/// A thread that works on diagrams of very many levels.
pub fn diagram_thread() -> Builder {
    Builder::new().name("diagrams".to_owned()).stack_size(DIAGRAMS)
}

/// Does some work in such a thread and waits for it. The error is that the system refuses a thread.
pub fn in_thread<T: Send>(thread: Builder, work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    scope(|scope| {
        let running = thread.spawn_scoped(scope, work)?;
        Ok(running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
