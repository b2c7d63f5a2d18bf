//! Quantified clauses: what holds for all choices of distinct elements, at every size.
//!
//! A clause has variables, each over a symmetry domain, and literals: "the cell at these variables has one of these
//! values". Values that are elements are named by variables: "it is one of x, y", or "it is an element other than x, y".
//! Such a clause means the same at every size. [`lift`] makes one from a cube at some size; [`Clause::cubes`] gives its
//! instances at any size as cubes. Cells are found by the text of their way, `cache[·].data`, and plain values by how they
//! are shown, so that a clause fits every model that is read from the same text, whatever its sizes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use burnside_model::code::{DomainId, UNDEFINED};

use crate::cube::{Cube, literal, value, variable};
use crate::system::System;

/// A kind of cell: all that differ in elements only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The way to it, in pieces between which elements stand.
    pub pieces: Vec<String>,
    /// The domains of those elements, by position among the quantified ones.
    pub domains: Vec<usize>,
    /// Its plain values, as they are shown; that it is undefined among them.
    pub plain: BTreeSet<String>,
    /// Whether its values may be elements.
    pub ids: bool,
    /// Whether it may be undefined, in states at large.
    pub undefined: bool,
}

/// The families of a model text and its quantified domains: the same at all sizes.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// The domains over which clauses quantify.
    pub domains: Vec<DomainId>,
    /// The kinds of cells.
    pub families: Vec<Family>,
    index: HashMap<String, usize>,
}

/// What a value of a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A value without elements, as it is shown.
    Plain(String),
    /// An element of a quantified domain.
    Element(usize, u32),
    /// An element that is not among those of the state.
    Other,
}

/// A variable of a system, as clauses see it.
#[derive(Clone, Debug)]
pub struct Placed {
    pub family: usize,
    /// The elements on the way to it.
    pub elements: Vec<u32>,
    pub values: Vec<Value>,
}

/// The variables of a system of some size.
#[derive(Clone, Debug)]
pub struct Layout {
    /// By variable.
    pub placed: Vec<Placed>,
    /// How many elements each quantified domain has.
    pub sizes: Vec<u32>,
    find: HashMap<(usize, Vec<u32>), usize>,
    /// By family, the domains of the elements on the way.
    domains_of: HashMap<usize, Vec<usize>>,
}

/// Of a clause: a cell and the values that it may have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    pub family: usize,
    /// The variables of the clause on the way to it.
    pub indices: Vec<usize>,
    /// Plain values.
    pub plain: BTreeSet<String>,
    /// Variables of the clause whose elements are named.
    pub named: BTreeSet<usize>,
    /// Whether it may be an element other than those that are named, rather than one of them.
    pub others: bool,
}

/// For all choices of distinct elements, one of the literals holds: at these elements, or at some other one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clause {
    /// The domain of each variable, by position among the quantified ones.
    pub variables: Vec<usize>,
    /// The domain of one more variable, after the others, if there is one: some element other than theirs. Literals with
    /// this index are those of which one must hold for it.
    pub some: Option<usize>,
    /// The literals, ascending.
    pub literals: Vec<Literal>,
}

impl Schema {
    pub fn new(domains: Vec<DomainId>) -> Self {
        Schema { domains, ..Schema::default() }
    }

    /// The variables of a system; `other` is how the element outside the state is shown.
    pub fn layout(&mut self, system: &System<'_>, other: &str) -> Layout {
        let model = system.encoding.model;
        let cells = model.state_cells();
        let mut layout = Layout {
            placed: Vec::new(),
            sizes: self.domains.iter().map(|domain| model.types.domain(*domain).size).collect(),
            find: HashMap::new(),
            domains_of: HashMap::new(),
        };
        for (number, variable) in system.variables.iter().enumerate() {
            let cell = &cells[variable.cell];
            let quantified = |(domain, element): &(DomainId, u32)| {
                let position = self.domains.iter().position(|of| of == domain)?;
                Some((position, *element, model.element_name(*domain, *element)))
            };
            let indices: Vec<(usize, u32, String)> = cell.indices.iter().filter_map(quantified).collect();
            let values: Vec<Value> = (0..variable.values)
                .map(|value| {
                    if !variable.whole {
                        return Value::Plain(value.to_string());
                    }
                    let content = system.content(number, value);
                    let element =
                        if content == UNDEFINED { None } else { model.types.element(cell.ty, content) };
                    let position =
                        element.and_then(|(d, e)| Some((self.domains.iter().position(|of| *of == d)?, e)));
                    match position {
                        Some((domain, element)) => Value::Element(domain, element),
                        None => match model.types.show(cell.ty, content) {
                            shown if shown == other => Value::Other,
                            shown => Value::Plain(shown),
                        },
                    }
                })
                .collect();
            let mut pieces = pieces(&cell.name, &indices);
            if !variable.whole {
                pieces
                    .push(format!("#bit {}", variable.first - system.encoding.cells()[variable.cell].first));
            }
            let domains: Vec<usize> = indices.iter().map(|(domain, ..)| *domain).collect();
            let family = self.family(pieces, domains.clone(), &values);
            let elements: Vec<u32> = indices.iter().map(|(_, element, _)| *element).collect();
            layout.domains_of.insert(family, domains);
            layout.find.insert((family, elements.clone()), number);
            layout.placed.push(Placed { family, elements, values });
        }
        layout
    }

    fn family(&mut self, pieces: Vec<String>, domains: Vec<usize>, values: &[Value]) -> usize {
        let key = format!("{}|{domains:?}", pieces.join("·"));
        let at = self.index.get(&key).copied().unwrap_or_else(|| {
            let (plain, ids, undefined) = (BTreeSet::new(), false, false);
            self.families.push(Family { pieces, domains, plain, ids, undefined });
            self.index.insert(key, self.families.len() - 1);
            self.families.len() - 1
        });
        let family = &mut self.families[at];
        for value in values {
            match value {
                Value::Plain(shown) => {
                    family.undefined |= shown == "Undefined";
                    family.plain.insert(shown.clone());
                }
                Value::Element(..) | Value::Other => family.ids = true,
            }
        }
        at
    }
}

/// The name of a cell without the elements on the way to it.
fn pieces(name: &str, indices: &[(usize, u32, String)]) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut wanted = indices.iter().map(|(_, _, name)| name.as_str()).peekable();
    let mut rest = name;
    while let Some(open) = rest.find('[') {
        let close = rest[open..].find(']').map_or(rest.len(), |close| open + close);
        let (before, inside) = (&rest[..=open], &rest[open + 1..close]);
        let last = pieces.len() - 1;
        pieces[last].push_str(before);
        if wanted.peek() == Some(&inside) {
            wanted.next();
            pieces.push(String::new());
        } else {
            pieces[last].push_str(inside);
        }
        rest = &rest[close..];
    }
    let last = pieces.len() - 1;
    pieces[last].push_str(rest);
    pieces
}

/// The clause that excludes a cube and its images, at every size.
pub fn lift(layout: &Layout, cube: &Cube) -> Clause {
    let mut excluded: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
    for one in cube {
        excluded.entry(variable(*one)).or_default().insert(value(*one));
    }
    type Element = (usize, u32);
    let mut named: BTreeSet<Element> = BTreeSet::new();
    let mut drafts = Vec::new();
    for variable in excluded.keys() {
        named.extend(layout.elements_of(*variable));
    }
    for (variable, values) in &excluded {
        let placed = &layout.placed[*variable];
        let mut plain = BTreeSet::new();
        let (mut out, mut kept): (Vec<Element>, Vec<Element>) = (Vec::new(), Vec::new());
        for (number, value) in (0..).zip(&placed.values) {
            match value {
                Value::Plain(shown) if values.contains(&number) => drop(plain.insert(shown.clone())),
                Value::Element(domain, element) if values.contains(&number) => out.push((*domain, *element)),
                Value::Element(domain, element) => kept.push((*domain, *element)),
                Value::Plain(_) | Value::Other => {}
            }
        }
        let cost = |list: &[Element]| {
            list.iter().filter(|element| !named.contains(element)).count() * 16 + list.len()
        };
        let others = !out.is_empty() && cost(&kept) < cost(&out);
        let list = if others { kept } else { out };
        named.extend(list.iter().copied());
        drafts.push((*variable, plain, list, others));
    }
    let folded = folded(layout, &named, &drafts);
    let some = folded.first().map(|(domain, _)| *domain);
    let mut order: Vec<Element> = named.into_iter().filter(|element| !folded.contains(element)).collect();
    let variables: Vec<usize> = order.iter().map(|(domain, _)| *domain).collect();
    // One of those that are alike stands for all of them, after the others.
    order.extend(folded.first());
    drafts.retain(|(variable, ..)| {
        let elements = layout.elements_of(*variable);
        folded.iter().skip(1).all(|alike| !elements.contains(alike))
    });
    let position = |element: &Element| order.iter().position(|other| other == element).unwrap_or(0);
    let mut literals: Vec<Literal> = drafts
        .into_iter()
        .map(|(variable, plain, list, others)| Literal {
            family: layout.placed[variable].family,
            indices: layout.elements_of(variable).iter().map(position).collect(),
            plain,
            named: list.iter().map(position).collect(),
            others,
        })
        .collect();
    literals.sort();
    Clause { variables, some, literals }.canonical()
}

/// What is drafted of a literal: the variable, plain values, elements, and whether those are the other ones.
type Draft = (usize, BTreeSet<String>, Vec<(usize, u32)>, bool);

/// If a cube names all elements of a domain: those of which it says the same. They stand for "all others", so the clause
/// says that some other element is different.
fn folded(layout: &Layout, named: &BTreeSet<(usize, u32)>, drafts: &[Draft]) -> Vec<(usize, u32)> {
    type Profile = Vec<(usize, Vec<Option<(usize, u32)>>, BTreeSet<String>, Vec<(usize, u32)>, bool)>;
    for (domain, size) in layout.sizes.iter().enumerate() {
        let here: Vec<(usize, u32)> = named.iter().copied().filter(|(of, _)| *of == domain).collect();
        if here.len() as u32 != *size || here.len() < 2 {
            continue;
        }
        let mut alike: BTreeMap<Profile, Vec<(usize, u32)>> = BTreeMap::new();
        for element in here {
            if drafts.iter().any(|(_, _, list, _)| list.contains(&element)) {
                continue;
            }
            let mut profile = Profile::new();
            for (variable, plain, list, others) in drafts {
                let elements = layout.elements_of(*variable);
                if elements.contains(&element) {
                    let way = elements.iter().map(|other| (*other != element).then_some(*other)).collect();
                    let family = layout.placed[*variable].family;
                    profile.push((family, way, plain.clone(), list.clone(), *others));
                }
            }
            profile.sort();
            alike.entry(profile).or_default().push(element);
        }
        let Some(class) = alike.into_values().max_by_key(Vec::len) else { continue };
        let together = drafts.iter().any(|(variable, ..)| {
            layout.elements_of(*variable).iter().filter(|element| class.contains(element)).count() > 1
        });
        if class.len() >= 2 && !together {
            return class;
        }
    }
    Vec::new()
}

impl Layout {
    /// The elements on the way to a variable.
    fn elements_of(&self, variable: usize) -> Vec<(usize, u32)> {
        let placed = &self.placed[variable];
        self.domains_of[&placed.family].iter().copied().zip(placed.elements.iter().copied()).collect()
    }
}

impl Clause {
    /// How many variables of each domain it has.
    pub fn counts(&self, domains: usize) -> Vec<u32> {
        (0..domains).map(|domain| self.variables.iter().filter(|d| **d == domain).count() as u32).collect()
    }

    /// The least of all ways to order its variables, so that equal clauses are found to be.
    fn canonical(self) -> Clause {
        if self.variables.len() > 5 {
            return self;
        }
        let mut orders = vec![Vec::new()];
        for _ in 0..self.variables.len() {
            orders = orders
                .into_iter()
                .flat_map(|order: Vec<usize>| {
                    let free = (0..self.variables.len()).filter(|i| !order.contains(i)).collect::<Vec<_>>();
                    free.into_iter().map(move |i| order.iter().copied().chain([i]).collect::<Vec<_>>())
                })
                .collect();
        }
        // The variable for some other element stays the last one.
        let last = self.variables.len();
        let longer = |mut order: Vec<usize>| {
            order.push(last);
            order
        };
        orders.into_iter().map(|order| self.renamed(&longer(order))).min().unwrap_or(self)
    }

    /// With variable `i` called `order[i]`.
    fn renamed(&self, order: &[usize]) -> Clause {
        let mut variables = vec![0; self.variables.len()];
        for (i, domain) in self.variables.iter().enumerate() {
            variables[order[i]] = *domain;
        }
        let rename = |literal: &Literal| Literal {
            indices: literal.indices.iter().map(|i| order[*i]).collect(),
            named: literal.named.iter().map(|i| order[*i]).collect(),
            ..literal.clone()
        };
        let mut literals: Vec<Literal> = self.literals.iter().map(rename).collect();
        literals.sort();
        Clause { variables, some: self.some, literals }
    }

    /// Whether only one choice of elements matters in each state: every variable is the value of a variable outside all
    /// arrays, or the clause holds. Then its other element is one witness. A literal that leaves some plain value out, say
    /// that it is undefined, pins nothing: with that value, every choice of elements matters.
    pub fn is_pinned(&self, schema: &Schema) -> bool {
        let pins = |one: &Literal, variable: usize| {
            let family = &schema.families[one.family];
            let only = one.others && one.named.len() == 1 && one.named.contains(&variable);
            only && family.domains.is_empty() && family.plain.is_subset(&one.plain)
        };
        (0..self.variables.len()).all(|variable| self.literals.iter().any(|one| pins(one, variable)))
    }

    /// Its instances in a system of some size, each as the cube that it excludes. With `fixed` elements, only one of
    /// those that differ in how other elements are called.
    pub fn cubes(&self, layout: &Layout, fixed: Option<&[Vec<u32>]>) -> Vec<Cube> {
        let mut cubes = Vec::new();
        self.assign(layout, fixed, &mut Vec::new(), &mut |chosen| {
            cubes.extend(self.cube(layout, chosen));
        });
        cubes.sort();
        cubes.dedup();
        cubes
    }

    fn assign(
        &self,
        layout: &Layout,
        fixed: Option<&[Vec<u32>]>,
        chosen: &mut Vec<u32>,
        sink: &mut dyn FnMut(&[u32]),
    ) {
        let Some(domain) = self.variables.get(chosen.len()) else { return sink(chosen) };
        let taken = |element: u32, chosen: &[u32]| {
            chosen.iter().zip(&self.variables).any(|(other, of)| of == domain && *other == element)
        };
        let mut fresh = false;
        for element in 0..layout.sizes[*domain] {
            if taken(element, chosen) {
                continue;
            }
            if let Some(fixed) = fixed
                && !fixed[*domain].contains(&element)
                && std::mem::replace(&mut fresh, true)
            {
                continue;
            }
            chosen.push(element);
            self.assign(layout, fixed, chosen, sink);
            chosen.pop();
        }
    }

    /// The cube that the instance for some elements excludes; none if the instance always holds.
    fn cube(&self, layout: &Layout, chosen: &[u32]) -> Option<Cube> {
        let mut cube = Cube::new();
        // A literal about some other element is one about each of them.
        let mut instances: Vec<(&Literal, Vec<u32>)> = Vec::new();
        for one in &self.literals {
            if !one.indices.contains(&self.variables.len()) {
                instances.push((one, one.indices.iter().map(|i| chosen[*i]).collect()));
                continue;
            }
            let domain = self.some?;
            let taken = |element: u32| {
                chosen.iter().zip(&self.variables).any(|(other, of)| *of == domain && *other == element)
            };
            for element in (0..layout.sizes[domain]).filter(|element| !taken(*element)) {
                let at = |i: &usize| chosen.get(*i).copied().unwrap_or(element);
                instances.push((one, one.indices.iter().map(at).collect()));
            }
        }
        for (one, elements) in instances {
            let at = *layout.find.get(&(one.family, elements))?;
            let is_named = |domain: usize, element: u32| {
                one.named.iter().any(|i| self.variables[*i] == domain && chosen[*i] == element)
            };
            for (number, value) in (0..).zip(&layout.placed[at].values) {
                let has = match value {
                    Value::Plain(shown) => one.plain.contains(shown),
                    Value::Element(domain, element) => is_named(*domain, *element) != one.others,
                    Value::Other => one.others,
                };
                if has {
                    cube.push(literal(at, number));
                }
            }
        }
        cube.sort_unstable();
        cube.dedup();
        let mut first = 0;
        while first < cube.len() {
            let of = variable(cube[first]);
            let many = cube[first..].iter().take_while(|one| variable(**one) == of).count();
            if many == layout.placed[of].values.len() {
                return None;
            }
            first += many;
        }
        Some(cube)
    }
}

impl Clause {
    /// That a cell has one of some plain values or any element, for elements that differ where these do.
    pub fn everywhere(family: usize, domains: &[usize], elements: &[u32], plain: BTreeSet<String>) -> Clause {
        let mut seen: Vec<(usize, u32)> = Vec::new();
        let mut indices = Vec::new();
        for element in domains.iter().copied().zip(elements.iter().copied()) {
            let at = seen.iter().position(|other| *other == element).unwrap_or_else(|| {
                seen.push(element);
                seen.len() - 1
            });
            indices.push(at);
        }
        let literal = Literal { family, indices, plain, named: BTreeSet::new(), others: true };
        let variables = seen.into_iter().map(|(domain, _)| domain).collect();
        Clause { variables, some: None, literals: vec![literal] }
    }
}
