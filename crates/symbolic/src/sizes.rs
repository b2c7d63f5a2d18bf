//! How large diagrams may be before they are made in another way.

/// How many nodes something may take. More, and it is done piece by piece; what is found does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The rule instances of a component together: then they are encoded one by one.
    pub component: usize,
    /// A rule instance: then it is encoded case by case.
    pub instance: usize,
    /// A condition that the search looks for: then it is evaluated only in the states that are found.
    pub condition: usize,
    /// A relation: then it is a conjunction of several.
    pub relation: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Sizes { component: 1 << 18, instance: 1 << 16, condition: 1 << 18, relation: 1 << 13 }
    }
}

impl Sizes {
    /// Nothing is made at once that can be made piece by piece.
    pub const SMALLEST: Self = Sizes { component: 0, instance: 20, condition: 0, relation: 0 };
}
