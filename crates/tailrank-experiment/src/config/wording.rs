//! serde's words for a value that does not fit, in those of the people who write experiment files.

use tailrank_models::nearest;

/// What is wrong with the value of a key; `key` is its name without its sections.
pub(super) fn humanise_serde_error(message: &str, key: &str) -> String {
    misfit(message)
        .or_else(|| wrong_length(message))
        .or_else(|| unknown_name(message, key))
        .unwrap_or_else(|| message.to_owned())
}

/// `invalid type: string "many", expected u32`, and `invalid value: integer …`.
fn misfit(message: &str) -> Option<String> {
    let rest = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "))?;
    let (found, expected) = rest.split_once(", expected ")?;
    let found = given(found);
    // A count of the right kind that its place cannot hold.
    let too_large = largest(expected).filter(|most| found.parse::<i128>().is_ok_and(|n| n > *most));
    Some(match too_large {
        Some(most) => format!("{found} is too large; give at most {most}"),
        None => format!("{found} is not {}", wanted(expected)),
    })
}

/// The value as the file writes it.
fn given(found: &str) -> String {
    if let Some(text) = found.strip_prefix("string ") {
        return format!("'{}'", text.trim_matches('"'));
    }
    let quoted = |text: &str| Some(text.split_once('`')?.1.split_once('`')?.0.to_owned());
    match found {
        "map" => "a table or date".to_owned(),
        "sequence" => "a list".to_owned(),
        other => quoted(other).unwrap_or_else(|| other.to_owned()),
    }
}

fn wanted(expected: &str) -> String {
    let list = |length: &str| format!("a list of {length} values");
    match expected {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number of 0 or more".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" | "string" | "str" => "a text in quotation marks".to_owned(),
        "path string" => "a path in quotation marks".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a table of keys and values".to_owned(),
        other if other.starts_with("struct ") || other.starts_with("internally tagged enum ") => {
            "a table of keys and values".to_owned()
        }
        "string or table" | "variant identifier" => "one of the names known here".to_owned(),
        other => {
            let length = other.strip_prefix("an array of length ");
            let length = length.or_else(|| other.strip_prefix("a tuple of size "));
            length.map_or_else(|| other.to_owned(), list)
        }
    }
}

fn largest(expected: &str) -> Option<i128> {
    match expected {
        "u8" => Some(u8::MAX.into()),
        "u16" => Some(u16::MAX.into()),
        "u32" => Some(u32::MAX.into()),
        // TOML itself ends there.
        "u64" | "usize" | "i64" | "isize" | "any value" => Some(i64::MAX.into()),
        _ => None,
    }
}

/// `invalid length 3, expected an array of length 2`.
fn wrong_length(message: &str) -> Option<String> {
    let (found, expected) = message.strip_prefix("invalid length ")?.split_once(", expected ")?;
    Some(format!("a list of length {found} is not {}", wanted(expected)))
}

/// ``unknown variant `random`, expected one of `date`, `fraction` ``.
fn unknown_name(message: &str, key: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown variant `")?;
    let (name, expected) = rest.split_once("`, expected ")?;
    let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let near = nearest(name, known.iter().copied());
    let hint = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
    let verb = if known.len() == 1 { "there is" } else { "there are" };
    Some(format!("there is no {key} '{name}'; {verb} {}{hint}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_type_of_the_program_is_named() {
        for (message, said) in [
            ("invalid type: string \"many\", expected u32", "'many' is not a whole number of 0 or more"),
            ("invalid value: integer `-1`, expected u64", "-1 is not a whole number of 0 or more"),
            (
                "invalid value: integer `5000000000`, expected u32",
                "5000000000 is too large; give at most 4294967295",
            ),
            (
                "invalid type: integer `99999999999999999999` as i128, expected u64",
                "99999999999999999999 is too large; give at most 9223372036854775807",
            ),
            ("invalid type: floating point `1.5`, expected usize", "1.5 is not a whole number of 0 or more"),
            ("invalid type: boolean `true`, expected f64", "true is not a number"),
            ("invalid type: string \"x\", expected a map", "'x' is not a table of keys and values"),
            ("invalid type: string \"x\", expected a sequence", "'x' is not a list"),
            ("invalid type: sequence, expected a string", "a list is not a text in quotation marks"),
            (
                "invalid length 3, expected an array of length 2",
                "a list of length 3 is not a list of 2 values",
            ),
            (
                "unknown variant `fractoin`, expected `date` or `fraction`",
                "there is no kind 'fractoin'; there are date, fraction; did you mean 'fraction'?",
            ),
            ("its own words", "its own words"),
        ] {
            assert_eq!(humanise_serde_error(message, "kind"), said);
        }
    }
}
