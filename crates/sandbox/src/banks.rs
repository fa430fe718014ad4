//! The bank list: well-known institutions with their public COMPE codes, and an invented
//! cooperative with a code of four digits.

use serde::Serialize;

/// The banks for accounts without a chosen bank, in rotation.
const PLAUSIBLE: [&str; 5] = ["077", "260", "341", "001", "748"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Bank {
    pub code: &'static str,
    pub name: &'static str,
}

const fn bank(code: &'static str, name: &'static str) -> Bank {
    Bank { code, name }
}

/// The bank list, by code.
pub(crate) static BANKS: [Bank; 40] = [
    bank("001", "Banco do Brasil S.A."),
    bank("003", "Banco da Amazônia S.A."),
    bank("004", "Banco do Nordeste do Brasil S.A."),
    bank("021", "Banestes S.A. Banco do Estado do Espírito Santo"),
    bank("033", "Banco Santander (Brasil) S.A."),
    bank("041", "Banco do Estado do Rio Grande do Sul S.A."),
    bank("070", "BRB - Banco de Brasília S.A."),
    bank("077", "Banco Inter S.A."),
    bank("085", "Cooperativa Central de Crédito - Ailos"),
    bank("104", "Caixa Econômica Federal"),
    bank("121", "Banco Agibank S.A."),
    bank(
        "133",
        "Confederação Nacional das Cooperativas Centrais de Crédito e Economia Familiar e Solidária - Cresol Confederação",
    ),
    bank(
        "136",
        "Cooperativa Central de Crédito Unicred do Brasil - Unicred do Brasil",
    ),
    bank("197", "Stone Instituição de Pagamento S.A."),
    bank("208", "Banco BTG Pactual S.A."),
    bank("212", "Banco Original S.A."),
    bank("218", "Banco BS2 S.A."),
    bank("237", "Banco Bradesco S.A."),
    bank("246", "Banco ABC Brasil S.A."),
    bank("254", "Paraná Banco S.A."),
    bank("260", "Nu Pagamentos S.A. - Instituição de Pagamento"),
    bank("290", "PagSeguro Internet Instituição de Pagamento S.A."),
    bank("318", "Banco BMG S.A."),
    bank("323", "Mercado Pago Instituição de Pagamento Ltda."),
    bank("336", "Banco C6 S.A."),
    bank("341", "Itaú Unibanco S.A."),
    bank("348", "Banco XP S.A."),
    bank("364", "Efí S.A. - Instituição de Pagamento"),
    bank("380", "PicPay Instituição de Pagamento S.A."),
    bank("389", "Banco Mercantil do Brasil S.A."),
    bank(
        "403",
        "Cora Sociedade de Crédito, Financiamento e Investimento S.A.",
    ),
    bank("422", "Banco Safra S.A."),
    bank(
        "461",
        "Asaas Gestão Financeira Instituição de Pagamento S.A.",
    ),
    bank("536", "Neon Pagamentos S.A. - Instituição de Pagamento"),
    bank("623", "Banco Pan S.A."),
    bank("655", "Banco Votorantim S.A."),
    bank("707", "Banco Daycoval S.A."),
    bank("748", "Banco Cooperativo Sicredi S.A."),
    bank("756", "Banco Cooperativo Sicoob S.A. - Banco Sicoob"),
    bank("9001", "Cooperativa de Crédito de Água Mansa"),
];

pub(crate) fn name_of(code: &str) -> Option<&'static str> {
    BANKS
        .iter()
        .find(|bank| bank.code == code)
        .map(|bank| bank.name)
}

/// Code of the bank with this connector id: the id with leading zeros.
pub(crate) fn code_of(connector_id: u32) -> String {
    format!("{connector_id:03}")
}

/// Name of a plausible bank for an account without a chosen one; rotates with `number`.
pub(crate) fn plausible(number: usize) -> &'static str {
    name_of(PLAUSIBLE[number % PLAUSIBLE.len()]).expect("the plausible banks are on the list")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_of_banks_are_unique() {
        for (at, bank) in BANKS.iter().enumerate() {
            let is_new = BANKS[..at]
                .iter()
                .all(|other| other.code != bank.code && other.name != bank.name);
            assert!(is_new, "{bank:?}");
            assert_eq!(
                code_of(bank.code.parse().unwrap()),
                bank.code,
                "one bank a connector"
            );
        }
    }
}
