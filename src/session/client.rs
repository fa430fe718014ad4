//! The client and the firm, from token validation.

use serde::{Deserialize, Serialize};
use vincula_domain::{
    Private,
    bank::{BankCode, TaxId},
};
use vincula_upstream::{self as upstream, Id, SessionData};

use crate::{
    administrator::{Administrator, BankFormField, full_name},
    wire::WidgetType,
};

/// Session data as the validation returned it, with the rule for individuals applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    pub name: Private<String>,
    pub cpfcnpj: TaxId,
    /// The accounting firm. A consent needs its id and name.
    pub customer_id: Option<Id>,
    pub customer_name: String,
    pub admin_name: Private<String>,
    pub admin_cpfcnpj: TaxId,
    pub widget_type: WidgetType,
    pub bank: Option<BankCode>,
    pub link_id: Option<Id>,
    #[expect(clippy::struct_field_names, reason = "the name of the widget API")]
    pub client_uuid: Option<Id>,
}

impl From<SessionData> for Client {
    /// An individual administers their own account: name and CPF are the client's.
    fn from(data: SessionData) -> Self {
        let individual = data.client_cpfcnpj.is_individual();
        let (admin_name, admin_cpfcnpj) = if individual {
            (data.client_name.clone(), data.client_cpfcnpj.clone())
        } else {
            (
                data.widget_account_admin_name,
                data.widget_account_admin_cpfcnpj,
            )
        };
        Self {
            name: data.client_name,
            cpfcnpj: data.client_cpfcnpj,
            customer_id: data.customer_id,
            customer_name: data.customer_name,
            admin_name,
            admin_cpfcnpj,
            widget_type: match data.widget_type {
                upstream::WidgetType::New => WidgetType::New,
                upstream::WidgetType::Update => WidgetType::Update,
                upstream::WidgetType::Cancel => WidgetType::Cancel,
            },
            bank: BankCode::parse(&data.widget_account_bank),
            link_id: data.link_id,
            client_uuid: data.client_uuid,
        }
    }
}

impl Client {
    /// Whether the firm and the client are the same as before: a consent is of both.
    pub fn has_parties_of(&self, before: &Self) -> bool {
        self.firm_id() == before.firm_id() && self.cpfcnpj.bare() == before.cpfcnpj.bare()
    }

    /// The id of the firm as text; empty without one. The upstream may send a number or a text.
    pub fn firm_id(&self) -> String {
        self.customer_id
            .as_ref()
            .map_or_else(String::new, ToString::to_string)
    }

    /// The firm's id, if the client can consent to it: without a name, a consent would be to nobody.
    pub fn firm_to_authorize(&self) -> Option<&Id> {
        let has_name = !self.customer_name.is_empty();
        self.customer_id.as_ref().filter(|_| has_name)
    }

    /// The administrator as the session data names it. An individual's administrator is the client.
    pub fn administrator(&self) -> Administrator {
        let document = &self.admin_cpfcnpj;
        let cpf = document.cpf().unwrap_or_else(|| document.bare());
        Administrator::new(self.admin_name.clone(), cpf)
    }

    /// The fields of the administrator that cannot be edited, because they are the client's own.
    /// An invalid CPF (a company's own CNPJ, a masked text) stays editable, and so does a name that is
    /// too long: if they were read-only, the form could never be sent.
    pub fn fixed(&self) -> Vec<BankFormField> {
        let has_own_name = full_name(&self.admin_name).is_ok() && self.admin_name == self.name;
        let cpf = self.admin_cpfcnpj.cpf();
        let has_own_cpf = cpf.is_some() && cpf == self.cpfcnpj.cpf();
        let fields = [
            (BankFormField::Name, has_own_name),
            (BankFormField::Cpf, has_own_cpf),
        ];
        fields
            .into_iter()
            .filter_map(|(field, is_fixed)| is_fixed.then_some(field))
            .collect()
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A client from session data of the upstream.
    pub fn client(cpfcnpj: &str, admin_name: &str, admin_cpfcnpj: &str) -> Client {
        let data = serde_json::json!({
            "client_name": "Ana Souza", "client_cpfcnpj": cpfcnpj, "customer_id": 7, "customer_name": "Contábil Horizonte",
            "widget_account_admin_name": admin_name, "widget_account_admin_cpfcnpj": admin_cpfcnpj, "widget_type": "new",
        });
        serde_json::from_value::<SessionData>(data).unwrap().into()
    }

    #[test]
    fn individuals_administer_their_own_account() {
        let ana = client("529.982.247-25", "Outra Pessoa", "111.444.777-35");
        assert_eq!(
            (ana.admin_name.as_str(), ana.admin_cpfcnpj.as_str()),
            ("Ana Souza", "529.982.247-25")
        );
        assert_eq!(ana.fixed(), [BankFormField::Name, BankFormField::Cpf]);
    }

    #[test]
    fn a_cpf_that_lost_its_leading_zero_is_whole_in_the_form_only() {
        let individual = client("1234567890", "", "");
        assert_eq!(individual.cpfcnpj.as_str(), "1234567890");
        assert_eq!(*individual.administrator().cpf, "01234567890");
        let fields = [BankFormField::Name, BankFormField::Cpf];
        assert_eq!(individual.fixed(), fields);
    }

    #[test]
    fn a_document_that_could_never_be_sent_is_not_fixed() {
        for document in [
            "1234",
            "2998224725",
            "529.982.247-24",
            "11111111111",
            "***.982.247-**",
        ] {
            let individual = client(document, "", "");
            assert_eq!(individual.fixed(), [BankFormField::Name], "{document}");
        }
    }

    #[test]
    fn a_name_that_could_never_be_sent_is_not_fixed() {
        let mut individual = client("529.982.247-25", "", "");
        for (length, fixed) in [
            (120, &[BankFormField::Name, BankFormField::Cpf][..]),
            (121, &[BankFormField::Cpf]),
        ] {
            individual.name = "a".repeat(length).into();
            individual.admin_name = individual.name.clone();
            assert_eq!(individual.fixed(), fixed, "{length}");
        }
    }

    #[test]
    fn company_administrator_is_not_the_client() {
        let company = client("12.ABC.345/01DE-35", "Bia Lima", "111.444.777-35");
        assert_eq!(*company.admin_name, "Bia Lima");
        assert_eq!(company.fixed(), []);
        let itself = client("12ABC34501DE35", "Ana Souza", "12.ABC.345/01DE-35");
        assert_eq!(itself.fixed(), [BankFormField::Name], "a CNPJ is no CPF");
        let unknown = client("12ABC34501DE35", "", "");
        assert_eq!(unknown.fixed(), []);
    }

    #[test]
    fn keeps_administrator_of_client_without_document() {
        let unknown = client("", "Bia Lima", "111.444.777-35");
        assert_eq!(
            *unknown.admin_name, "Bia Lima",
            "the administrator that the firm has saved"
        );
    }
}
