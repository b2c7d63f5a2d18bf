//! A figure as a paper prints it: a number of nodes, and a time such as `22s`, `4:25m`, `14:10h` or `>24h`.

/// What a paper says of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The most nodes at a time, or the memory, as printed.
    pub nodes: &'static str,
    /// The time, as printed.
    pub time: &'static str,
}

impl Figure {
    /// A figure.
    pub const fn new(nodes: &'static str, time: &'static str) -> Figure {
        Figure { nodes, time }
    }

    /// The time in seconds, if the run ended.
    pub fn seconds(&self) -> Option<f64> {
        let unit = self.time.chars().last()?;
        let number = self.time.strip_suffix(unit)?;
        let (whole, part) = number.split_once(':').unwrap_or((number, "0"));
        let value = whole.parse::<f64>().ok()? + part.parse::<f64>().ok()? / 60.0;
        match unit {
            's' => Some(value),
            'm' => Some(value * 60.0),
            'h' => Some(value * 3600.0),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_seconds() {
        let seconds = |time| Figure::new("", time).seconds();
        assert_eq!(seconds("22s"), Some(22.0));
        assert_eq!(seconds("0.0s"), Some(0.0));
        assert_eq!(seconds("4386.7s"), Some(4386.7));
        assert_eq!(seconds("4:25m"), Some(265.0));
        assert_eq!(seconds("1:41h"), Some(6060.0));
        for none in ["", "—", ">24h", "mem ov"] {
            assert_eq!(seconds(none), None, "{none}");
        }
    }
}
