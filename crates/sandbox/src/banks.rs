//! The bank list: the best-known institutions under their public COMPE codes, and invented cooperatives to search in.

use std::sync::LazyLock;

use serde::Serialize;

/// Code of the first invented cooperative. COMPE codes have three digits, so there is no collision.
const FIRST_INVENTED_CODE: usize = 9001;

/// The banks for accounts without a chosen bank, in turn.
const PLAUSIBLE: [&str; 5] = ["077", "260", "341", "001", "748"];

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bank {
    pub code: String,
    pub name: String,
}

/// The bank list: the known banks by code, then the invented ones.
pub fn list() -> &'static [Bank] {
    static LIST: LazyLock<Vec<Bank>> = LazyLock::new(|| known().chain(invented()).collect());
    &LIST
}

pub fn name_of(code: &str) -> Option<&'static str> {
    list().iter().find(|bank| bank.code == code).map(|bank| bank.name.as_str())
}

/// Code of the bank with this connector id: the id with leading zeros.
pub fn code_of(connector_id: u32) -> String {
    format!("{connector_id:03}")
}

/// Name of a plausible bank for an account without a chosen one; rotates with `number`.
pub fn plausible(number: usize) -> &'static str {
    name_of(PLAUSIBLE[number % PLAUSIBLE.len()]).expect("the plausible banks are on the list")
}

fn known() -> impl Iterator<Item = Bank> {
    KNOWN.iter().map(|(code, name)| Bank { code: (*code).to_owned(), name: (*name).to_owned() })
}

fn invented() -> impl Iterator<Item = Bank> {
    let names = COOPERATIVES.iter().flat_map(|of| PLACES.iter().map(move |place| format!("{of} {place}")));
    names.enumerate().map(|(at, name)| Bank { code: (FIRST_INVENTED_CODE + at).to_string(), name })
}

const KNOWN: [(&str, &str); 54] = [
    ("001", "Banco do Brasil S.A."),
    ("003", "Banco da Amazônia S.A."),
    ("004", "Banco do Nordeste do Brasil S.A."),
    ("021", "Banestes S.A. Banco do Estado do Espírito Santo"),
    ("033", "Banco Santander (Brasil) S.A."),
    ("037", "Banco do Estado do Pará S.A."),
    ("041", "Banco do Estado do Rio Grande do Sul S.A."),
    ("047", "Banco do Estado de Sergipe S.A."),
    ("069", "Banco Crefisa S.A."),
    ("070", "BRB - Banco de Brasília S.A."),
    ("077", "Banco Inter S.A."),
    ("082", "Banco Topázio S.A."),
    ("084", "Sisprime do Brasil - Cooperativa de Crédito"),
    ("085", "Cooperativa Central de Crédito - Ailos"),
    ("104", "Caixa Econômica Federal"),
    ("121", "Banco Agibank S.A."),
    (
        "133",
        "Confederação Nacional das Cooperativas Centrais de Crédito e Economia Familiar e Solidária - Cresol Confederação",
    ),
    ("136", "Cooperativa Central de Crédito Unicred do Brasil - Unicred do Brasil"),
    ("197", "Stone Instituição de Pagamento S.A."),
    ("208", "Banco BTG Pactual S.A."),
    ("212", "Banco Original S.A."),
    ("218", "Banco BS2 S.A."),
    ("224", "Banco Fibra S.A."),
    ("237", "Banco Bradesco S.A."),
    ("243", "Banco Master S.A."),
    ("246", "Banco ABC Brasil S.A."),
    ("254", "Paraná Banco S.A."),
    ("260", "Nu Pagamentos S.A. - Instituição de Pagamento"),
    ("290", "PagSeguro Internet Instituição de Pagamento S.A."),
    ("318", "Banco BMG S.A."),
    ("323", "Mercado Pago Instituição de Pagamento Ltda."),
    ("335", "Banco Digio S.A."),
    ("336", "Banco C6 S.A."),
    ("341", "Itaú Unibanco S.A."),
    ("348", "Banco XP S.A."),
    ("364", "Efí S.A. - Instituição de Pagamento"),
    ("376", "Banco J.P. Morgan S.A."),
    ("380", "PicPay Instituição de Pagamento S.A."),
    ("389", "Banco Mercantil do Brasil S.A."),
    ("403", "Cora Sociedade de Crédito, Financiamento e Investimento S.A."),
    ("422", "Banco Safra S.A."),
    ("461", "Asaas Gestão Financeira Instituição de Pagamento S.A."),
    ("536", "Neon Pagamentos S.A. - Instituição de Pagamento"),
    ("542", "CloudWalk Instituição de Pagamento e Serviços Ltda."),
    ("623", "Banco Pan S.A."),
    ("633", "Banco Rendimento S.A."),
    ("637", "Banco Sofisa S.A."),
    ("655", "Banco Votorantim S.A."),
    ("707", "Banco Daycoval S.A."),
    ("739", "Banco Cetelem S.A."),
    ("743", "Banco Semear S.A."),
    ("745", "Banco Citibank S.A."),
    ("748", "Banco Cooperativo Sicredi S.A."),
    ("756", "Banco Cooperativo Sicoob S.A. - Banco Sicoob"),
];

const COOPERATIVES: [&str; 12] = [
    "Cooperativa de Crédito de",
    "Cooperativa de Crédito Rural de",
    "Cooperativa de Crédito Mútuo dos Servidores de",
    "Cooperativa de Crédito dos Comerciantes de",
    "Cooperativa de Crédito dos Médicos de",
    "Cooperativa de Crédito dos Produtores de Café de",
    "Cooperativa de Crédito dos Professores de",
    "Cooperativa de Crédito dos Contabilistas de",
    "Cooperativa de Crédito dos Transportadores de",
    "Cooperativa de Crédito dos Metalúrgicos de",
    "Cooperativa de Crédito e Investimento de",
    "Cooperativa de Economia e Crédito Mútuo de",
];

const PLACES: [&str; 14] = [
    "Água Mansa",
    "Açaí do Norte",
    "Campo Sereno",
    "Córrego Fundo do Sul",
    "Ipê Dourado",
    "Lagoa Prateada",
    "Monte Aurora",
    "Pedra Lisa",
    "Porto Bonança",
    "Ribeirão Claro do Oeste",
    "São Benedito da Várzea",
    "Serra Clara",
    "Vale Dourado",
    "Vila Esperança Nova",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_222_banks_with_codes_and_names_of_their_own() {
        let list = list();
        assert_eq!(list.len(), 222);
        for (at, bank) in list.iter().enumerate() {
            let is_new = list[..at].iter().all(|other| other.code != bank.code && other.name != bank.name);
            assert!(is_new && !bank.name.is_empty(), "{bank:?}");
            assert_eq!(code_of(bank.code.parse().unwrap()), bank.code, "one bank a connector");
        }
    }
}
