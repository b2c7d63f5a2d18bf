//! Sizes, durations and other values as people write them.

use std::path::PathBuf;
use std::time::Duration;

use burnside::report::formats::Format;

/// Reads a size in bytes: `256M`, `8G`, `1.5G`; without a unit, bytes.
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a size: write for example 256M, 8G or 1.5G");
    let trimmed = text.trim();
    let upper = trimmed.to_ascii_uppercase();
    let short = upper.strip_suffix("IB").or_else(|| upper.strip_suffix('B')).unwrap_or(&upper);
    let (number, unit) = match short.char_indices().next_back() {
        Some((at, unit @ ('K' | 'M' | 'G' | 'T'))) => (&short[..at], unit),
        _ => (short, ' '),
    };
    let shift = match unit {
        'K' => 10,
        'M' => 20,
        'G' => 30,
        'T' => 40,
        _ => 0,
    };
    let number = decimal(number).ok_or_else(wrong)?;
    let bytes = number * (1u64 << shift) as f64;
    if bytes < 1.0 || bytes >= u64::MAX as f64 { Err(wrong()) } else { Ok(bytes as u64) }
}

/// Reads a format and the file that gets it: `junit=result.xml`.
pub fn format(text: &str) -> Result<(Format, PathBuf), String> {
    let (name, file) = text.split_once('=').unwrap_or((text, "-"));
    let format = Format::ALL.into_iter().find(|format| format.name() == name);
    let known: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
    match format {
        Some(format) if !file.is_empty() => Ok((format, PathBuf::from(file))),
        Some(_) => Err(format!("`{text}` names no file: write {name}=FILE")),
        None => Err(format!("there is no format `{name}`; there are {}", known.join(", "))),
    }
}

/// Reads a duration: `2s`, `10m`, `1h30m`, `500ms`, `1.5s`; without a unit, seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a duration: write for example 2s, 10m, 1h30m or 500ms");
    let mut rest = text.trim();
    let (mut seconds, mut some) = (0.0, false);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number = decimal(&rest[..digits]).ok_or_else(wrong)?;
        rest = &rest[digits..];
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let unit = match &rest[..letters] {
            "" if !some && rest.is_empty() => 1.0,
            "ms" => 0.001,
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "d" => 86400.0,
            _ => return Err(wrong()),
        };
        rest = &rest[letters..];
        seconds += number * unit;
        some = true;
    }
    if !some {
        return Err(wrong());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// Digits with at most one point in between; no sign, no exponent.
fn decimal(text: &str) -> Option<f64> {
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    (plain && text.starts_with(|c: char| c.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

/// Reads how near bounds must be.
pub fn precision(text: &str) -> Result<f64, String> {
    let near = text.trim().parse().ok().filter(|near| (1e-12..1.0).contains(near));
    near.ok_or_else(|| format!("`{text}` is not between 1e-12 and 1"))
}

/// Reads `NAME=VALUE`.
pub fn constant(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(format!("`{text}` is not of the form NAME=VALUE, for example N=4")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("256M"), Ok(256 << 20));
        assert_eq!(size("8G"), Ok(8 << 30));
        assert_eq!(size("1.5g"), Ok(3 << 29));
        assert_eq!(size("512KiB"), Ok(512 << 10));
        assert_eq!(size("1000"), Ok(1000));
        for wrong in ["", "G", "-1G", "1e3", "8Q", "0", "1..5G", "99999999999T", "ß"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations() {
        assert_eq!(duration("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(duration("1h30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        for wrong in ["", "s", "1h30", "-2s", "2 weeks", "1e9s", "999999999999999999999d", "2ß"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn constants() {
        assert_eq!(constant("N=4"), Ok(("N".to_owned(), "4".to_owned())));
        assert!(constant("N").is_err() && constant("=4").is_err() && constant("N=").is_err());
    }
}
