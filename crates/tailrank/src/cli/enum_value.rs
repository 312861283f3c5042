//! Arguments that are words of an experiment file: read as the file reads them.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;

/// Reads one of `words`, which are those of `T` in an experiment file.
pub(super) fn enum_value_parser<T>(
    words: &'static [&'static str],
) -> impl TypedValueParser<Value = T> + use<T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words).try_map(|word| serde_json::from_value::<T>(word.into()))
}

#[cfg(test)]
mod tests {
    use tailrank_data::NumberFormat;
    use tailrank_metrics::relevance::Extremes;

    use super::*;

    fn read<T>(words: &'static [&'static str]) -> Vec<T>
    where
        T: DeserializeOwned + Clone + Send + Sync + 'static,
    {
        let command = clap::Command::new("test").no_binary_name(true);
        let command = command.arg(clap::Arg::new("word").value_parser(enum_value_parser::<T>(words)));
        let of = |word: &&str| command.clone().get_matches_from([*word]).remove_one::<T>("word");
        words.iter().filter_map(of).collect()
    }

    #[test]
    fn every_word_offered_is_one_of_a_file() {
        assert_eq!(
            read::<Extremes>(super::super::score::EXTREMES),
            [Extremes::Low, Extremes::High, Extremes::Both]
        );
        assert_eq!(
            read::<NumberFormat>(super::super::init::SIGNS),
            [NumberFormat::Point, NumberFormat::Comma]
        );
    }
}
