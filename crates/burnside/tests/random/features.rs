//! What random models contain, counted: a test on models without symmetry would test nothing.

use std::fmt;

use burnside_model::Model;
use burnside_model::code::{DomainKind, TypeId, TypeKind, Types};
use burnside_model::system::PropertyKind;

/// How many models have what.
#[derive(Default)]
pub struct Distribution {
    pub models: usize,
    pub states: u64,
    /// Fewer representatives than states.
    pub reduced: usize,
    pub violated: usize,
    /// An array over a domain whose elements contain ids.
    pub local_ids: usize,
    pub two_indices: usize,
    /// A ring, and a ring beside another domain.
    pub rings: usize,
    pub products: usize,
    pub unions: usize,
    pub multisets: usize,
    /// Some reachable state holds an undefined value.
    pub undefined: usize,
    pub liveness: usize,
    /// The start states are whole orbits, so that the sum of the orbits was compared.
    pub closed: usize,
    /// A domain is a symmetry, but the front end could not prove it.
    pub refused: usize,
}

impl Distribution {
    /// Counts what the declarations show.
    pub fn count_types(&mut self, model: &Model) {
        let types = &model.types;
        let some = |test: &dyn Fn(TypeId) -> bool| {
            usize::from(model.globals.iter().any(|g| anywhere(types, g.ty, test)))
        };
        self.models += 1;
        self.local_ids += some(&|ty| match types[ty].kind {
            TypeKind::Array { index, element } => {
                let holds_id = |ty| !types.domains_of(ty).is_empty();
                holds_id(index) && anywhere(types, element, &holds_id)
            }
            _ => false,
        });
        self.two_indices += some(&|ty| match types[ty].kind {
            TypeKind::Array { element, .. } => matches!(types[element].kind, TypeKind::Array { .. }),
            _ => false,
        });
        self.unions += some(&|ty| match types[ty].kind {
            TypeKind::Union(_) => true,
            TypeKind::Array { index, .. } => matches!(types[index].kind, TypeKind::Union(_)),
            _ => false,
        });
        let ring = types.domains.iter().any(|d| d.kind == DomainKind::Ring);
        self.rings += usize::from(ring);
        self.products += usize::from(ring && types.domains.len() > 1);
        self.multisets += some(&|ty| matches!(types[ty].kind, TypeKind::Multiset { .. }));
        self.liveness += usize::from(model.properties.iter().any(|p| p.kind == PropertyKind::Liveness));
    }

    fn percent(&self, count: usize) -> f64 {
        100.0 * count as f64 / self.models as f64
    }

    /// Panics if the models were too plain.
    pub fn require(&self) {
        let shares = [
            ("non-trivial orbits", self.reduced, 40.0),
            ("violated", self.violated, 30.0),
            ("ids stored in locals", self.local_ids, 30.0),
            ("two-index arrays", self.two_indices, 2.0),
            ("rings", self.rings, 25.0),
            ("products with rings", self.products, 5.0),
            ("unions", self.unions, 2.0),
            ("multisets", self.multisets, 2.0),
            ("undefined values", self.undefined, 2.0),
            ("liveness", self.liveness, 20.0),
            ("closed start states", self.closed, 80.0),
            ("not violated", self.models - self.violated, 15.0),
        ];
        for (what, count, least) in shares {
            let share = self.percent(count);
            assert!(share >= least, "{what}: {share:.1} % of the models, at least {least} % wanted");
        }
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} models, {} states", self.models, self.states)?;
        let shares = [
            ("non-trivial orbits", self.reduced),
            ("violated", self.violated),
            ("ids stored in locals", self.local_ids),
            ("two-index arrays", self.two_indices),
            ("rings", self.rings),
            ("products with rings", self.products),
            ("unions", self.unions),
            ("multisets", self.multisets),
            ("undefined values", self.undefined),
            ("liveness", self.liveness),
            ("closed start states", self.closed),
            ("symmetry refused", self.refused),
        ];
        for (what, count) in shares {
            writeln!(f, "{:6.1} % {what}", self.percent(count))?;
        }
        Ok(())
    }
}

/// Whether the type, or one inside it, passes the test.
fn anywhere(types: &Types, ty: TypeId, test: &dyn Fn(TypeId) -> bool) -> bool {
    test(ty)
        || match &types[ty].kind {
            TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => {
                anywhere(types, *element, test)
            }
            TypeKind::Record(fields) => fields.iter().any(|f| anywhere(types, f.ty, test)),
            _ => false,
        }
}
