//! Values under their original names.

use burnside_model::code::{Cell, TypeId, TypeKind, Types, UNDEFINED};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A simple value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Undefined,
    Bool(bool),
    Int(i64),
    /// An enum member or an element of a symmetry domain.
    Name(String),
}

/// Something with a name and a value.
pub type Named = (String, Value);

impl Value {
    pub fn new(types: &Types, ty: TypeId, cell: Cell) -> Value {
        match types[ty].kind {
            _ if cell == UNDEFINED => Value::Undefined,
            TypeKind::Bool => Value::Bool(cell != 0),
            TypeKind::Range(..) => Value::Int(cell),
            TypeKind::Union(_) => match types.union_member(ty, cell) {
                Some((member, cell)) => Value::new(types, member, cell),
                None => Value::Int(cell),
            },
            _ => Value::Name(types.show(ty, cell)),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Undefined => f.write_str("Undefined"),
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => value.fmt(f),
            Value::Name(name) => f.write_str(name),
        }
    }
}

/// The largest integer that every reader of JSON can hold.
pub(crate) const MAX_EXACT: u128 = 1 << 53;

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Undefined => serializer.serialize_none(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) if u128::from(value.unsigned_abs()) > MAX_EXACT => {
                serializer.collect_str(value)
            }
            Value::Int(value) => serializer.serialize_i64(*value),
            Value::Name(name) => serializer.serialize_str(name),
        }
    }
}

/// A count: a number, or if that would not be exact everywhere, a decimal string.
pub(crate) struct Count(pub u128);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(count) if self.0 <= MAX_EXACT => serializer.serialize_u64(count),
            _ => serializer.collect_str(&self.0),
        }
    }
}

/// An object with its keys in order.
pub(crate) struct Object<'a, V>(pub Vec<(&'a str, V)>);

impl<V: Serialize> Serialize for Object<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_counts_become_strings() {
        let json = |count| serde_json::to_string(&Count(count)).unwrap();
        assert_eq!(json(1 << 53), "9007199254740992");
        assert_eq!(json((1 << 53) + 1), "\"9007199254740993\"");
        assert_eq!(json(u128::MAX), format!("\"{}\"", u128::MAX));
        assert_eq!(serde_json::to_string(&Value::Int(i64::MIN + 1)).unwrap(), "\"-9223372036854775807\"");
    }
}
