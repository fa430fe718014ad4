//! The brands of banks. The widget API lists banks by their registered names.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use crate::plain_text::plain_text;

#[derive(Deserialize)]
struct Brand {
    name: String,
    /// The names under which a list may have the bank, in plain text.
    registered: Vec<String>,
}

/// Each brand by its words. The bank form's search has the same table
/// (`islands-react/src/bank-form`).
static BRANDS: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let brands: Vec<Brand> =
        serde_json::from_str(include_str!("brands.json")).expect("the table is constant");
    let names = |Brand { name, registered }: Brand| {
        let name: &'static str = name.leak();
        registered
            .into_iter()
            .chain([name.to_owned()])
            .map(move |known| (core_words(&known), name))
    };
    brands.into_iter().flat_map(names).collect()
});

/// Words of legal forms, and words in the names of nearly all banks.
const COMMON: &str = " banco bco s a sa ltda ip scd instituicao de pagamento pagamentos sociedade credito direto financiamento \
    e investimento multiplo do da ";

/// The brand of a bank: "Nubank" for "260 - NU PAGAMENTOS S.A.". `None` if the bank is known by its
/// registered name.
pub fn brand_of(bank: &str) -> Option<&'static str> {
    BRANDS.get(&core_words(bank)).copied()
}

/// The distinctive words of a bank's name, without a leading code.
fn core_words(name: &str) -> String {
    let plain = plain_text(name);
    let words = plain
        .split_whitespace()
        .filter(|word| !COMMON.contains(&format!(" {word} ")));
    words
        .skip_while(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Case {
        name: String,
        brand: String,
    }

    /// The bank form is tested with the same table (`islands-react/src/testing/banks.ts`).
    #[test]
    fn finds_brand_by_registered_name() {
        let cases: Vec<Case> = serde_json::from_str(include_str!("brand_cases.json")).unwrap();
        assert!(cases.len() > 50);
        for Case { name, brand } in cases {
            assert_eq!(brand_of(&name).unwrap_or_default(), brand, "{name}");
        }
    }

    #[test]
    fn finds_brand_despite_code_case_and_accents() {
        for (bank, brand) in [
            (
                "260 - NU PAGAMENTOS S.A. - INSTITUIÇÃO DE PAGAMENTO",
                Some("Nubank"),
            ),
            ("Nubank", Some("Nubank")),
            ("Nu Pagamentos S.A (Nubank)", Some("Nubank")),
            ("Banco Do Brasil S.A (BB)", Some("Banco do Brasil")),
            (
                "Banrisul – Banco do Estado do Rio Grande do Sul S.A.",
                Some("Banrisul"),
            ),
            ("Banco Cooperativo do Brasil S.A. - Bancoob", Some("Sicoob")),
            (
                "PagSeguro Internet Instituic\u{327}a\u{303}o de Pagamento S.A.",
                Some("PagBank"),
            ),
            ("Brasil Plural S.A. Banco Múltiplo", None),
            ("Caixa de Crédito Rural", None),
            ("Banco Caixa Geral - Brasil S.A.", None),
            ("Banco Itaú BBA S.A.", None),
            ("Nu Financeira S.A.", None),
            ("Itaú Empresas", None),
            ("Cooperativa de Crédito do Vale", None),
            ("341", None),
            ("", None),
        ] {
            assert_eq!(brand_of(bank), brand, "{bank}");
        }
    }
}
