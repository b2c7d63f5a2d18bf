//! The Boolean algebra that functions of the state's bits are made in: BDDs, circuits for SAT, or plain truth values.

/// Boolean functions of the bits of a state.
///
/// Every operation may fail: a package may run out of memory or time. Constants must be folded (`and` with a constant
/// gives a constant or the other operand), and `is_false` must find at least the constant: what is known to be false is
/// not executed, so an algebra that decides it (BDDs) prunes every dead branch, and loops end when none is left.
pub trait Algebra {
    type F: Clone + PartialEq;
    /// Why an operation failed.
    type Error;

    /// The function that is always this.
    fn constant(&mut self, value: bool) -> Self::F;

    /// A bit of the current state, by its position in [`crate::Encoding::bits`].
    fn var(&mut self, bit: usize) -> Result<Self::F, Self::Error>;

    /// `!f`
    fn not(&mut self, f: &Self::F) -> Result<Self::F, Self::Error>;

    /// `f & g`
    fn and(&mut self, f: &Self::F, g: &Self::F) -> Result<Self::F, Self::Error>;

    /// `f | g`
    fn or(&mut self, f: &Self::F, g: &Self::F) -> Result<Self::F, Self::Error>;

    /// `f` or `g`, but not both.
    fn xor(&mut self, f: &Self::F, g: &Self::F) -> Result<Self::F, Self::Error>;

    /// `if c then f else g`
    fn ite(&mut self, c: &Self::F, f: &Self::F, g: &Self::F) -> Result<Self::F, Self::Error>;

    /// Whether it is known to be false everywhere.
    fn is_false(&self, f: &Self::F) -> bool;

    /// Whether it is known to be true everywhere.
    fn is_true(&self, f: &Self::F) -> bool;
}

/// Why something has no encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError<E> {
    /// The algebra gave up.
    Algebra(E),
    /// The model cannot be encoded: why, in one line.
    Refused(Refusal),
}

/// What of a model cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub reason: String,
    /// Where in the source, if at one place.
    pub span: Option<burnside_model::Span>,
}

impl<E> From<E> for EncodeError<E> {
    fn from(error: E) -> Self {
        EncodeError::Algebra(error)
    }
}

/// Whether one of them is so, by halves: neighbours have most in common.
pub(crate) fn any<A: Algebra>(alg: &mut A, mut all: Vec<A::F>) -> Result<A::F, A::Error> {
    while all.len() > 1 {
        all = all
            .chunks(2)
            .map(|pair| match pair {
                [f, g] => alg.or(f, g),
                _ => Ok(pair[0].clone()),
            })
            .collect::<Result<_, _>>()?;
    }
    Ok(all.pop().unwrap_or_else(|| alg.constant(false)))
}

/// `f` as a known constant.
pub(crate) fn known<A: Algebra>(alg: &A, f: &A::F) -> Option<bool> {
    if alg.is_false(f) {
        Some(false)
    } else if alg.is_true(f) {
        Some(true)
    } else {
        None
    }
}
