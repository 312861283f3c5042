//! What kind of processor a worker has, as far as numbers may depend on it.

/// The processor's architecture and the vector instructions that arithmetic may use, such as `x86-64 fma
/// avx2`.
pub fn processor() -> String {
    #[cfg(target_arch = "x86_64")]
    {
        let has = [
            ("fma", std::arch::is_x86_feature_detected!("fma")),
            ("avx2", std::arch::is_x86_feature_detected!("avx2")),
            ("avx512f", std::arch::is_x86_feature_detected!("avx512f")),
        ];
        has.iter().filter(|(_, there)| *there).fold("x86-64".to_owned(), |all, (name, _)| all + " " + name)
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::env::consts::ARCH.to_owned()
}

/// What of a processor its last digits may depend on: its architecture, and whether a product and a sum are
/// rounded once. The width of vectors is not: sums have a fixed number of lanes.
pub(crate) fn rounding_class(processor: &str) -> String {
    let mut words = processor.split(' ');
    let architecture = words.next().unwrap_or_default();
    match (architecture, words.any(|word| word == "fma")) {
        ("x86-64", true) => "x86-64 with fused arithmetic (FMA)".to_owned(),
        ("x86-64", false) => "x86-64 without fused arithmetic (FMA)".to_owned(),
        (other, _) => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_processor_has_a_class() {
        assert!(!processor().is_empty());
        assert_eq!(rounding_class(&processor()), rounding_class(&(processor() + " later")));
    }

    #[test]
    fn classes_differ_where_rounding_may() {
        let class = |processor: &str| rounding_class(processor);
        assert_eq!(class("x86-64 fma avx2"), class("x86-64 fma avx2 avx512f"));
        assert_ne!(class("x86-64 fma avx2"), class("x86-64"));
        assert_ne!(class("x86-64 fma avx2"), class("aarch64"));
        assert_eq!(class("aarch64"), "aarch64");
    }
}
