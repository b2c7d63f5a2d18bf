//! Timed automata: sets of clock values as zones, and the search of networks.

pub mod check;
pub mod conditions;
pub mod differences;
pub mod explore;
pub mod extremes;
pub mod fastest;
pub mod findings;
mod kept;
pub mod lasso;
pub mod limits;
pub mod live;
pub mod places;
pub mod run;
pub mod somewhere;
pub mod steps;
pub mod symmetry;
pub mod times;
pub mod verify;
pub mod waiting;
pub mod zone;
