//! A validator for the part of JSON Schema (2020-12) that the schemas here use. A keyword that it does not know is an error
//! in the schema, so that no schema is weaker than it looks. In strict mode, a key that no `properties` names is an error
//! as well, where the standard would let it pass: what we write must be documented.

use serde_json::Value;

/// What is wrong with a value; empty if nothing is.
pub fn violations(schema: &Value, value: &Value, strict: bool) -> Vec<String> {
    let mut validator = Validator { root: schema, strict, found: Vec::new() };
    validator.check(schema, value, "");
    validator.found
}

struct Validator<'s> {
    root: &'s Value,
    strict: bool,
    found: Vec<String>,
}

impl Validator<'_> {
    fn wrong(&mut self, path: &str, what: impl std::fmt::Display) {
        self.found.push(format!("{}: {what}", if path.is_empty() { "/" } else { path }));
    }

    fn check(&mut self, schema: &Value, value: &Value, path: &str) {
        let Some(keywords) = schema.as_object() else {
            assert!(schema.is_boolean(), "a schema is an object or a boolean: {schema}");
            if *schema == false {
                self.wrong(path, "nothing is allowed here");
            }
            return;
        };
        for (keyword, wanted) in keywords {
            match keyword.as_str() {
                "$schema" | "$id" | "$defs" | "title" | "description" | "$comment" => {}
                "$ref" => {
                    let pointer =
                        wanted.as_str().and_then(|r| r.strip_prefix('#')).expect("a local reference");
                    let target = self.root.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is missing"));
                    let target = target.clone();
                    self.check(&target, value, path);
                }
                "type" => {
                    let allowed: Vec<&str> = match wanted {
                        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
                        one => one.as_str().into_iter().collect(),
                    };
                    if !allowed.iter().any(|name| is(value, name)) {
                        self.wrong(path, format!("{value} is not of type {}", allowed.join(" or ")));
                    }
                }
                "enum" if !wanted.as_array().is_some_and(|list| list.contains(value)) => {
                    self.wrong(path, format!("{value} is none of {wanted}"));
                }
                "const" if wanted != value => self.wrong(path, format!("{value} is not {wanted}")),
                "enum" | "const" => {}
                "minimum" if value.as_f64() < wanted.as_f64() => {
                    self.wrong(path, format!("{value} is less than {wanted}"));
                }
                "minItems"
                    if value.as_array().is_some_and(|l| (l.len() as u64) < wanted.as_u64().unwrap_or(0)) =>
                {
                    self.wrong(path, format!("fewer than {wanted} items"));
                }
                "maxItems"
                    if value.as_array().is_some_and(|l| l.len() as u64 > wanted.as_u64().unwrap_or(0)) =>
                {
                    self.wrong(path, format!("more than {wanted} items"));
                }
                "minimum" | "minItems" | "maxItems" => {}
                "items" => {
                    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(wanted, item, &format!("{path}/{at}"));
                    }
                }
                "required" => {
                    for key in wanted.as_array().into_iter().flatten().filter_map(Value::as_str) {
                        if value.is_object() && value.get(key).is_none() {
                            self.wrong(path, format!("`{key}` is missing"));
                        }
                    }
                }
                "properties" => {
                    for (key, schema) in wanted.as_object().into_iter().flatten() {
                        if let Some(member) = value.get(key) {
                            self.check(schema, member, &format!("{path}/{key}"));
                        }
                    }
                }
                "additionalProperties" => {}
                "anyOf" => self.any(wanted, value, path),
                other => panic!("the validator does not know `{other}`"),
            }
        }
        self.others(schema, value, path);
    }

    /// One of the schemas must fit.
    fn any(&mut self, schemas: &Value, value: &Value, path: &str) {
        let before = self.found.len();
        let mut first = Vec::new();
        for schema in schemas.as_array().into_iter().flatten() {
            self.check(schema, value, path);
            let found = self.found.split_off(before);
            if found.is_empty() {
                return;
            }
            if first.is_empty() {
                first = found;
            }
        }
        self.wrong(path, format!("fits none of the alternatives; of the first: {}", first.join("; ")));
    }

    /// Keys that are not named.
    fn others(&mut self, schema: &Value, value: &Value, path: &str) {
        let (Some(object), Some(known)) = (value.as_object(), schema.get("properties")) else {
            if let (Some(object), Some(inner)) = (value.as_object(), schema.get("additionalProperties")) {
                for (key, member) in object {
                    self.check(inner, member, &format!("{path}/{key}"));
                }
            }
            return;
        };
        for (key, member) in object.iter().filter(|(key, _)| known.get(key.as_str()).is_none()) {
            let path = format!("{path}/{key}");
            match schema.get("additionalProperties") {
                Some(inner) => self.check(inner, member, &path),
                None if self.strict => self.wrong(&path, "is not in the schema"),
                None => {}
            }
        }
    }
}

fn is(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type `{other}`"),
    }
}
