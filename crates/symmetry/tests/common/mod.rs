//! Small models with every kind of cell, random ones, and random states of them.
#![allow(dead_code)]

use burnside_model::code::{Cell, Domain, DomainId, Field, TypeId, TypeKind, Types, UNDEFINED, normalise};
use burnside_model::{Model, Span};

/// A deterministic source of random numbers (xorshift).
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    /// A random order of `0..n`.
    pub fn order(&mut self, n: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n).collect();
        for i in (1..n as usize).rev() {
            order.swap(i, self.below(i as u64 + 1) as usize);
        }
        order
    }
}

/// A model under construction.
#[derive(Default)]
pub struct Build {
    /// The model.
    pub model: Model,
}

impl Build {
    pub fn scalarset(&mut self, name: &str, size: u32) -> TypeId {
        self.model.types.domains.push(Domain { name: name.to_owned(), size, span: Span::default() });
        let domain = DomainId(self.model.types.domains.len() as u32 - 1);
        self.add(TypeKind::Scalarset(domain))
    }

    /// Makes values of these ranges or enums elements of a domain.
    pub fn attach(&mut self, name: &str, offsets: &[u32], types: &[(TypeId, i64)]) -> DomainId {
        let domain = Domain { name: name.to_owned(), size: offsets.len() as u32, span: Span::default() };
        self.model.types.attach(domain, offsets.to_vec(), types)
    }

    pub fn add(&mut self, kind: TypeKind) -> TypeId {
        self.model.types.add(None, kind).unwrap()
    }

    pub fn enumeration(&mut self, size: usize) -> TypeId {
        self.add(TypeKind::Enum((0..size).map(|i| format!("e{i}")).collect()))
    }

    pub fn array(&mut self, index: TypeId, element: TypeId) -> TypeId {
        self.add(TypeKind::Array { index, element })
    }

    pub fn record(&mut self, fields: &[TypeId]) -> TypeId {
        let field = |(i, ty): (usize, &TypeId)| Field { name: format!("f{i}"), ty: *ty, offset: 0 };
        self.add(TypeKind::Record(fields.iter().enumerate().map(field).collect()))
    }

    pub fn multiset(&mut self, capacity: u32, element: TypeId) -> TypeId {
        self.add(TypeKind::Multiset { capacity, element })
    }

    pub fn global(&mut self, ty: TypeId) {
        let name = format!("g{}", self.model.globals.len());
        self.model.add_global(&name, ty, Span::default()).unwrap();
    }

    pub fn done(self) -> (Model, Vec<DomainId>) {
        let domains = (0..self.model.types.domains.len() as u32).map(DomainId).collect();
        (self.model, domains)
    }
}

/// A model of each kind, with the domains that are active in it.
pub fn zoo() -> Vec<(&'static str, Model, Vec<DomainId>)> {
    let mut zoo = Vec::new();
    let mut put = |name, build: Build| {
        let (model, domains) = build.done();
        zoo.push((name, model, domains));
    };

    let mut b = Build::default();
    let (p, e) = (b.scalarset("P", 4), b.enumeration(2));
    let r = b.record(&[e, Types::BOOL]);
    let (a, c) = (b.array(p, r), b.array(p, e));
    b.global(a);
    b.global(e);
    b.global(c);
    put("plain", b);

    let mut b = Build::default();
    let (p, e) = (b.scalarset("P", 4), b.enumeration(2));
    let a = b.array(p, e);
    b.global(p);
    b.global(a);
    b.global(p);
    put("global ids", b);

    // Process ids from 1, as 1..4 and as 0..4, where 0 is none of them; an enum with fixed members in between.
    let mut b = Build::default();
    let (p, none) = (b.add(TypeKind::Range(1, 4)), b.add(TypeKind::Range(0, 4)));
    b.attach("P", &[0, 1, 2, 3], &[(p, 1), (none, 1)]);
    let (a, next) = (b.array(p, Types::BOOL), b.array(none, none));
    b.global(none);
    b.global(a);
    b.global(next);
    put("ranges", b);

    let mut b = Build::default();
    let (p, e) = (b.add(TypeKind::Range(-1, 3)), b.enumeration(6));
    b.attach("P", &[0, 1, 3], &[(p, -1)]);
    b.attach("E", &[0, 2, 4], &[(e, 1)]);
    b.attach("F", &[0, 4], &[(e, 0)]);
    let (row, own) = (b.array(e, Types::BOOL), b.array(p, e));
    let a = b.array(p, row);
    b.global(p);
    b.global(a);
    b.global(own);
    b.global(e);
    put("gaps", b);

    let mut b = Build::default();
    let (p, e) = (b.add(TypeKind::Range(2, 5)), b.enumeration(2));
    b.attach("P", &[0, 1, 3], &[(p, 2)]);
    let u = b.add(TypeKind::Union(vec![e, p]));
    let (a, r) = (b.array(u, Types::BOOL), b.record(&[u, e]));
    let m = b.multiset(2, r);
    b.global(u);
    b.global(a);
    b.global(m);
    put("ranges in unions and multisets", b);

    let mut b = Build::default();
    let p = b.scalarset("P", 4);
    let r = b.record(&[Types::BOOL, p]);
    let a = b.array(p, r);
    b.global(a);
    put("local ids", b);

    let mut b = Build::default();
    let p = b.scalarset("P", 4);
    let row = b.array(p, Types::BOOL);
    let a = b.array(p, row);
    b.global(a);
    put("relation", b);

    let mut b = Build::default();
    let (p, q) = (b.scalarset("P", 3), b.scalarset("Q", 3));
    let row = b.array(q, Types::BOOL);
    let (a, to, own) = (b.array(p, row), b.array(q, p), b.array(p, Types::BOOL));
    b.global(a);
    b.global(to);
    b.global(own);
    b.global(q);
    put("two domains", b);

    let mut b = Build::default();
    let (p, q, e) = (b.scalarset("P", 3), b.scalarset("Q", 2), b.enumeration(2));
    let u = b.add(TypeKind::Union(vec![e, p, q]));
    let (a, next) = (b.array(u, Types::BOOL), b.array(u, u));
    let row = b.array(u, e);
    let two = b.array(p, row);
    b.global(u);
    b.global(a);
    b.global(next);
    b.global(two);
    put("unions", b);

    let mut b = Build::default();
    let (p, e) = (b.scalarset("P", 4), b.enumeration(2));
    let message = b.record(&[e, p, p]);
    let net = b.multiset(3, message);
    let own = b.array(p, Types::BOOL);
    b.global(net);
    b.global(own);
    put("multiset of messages", b);

    let mut b = Build::default();
    let (p, q) = (b.scalarset("P", 3), b.scalarset("Q", 2));
    let message = b.record(&[Types::BOOL, q]);
    let (inbox, bag) = (b.multiset(2, message), b.multiset(2, Types::BOOL));
    let r = b.record(&[inbox, bag]);
    let a = b.array(p, r);
    b.global(a);
    b.global(p);
    put("multisets in an array", b);

    let mut b = Build::default();
    let (p, q) = (b.scalarset("P", 3), b.scalarset("Q", 2));
    let (set, to) = (b.array(p, Types::BOOL), b.array(p, q));
    let message = b.record(&[set, to, p]);
    let net = b.multiset(2, message);
    let nets = b.array(q, net);
    b.global(nets);
    put("arrays in a multiset", b);

    let mut b = Build::default();
    let p = b.scalarset("P", 3);
    let row = b.array(p, p);
    let plane = b.array(p, row);
    let cube = b.array(p, plane);
    b.global(cube);
    put("three indices", b);

    // Only the first of two domains is active.
    let mut b = Build::default();
    let (p, q) = (b.scalarset("P", 4), b.scalarset("Q", 2));
    let row = b.array(q, p);
    let a = b.array(p, q);
    b.global(row);
    b.global(a);
    let (model, domains) = b.done();
    zoo.push(("one of two domains", model, domains[..1].to_vec()));
    zoo
}

/// A random state; `sparse` of 8 cells are undefined.
pub fn random_state(model: &Model, random: &mut Random, sparse: u64) -> Vec<Cell> {
    let cells = model.state_cells();
    let mut state = Vec::with_capacity(cells.len());
    for (i, cell) in cells.iter().enumerate() {
        let (lo, hi) = model.types.bounds(cell.ty);
        let value = lo + random.below((hi - lo + 1) as u64) as i64;
        let in_use = |slot: u32| state.get(slot as usize).is_none_or(|used| *used == 1);
        let undefined = random.below(8) < sparse;
        state.push(match cell.slot {
            Some(slot) if slot == i as u32 => value,
            Some(slot) if !in_use(slot) => UNDEFINED,
            _ if undefined => UNDEFINED,
            _ => value,
        });
    }
    for global in &model.globals {
        normalise(&model.types, global.ty, &mut state[global.offset as usize..]);
    }
    state
}

/// A model with random variables over a domain of up to five elements and perhaps another. What `ids` says: whether ids
/// occur nowhere, in scalar variables only, also inside arrays, or also inside multisets.
pub fn random_layout(random: &mut Random, ids: u64) -> (Model, Vec<DomainId>) {
    let mut b = Build::default();
    let p = b.scalarset("P", 2 + random.below(4) as u32);
    let two = random.below(2) == 0;
    let q = if two { b.scalarset("Q", 2 + random.below(2) as u32) } else { p };
    let e = b.enumeration(2 + random.below(3) as usize);
    let index = b.add(TypeKind::Union(vec![e, p]));
    let union = if two { b.add(TypeKind::Union(vec![p, q])) } else { index };
    let domains = [p, q, union, index];
    let mut wide = Types::BOOL;
    if random.below(8) == 0 {
        // A block of several words.
        wide = b.add(TypeKind::Range(-5, 1 << 40));
    }
    let data = [e, Types::BOOL, wide];
    let any = |random: &mut Random| match random.below(2) {
        0 => domains[random.below(4) as usize],
        _ => data[random.below(3) as usize],
    };
    for _ in 0..1 + random.below(3) {
        let mut leaf = if ids >= 2 { any(random) } else { data[random.below(3) as usize] };
        if random.below(2) == 0 {
            leaf = b.record(&[leaf, data[random.below(3) as usize]]);
        }
        if random.below(4) == 0 && ids == 3 {
            leaf = b.multiset(2, leaf);
        }
        let over = domains[random.below(4) as usize];
        let mut ty = b.array(over, leaf);
        if random.below(4) == 0 && ids == 3 {
            ty = b.array(domains[random.below(2) as usize], ty);
        }
        b.global(ty);
    }
    for _ in 0..random.below(4) {
        let ty = if ids >= 1 { any(random) } else { data[random.below(3) as usize] };
        b.global(ty);
    }
    b.done()
}
