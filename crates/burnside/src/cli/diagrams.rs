//! The options of the engine with decision diagrams, and which others it does not have.

use burnside::{Choice, Diagrams, Kind, Order, Search, Sizes, Sorting, Under};
use clap::{Args, ValueEnum};

use super::check::{CheckArgs, EngineArg, ReduceArg};

#[derive(Args)]
pub struct DiagramArgs {
    /// With `--engine bdd`: the order of variables [default: auto]
    #[arg(long, value_enum)]
    order: Option<OrderArg>,
    /// With `--engine bdd`: look for a better order of variables between steps
    #[arg(long)]
    reorder: bool,
    /// With `--engine bdd`: one relation per component, or one of all steps; or those between representatives [default:
    /// partitioned]
    #[arg(long, value_enum)]
    relation: Option<RelationArg>,
    /// With `--reduce` by sorting: the order of a local variable's values, such as `state=C,N,T`
    #[arg(long, value_name = "VARIABLE=VALUES", value_parser = local_order)]
    local_order: Vec<(String, Vec<String>)>,
    /// How reachable states are found: with `--engine bdd` [default: chaining, or bfs with a bound], or `bfs` and `dfs`
    /// for a UPPAAL model [default: bfs]
    #[arg(long, value_enum)]
    search: Option<SearchArg>,
    /// With `--engine count`: how counted states are kept [default: diagram where possible, or explicit]
    #[arg(long, value_enum)]
    pub counters: Option<CountersArg>,
    /// With `--reduce dynamic` and `component`: how representatives are sorted [default: insertion]
    #[arg(long, value_enum)]
    alpha: Option<AlphaArg>,
    /// With `--reduce on-the-fly`: how often permutations are applied to find orbits; `full` is as often as it takes
    /// [default: full]
    #[arg(long, value_name = "K|full", value_parser = sigma_steps)]
    sigma_steps: Option<SigmaSteps>,
    /// With `--reduce on-the-fly`: step from so much of the states found as has so many nodes, more and more with time; from
    /// those that are many for their nodes, or with `random:` from any [default: off]
    #[arg(long, value_name = "[random:]NODES|off", value_parser = under)]
    under: Option<UnderArg>,
}

/// How often permutations are applied.
#[derive(Clone, Copy)]
struct SigmaSteps(Option<u64>);

fn sigma_steps(text: &str) -> Result<SigmaSteps, String> {
    match text {
        "full" => Ok(SigmaSteps(None)),
        number => {
            number.parse().map(|k| SigmaSteps(Some(k))).map_err(|_| "expected a number or `full`".to_owned())
        }
    }
}

/// How much is stepped from.
#[derive(Clone, Copy)]
struct UnderArg(Option<Under>);

fn under(text: &str) -> Result<UnderArg, String> {
    if text == "off" {
        return Ok(UnderArg(None));
    }
    let (choice, nodes) = match text.strip_prefix("random:") {
        Some(nodes) => (Choice::Random, nodes),
        None => (Choice::Heavy, text),
    };
    match nodes.parse() {
        Ok(nodes) if nodes > 0 => Ok(UnderArg(Some(Under { nodes, choice }))),
        _ => Err("expected a number of nodes, `random:` and a number, or `off`".to_owned()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CountersArg {
    /// Sets of them, as diagrams of multisets
    Diagram,
    /// One by one, each as the local states that occur with their numbers
    Explicit,
    /// As states of the program that `translate --counters` prints, in decision diagrams
    Bdd,
}

#[derive(Clone, Copy, ValueEnum)]
enum AlphaArg {
    /// Whatever is out of place moves to its place
    Insertion,
    /// Sweeps over all neighbours, as published
    Bubble,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RelationArg {
    /// Those of each component, small ones together
    Partitioned,
    /// One, of all steps
    Monolithic,
    /// With `--reduce orbit-relation` and `multiple-representatives`: those between representatives
    Quotient,
}

/// Reads `VARIABLE=VALUE,VALUE`.
fn local_order(text: &str) -> Result<(String, Vec<String>), String> {
    let (variable, values) = text.split_once('=').ok_or("expected VARIABLE=VALUE,VALUE")?;
    Ok((variable.trim().to_owned(), values.split(',').map(|value| value.trim().to_owned()).collect()))
}

#[derive(Clone, Copy, ValueEnum)]
enum OrderArg {
    /// From the model: one component after the other, or one index of arrays after the other
    Auto,
    /// One component after the other
    Concatenated,
    /// The first bits of all components, then the second ones
    Interleaved,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SearchArg {
    /// Level by level: traces are shortest
    Bfs,
    /// What was found last first, in UPPAAL models
    Dfs,
    /// One component after the other
    Chaining,
    /// Always what is lowest in the order of variables
    Saturation,
}

impl DiagramArgs {
    /// What they ask for; `bounded` if only states near a start state are wanted.
    pub fn options(&self, bounded: bool) -> Diagrams {
        Diagrams {
            order: match self.order {
                None | Some(OrderArg::Auto) => Order::Auto,
                Some(OrderArg::Concatenated) => Order::Concatenated,
                Some(OrderArg::Interleaved) => Order::Interleaved,
            },
            reorder: self.reorder,
            monolithic: self.relation == Some(RelationArg::Monolithic),
            quotient: self.relation == Some(RelationArg::Quotient),
            local_order: self.local_order.clone(),
            search: match self.search {
                None if bounded => Search::Bfs,
                // Depth first is not for diagrams, as is checked.
                None | Some(SearchArg::Chaining | SearchArg::Dfs) => Search::Chaining,
                Some(SearchArg::Bfs) => Search::Bfs,
                Some(SearchArg::Saturation) => Search::Saturation,
            },
            sizes: Sizes::default(),
            sorting: match self.alpha {
                None | Some(AlphaArg::Insertion) => Sorting::Insertion,
                Some(AlphaArg::Bubble) => Sorting::Bubble,
            },
            sigma_steps: self.sigma_steps.and_then(|steps| steps.0),
            under: self.under.and_then(|under| under.0),
        }
    }

    /// Whether a timed model is searched depth first.
    pub fn depth_first(&self) -> bool {
        self.search == Some(SearchArg::Dfs)
    }

    /// Whether `--search` is one that timed models have, or the others.
    pub fn search_fits(&self, timed: bool) -> Result<(), String> {
        match self.search {
            Some(SearchArg::Dfs) if !timed => Err("`--search dfs` is for UPPAAL models only".to_owned()),
            Some(SearchArg::Chaining | SearchArg::Saturation) if timed => {
                Err("a timed model has `--search bfs` and `--search dfs`".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Whether the options of decision diagrams go together; that they are for them is known from the table.
    pub fn check(&self, args: &CheckArgs) -> Result<(), String> {
        if !matches!(args.engine, EngineArg::Bdd) {
            return Ok(());
        }
        let reduced = args.reduce.of_diagrams();
        if matches!(args.reduce, ReduceArg::OnTheFly) && args.bound.is_some() && self.under.is_some() {
            return Err("`--bound` is not possible with `--under`".to_owned());
        }
        let sorts = reduced.is_some_and(|(_, kind)| kind.sorts());
        if reduced.is_none() && self.relation == Some(RelationArg::Quotient) {
            let needs = "`--reduce orbit-relation` or `multiple-representatives`";
            return Err(format!("`--relation quotient` needs {needs}"));
        }
        if let Some((option, kind)) = reduced {
            let other = self.relation.filter(|relation| sorts || *relation == RelationArg::Monolithic);
            if other.is_some() {
                return Err(format!("`{option}` has its own relations: this `--relation` is not possible"));
            }
            let way = self.search.filter(|way| kind != Kind::Dynamic || *way == SearchArg::Saturation);
            if way.is_some() {
                return Err(format!(
                    "`{option}` has its own way to find states: this `--search` is not possible"
                ));
            }
            if args.bound.is_some() && !kind.can_have_levels() {
                return Err(format!("`--bound` counts levels, which `{option}` does not have"));
            }
        }
        if args.bound.is_some() && self.search.is_some_and(|search| search != SearchArg::Bfs) {
            return Err("`--bound` counts levels, which only `--search bfs` has".to_owned());
        }
        Ok(())
    }
}
