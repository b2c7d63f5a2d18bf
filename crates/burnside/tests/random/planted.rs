//! Mistakes that a symmetry reduction can make. The comparison that finds none in the real reduction must find each of
//! these: a test of the test.

use burnside_model::Model;
use burnside_model::code::*;
use burnside_model::system::Rule;

use super::build::*;

/// A mistake in the brute-force quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// Blocks move by π, but the ids in them are renamed by π⁻¹: a wrong swap, once there are three elements.
    WrongDirection,
    /// An id in a global variable is not renamed.
    ForgottenGlobalId,
    /// Nor one inside an array or multiset.
    ForgottenLocalId,
    /// The value of a union is not renamed.
    ForgottenUnionValue,
    /// It is, but as if the union's first member were the only one.
    ForgottenUnionOffset,
    /// An array over a union stays where it is.
    ForgottenUnionIndex,
    /// Of an array over two indices only the outer one is permuted.
    ForgottenSecondIndex,
    /// The undefined value becomes an element.
    UndefinedRenamed,
    /// A multiset is not sorted again after its elements were renamed.
    UnsortedMultiset,
    /// Only the first enabled instance of each rule is fired.
    MissedSuccessor,
    /// Every state counts for a full orbit.
    StabiliserForgotten,
    /// The representative is least in its id-free cells only.
    OnlySorted,
    /// Properties are evaluated in start states only.
    OnlyStartChecked,
    /// Liveness, and formulas, follow an index along a step as if nothing had been renamed.
    IdentityLabels,
    /// Of several steps to one representative, they follow one.
    MergedEdges,
    /// Of steps that a symmetry of their state maps to each other, formulas follow one, as if the others were not there.
    OneOfAlike,
    /// A loop whose last iteration wins is taken for symmetric.
    OrderedLoop,
}

/// All of them.
pub const MISTAKES: [Mistake; 16] = [
    Mistake::WrongDirection,
    Mistake::ForgottenGlobalId,
    Mistake::ForgottenLocalId,
    Mistake::ForgottenUnionValue,
    Mistake::ForgottenUnionOffset,
    Mistake::ForgottenUnionIndex,
    Mistake::ForgottenSecondIndex,
    Mistake::UndefinedRenamed,
    Mistake::UnsortedMultiset,
    Mistake::MissedSuccessor,
    Mistake::StabiliserForgotten,
    Mistake::OnlySorted,
    Mistake::OnlyStartChecked,
    Mistake::IdentityLabels,
    Mistake::MergedEdges,
    Mistake::OrderedLoop,
];

/// The model with a rule that stores the last element of a domain; `None` if it has no variable for that.
pub fn with_ordered_loop(model: &Model) -> Option<Model> {
    let mut model = model.clone();
    let scalarset = |ty| matches!(model.types[ty].kind, TypeKind::Scalarset(_));
    let number = model.globals.iter().position(|g| scalarset(g.ty))?;
    let ty = model.globals[number].ty;
    let mut frame = Frame::default();
    let variable = frame.add("last", ty, 1, Storage::Value);
    let target = Place { kind: PlaceKind::Global(GlobalId(number as u32)), ty, span: AT };
    let assign = stmt(StmtKind::Assign(target, read(local(&frame, variable))));
    let body = vec![stmt(StmtKind::For(Box::new(each(variable, ty)), vec![assign]))];
    let name = "the last wins".to_owned();
    model.rules.push(Rule {
        name,
        named: true,
        binders: Vec::new(),
        frame,
        guard: None,
        body,
        fairness: None,
        span: AT,
    });
    Some(model)
}
