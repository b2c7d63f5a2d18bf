//! Whole records, arrays and multisets, cell by cell.

use crate::code::*;

/// Sets every cell of a value: slots of multisets become empty, other cells what `content` says of their type.
pub(super) fn fill(types: &Types, ty: TypeId, cells: &mut [Cell], content: &dyn Fn(&Types, TypeId) -> Cell) {
    match &types[ty].kind {
        TypeKind::Array { element, .. } => {
            let stride = types[*element].cells as usize;
            if stride > 0 {
                for part in cells[..types[ty].cells as usize].chunks_mut(stride) {
                    fill(types, *element, part, content);
                }
            }
        }
        TypeKind::Record(fields) => {
            for field in fields {
                fill(types, field.ty, &mut cells[field.offset as usize..], content);
            }
        }
        TypeKind::Multiset { element, .. } => {
            let stride = types[*element].cells as usize + 1;
            for slot in cells[..types[ty].cells as usize].chunks_mut(stride) {
                slot[0] = 0;
                fill(types, *element, &mut slot[1..], &|_, _| UNDEFINED);
            }
        }
        _ => cells[0] = content(types, ty),
    }
}

/// Sorts the slots of every multiset in a value of this type: those in use first, by content.
pub fn normalise(types: &Types, ty: TypeId, cells: &mut [Cell]) {
    if !types[ty].has_multiset {
        return;
    }
    match &types[ty].kind {
        TypeKind::Array { element, .. } => {
            let stride = types[*element].cells as usize;
            if stride > 0 {
                for part in cells[..types[ty].cells as usize].chunks_mut(stride) {
                    normalise(types, *element, part);
                }
            }
        }
        TypeKind::Record(fields) => {
            for field in fields {
                normalise(types, field.ty, &mut cells[field.offset as usize..]);
            }
        }
        TypeKind::Multiset { element, .. } => {
            let stride = types[*element].cells as usize + 1;
            let cells = &mut cells[..types[ty].cells as usize];
            let mut slots: Vec<Vec<Cell>> = cells.chunks(stride).map(<[Cell]>::to_vec).collect();
            for slot in slots.iter_mut().filter(|slot| slot[0] != 1) {
                // A local starts with all cells undefined: its slots are not in use either.
                slot[0] = 0;
            }
            slots.sort_by(|a, b| b[0].cmp(&a[0]).then_with(|| a.cmp(b)));
            for (into, slot) in cells.chunks_mut(stride).zip(slots) {
                into.copy_from_slice(&slot);
            }
        }
        _ => {}
    }
}
