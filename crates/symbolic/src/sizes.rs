//! How large diagrams may be before something is done in another way.

/// How many nodes something may take. What is found does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The rule instances of a component together: then they are encoded one by one.
    pub component: usize,
    /// A rule instance: then all rules are executed state by state. None is encoded where it may take nothing.
    pub instance: usize,
    /// The relation of a rule instance on average: likewise.
    pub average: usize,
    /// A condition that the search looks for: then it is evaluated only in the states that are found.
    pub condition: usize,
    /// A relation: then it is a conjunction of several.
    pub relation: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Sizes {
            component: 1 << 18,
            instance: 1 << 16,
            average: 1 << 10,
            condition: 1 << 18,
            relation: 1 << 13,
        }
    }
}

impl Sizes {
    /// Nothing is made at once that can be made piece by piece, but by diagrams.
    pub const SMALLEST: Self =
        Sizes { component: 0, instance: usize::MAX, average: usize::MAX, condition: 0, relation: 0 };

    /// All rules are executed.
    pub const EXECUTED: Self = Sizes { component: 0, instance: 0, ..Self::SMALLEST };

    /// The same, but no rule is executed.
    pub fn never_executed(self) -> Self {
        Sizes { instance: usize::MAX, average: usize::MAX, ..self }
    }
}
