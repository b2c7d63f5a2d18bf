//! The same model with other numbers of elements.

use super::Model;
use crate::code::{DomainId, Frame, Storage, TypeKind, Types};

impl Model {
    /// The model with other sizes of some of its scalarsets, everything else as it is: constants that had the same value
    /// keep it. Nothing if another value would then mean something else.
    pub fn resized(&self, sizes: &[(DomainId, u32)]) -> Option<Model> {
        let types = self.types.resized(sizes)?;
        let mut model = Model { types, generators: Vec::new(), claims: Vec::new(), ..self.clone() };
        model.cells = 0;
        for global in &mut model.globals {
            global.offset = model.cells;
            model.cells += model.types[global.ty].cells;
        }
        let frames = (model.functions.iter_mut().map(|function| &mut function.frame))
            .chain(model.starts.iter_mut().map(|start| &mut start.frame))
            .chain(model.rules.iter_mut().map(|rule| &mut rule.frame))
            .chain(model.properties.iter_mut().map(|property| &mut property.frame));
        for frame in frames {
            lay_out(frame, &model.types);
        }
        Some(model)
    }
}

/// Places the locals of a frame anew.
fn lay_out(frame: &mut Frame, types: &Types) {
    frame.cells = 0;
    for local in &mut frame.locals {
        local.offset = frame.cells;
        frame.cells += if local.storage == Storage::Value { types[local.ty].cells } else { 1 };
    }
}

impl Types {
    /// The types with other sizes of some scalarsets. Nothing if a value of a union would then mean something else, or if
    /// the elements of a domain are values of a range or an enum.
    fn resized(&self, sizes: &[(DomainId, u32)]) -> Option<Types> {
        let resized = |domain: &DomainId| sizes.iter().any(|(other, _)| other == domain);
        let mut types = self.without_definitions();
        for (domain, size) in sizes {
            types.domains[domain.0 as usize].size = *size;
        }
        for ty in self.ids() {
            let def = &self[ty];
            let (TypeKind::Scalarset(_) | TypeKind::Union(_)) = &def.kind else {
                if self.is_simple(ty) && self.domains_of(ty).iter().any(|(domain, _)| resized(domain)) {
                    return None;
                }
                types.add_like(def)?;
                continue;
            };
            if let TypeKind::Union(members) = &def.kind {
                let (_, before) = members.split_last()?;
                let moves = |member| self.domains_of(member).iter().any(|(domain, _)| resized(domain));
                if before.iter().any(|member| moves(*member)) {
                    return None;
                }
            }
            types.add_like(def)?;
        }
        Some(types)
    }
}
