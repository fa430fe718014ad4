//! Every demonstration link, with its client and its fault.

use std::sync::LazyLock;

use axum::http::StatusCode;

use super::{
    profiles::{self, Profile},
    reply::{Canned, EVERY_CALL, Fault},
};

/// Separates a token from a suffix of the user's choice: `demo-novo.ana` is a fresh `demo-novo`.
const SUFFIX_MARK: char = '.';

/// Longest suffix, in bytes.
const SUFFIX_MAX_LEN: usize = 32;

/// A demonstration link and its description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DemoLink {
    /// The token in `/?token=…`. With `.` and 1 to 32 ASCII letters or digits appended, it is a fresh copy.
    pub token: &'static str,
    /// In Portuguese.
    pub title: &'static str,
    /// What the link demonstrates, in one Portuguese sentence.
    pub shows: &'static str,
    /// Whether the link simulates the return from the bank's own page.
    pub returns: bool,
    /// Whether something goes wrong or takes long.
    pub fails: bool,
}

impl DemoLink {
    /// The path of the link in the product.
    pub fn path(&self) -> String {
        self.path_of(self.token)
    }

    /// The same path for a copy of the token.
    pub(super) fn path_of(&self, token: &str) -> String {
        format!("/?token={token}{}", if self.returns { "&of-success=true" } else { "" })
    }
}

/// A demonstration link and what is behind it.
#[derive(Debug)]
pub struct DemoClient {
    pub link: DemoLink,
    pub profile: Profile,
    /// Accounts that are linked from the start: code of the bank, branch, number.
    pub accounts: &'static [[&'static str; 3]],
    /// Code of the bank of an account that another person has to approve, from the start.
    pub awaits: Option<&'static str>,
    /// Whether the link can be authorized anew after a cancellation; otherwise it is refused from then on.
    pub resumes: bool,
    pub fault: Option<Fault>,
}

/// The client of this token, or of the token that this one is a copy of.
pub fn find(token: &str) -> Option<&'static DemoClient> {
    let base = match token.split_once(SUFFIX_MARK) {
        Some((base, suffix)) => is_suffix(suffix).then_some(base)?,
        None => token,
    };
    DEMO_LINKS.iter().find(|demo| demo.link.token == base)
}

/// A copy of a token: the same link with a separate state.
pub fn copy_of(token: &str, suffix: &str) -> String {
    format!("{token}{SUFFIX_MARK}{suffix}")
}

/// Every link.
pub fn links() -> &'static [DemoLink] {
    static LINKS: LazyLock<Vec<DemoLink>> = LazyLock::new(|| DEMO_LINKS.iter().map(|demo| demo.link).collect());
    &LINKS
}

fn is_suffix(text: &str) -> bool {
    (1..=SUFFIX_MAX_LEN).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

const fn demo(token: &'static str, profile: Profile, words: [&'static str; 2]) -> DemoClient {
    let link = DemoLink { token, title: words[0], shows: words[1], returns: false, fails: false };
    DemoClient { link, profile, accounts: &[], awaits: None, resumes: false, fault: None }
}

/// A link whose call fails or is late.
const fn faulty(
    token: &'static str,
    profile: Profile,
    call: &'static str,
    reply: Canned,
    words: [&'static str; 2],
) -> DemoClient {
    let sound = demo(token, profile, words);
    DemoClient { link: DemoLink { fails: true, ..sound.link }, fault: Some(Fault { call, reply }), ..sound }
}

impl DemoClient {
    const fn with(self, accounts: &'static [[&'static str; 3]]) -> Self {
        Self { accounts, ..self }
    }

    const fn awaiting(self, bank: &'static str) -> Self {
        Self { awaits: Some(bank), ..self }
    }

    const fn resuming(self) -> Self {
        Self { resumes: true, ..self }
    }

    const fn returning(self) -> Self {
        Self { link: DemoLink { returns: true, ..self.link }, ..self }
    }
}

const SERVER_ERROR: Canned = Canned::Body(
    StatusCode::INTERNAL_SERVER_ERROR,
    "text/html; charset=utf-8",
    "<!doctype html><title>500</title><h1>Internal Server Error</h1>",
);
const MALFORMED: Canned = Canned::Body(StatusCode::OK, "application/json", r#"{"ok":true,"result":[]}"#);
const ITEM_NOT_FOUND: Canned = Canned::Body(
    StatusCode::NOT_FOUND,
    "application/json",
    r#"{"data":{"code":"ITEM_NOT_FOUND"},"meta":{"status":404,"message":"item not found"}}"#,
);

#[rustfmt::skip]
pub static DEMO_LINKS: &[DemoClient] = &[
    demo("demo-novo", profiles::BAKERY,
        ["Empresa, primeira vez", "O caminho completo, do consentimento à conta confirmada."]),
    demo("demo-pessoa", profiles::PERSON,
        ["Pessoa física", "Nome e CPF do administrador já vêm preenchidos e não podem ser alterados."]),
    demo("demo-alfanumerico", profiles::LETTERED,
        ["Empresa com CNPJ alfanumérico", "O documento tem letras e chega inteiro ao banco."]),
    demo("demo-contas", profiles::WORKSHOP,
        ["Empresa com duas contas", "A lista já tem contas, e o administrador é lembrado. Depois de cancelar tudo, \
         este mesmo link aceita uma nova autorização; os outros são recusados."])
        .with(&[["001", "1234-5", "0045678-9"], ["077", "0001", "1029384-7"]]).resuming(),
    demo("demo-aguardando", profiles::BUILDER,
        ["À espera de outro responsável", "A conta já aparece na lista, em qualquer aparelho, enquanto outra pessoa da \
         empresa não aprova no banco."])
        .awaiting("237"),
    faulty("demo-retorno", profiles::FLORIST, "/validate-token", Canned::Error(StatusCode::UNAUTHORIZED, "Expired token"),
        ["Volta do banco", "O retorno do banco no celular (of-success): direto para a tela de sucesso."])
        .with(&[["260", "0001", "7654321-0"]]).returning(),
    demo("demo-atualizar", profiles::PHARMACY,
        ["Atualizar uma integração", "O Connect abre em modo de atualização."])
        .with(&[["341", "0405", "12345-6"]]),
    demo("demo-cancelar", profiles::GROCERY,
        ["Cancelar integrações", "Três contas e a pergunta antes de cancelar todas."])
        .with(&[["104", "1680", "000123456-0"], ["237", "0071", "98765-X"], ["756", "3001", "45.678-9"]]),
    demo("demo-outro-escritorio", profiles::SCHOOL,
        ["Outro escritório", "Outra empresa, de outro escritório: com BRANDS_DIR, com a marca dele."]),
    faulty("demo-expirado", profiles::UNLUCKY, EVERY_CALL, Canned::Error(StatusCode::UNAUTHORIZED, "Expired token"),
        ["Link expirado", "A API responde “Expired token”."]),
    faulty("demo-inexistente", profiles::UNLUCKY, EVERY_CALL, Canned::Error(StatusCode::NOT_FOUND, "Token not found"),
        ["Link inexistente", "A API não conhece o token (404)."]),
    faulty("demo-invalido", profiles::UNLUCKY, EVERY_CALL, Canned::Error(StatusCode::UNAUTHORIZED, "Invalid token"),
        ["Link inválido", "A API recusa o token por outro motivo (401)."]),
    faulty("demo-sem-resposta", profiles::UNLUCKY, "/validate-token", Canned::HangUp,
        ["Sem resposta", "A API recebe a validação e desliga sem responder."]),
    faulty("demo-cai-depois", profiles::UNLUCKY, "/list-accounts", Canned::HangUp,
        ["Conexão que cai", "De cada quatro consultas da lista de contas, duas seguidas ficam sem resposta."])
        .with(&[["033", "4321", "13001234-5"]]),
    faulty("demo-lento", profiles::UNLUCKY, EVERY_CALL, Canned::Late,
        ["API lenta", "Toda chamada demora vários segundos."]),
    faulty("demo-erro-500", profiles::UNLUCKY, "/authorize-customer", SERVER_ERROR,
        ["Erro interno", "O consentimento é respondido com uma página de erro 500."]),
    faulty("demo-malformado", profiles::UNLUCKY, "/validate-token", MALFORMED,
        ["Resposta malformada", "A validação responde 200 com outro formato."]),
    faulty("demo-item-inexistente", profiles::ORPHANED, "/connect-token", ITEM_NOT_FOUND,
        ["Credenciais não encontradas", "O provedor não conhece mais o item a atualizar."]),
    faulty("demo-sem-alteracao", profiles::UNCHANGED, "/update-link-account", Canned::Error(StatusCode::CONFLICT, "Credentials had no changes"),
        ["Credenciais sem alteração", "A atualização termina sem nada de novo (409)."])
        .with(&[["748", "0710", "33221-1"]]),
    faulty("demo-sem-token-connect", profiles::UNLUCKY, "/connect-token", Canned::Error(StatusCode::BAD_REQUEST, "Connect token could not be created"),
        ["Connect indisponível", "O token do Connect não pode ser criado (400)."]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_are_found_with_and_without_suffix() {
        for (at, demo) in DEMO_LINKS.iter().enumerate() {
            let token = demo.link.token;
            assert!(DEMO_LINKS[..at].iter().all(|other| other.link.token != token), "{token} twice");
            assert_eq!(find(token).unwrap().link, demo.link);
            assert_eq!(find(&copy_of(token, "a1B2")).unwrap().link, demo.link);
        }
        let long = copy_of("demo-novo", &"a".repeat(33));
        for unknown in ["", "demo", "demo-novo.", "demo-novo.a.b", "demo-novo.á", ".demo-novo", &long] {
            assert!(find(unknown).is_none(), "{unknown:?}");
        }
    }

    #[test]
    fn documents_have_right_check_digits() {
        for demo in DEMO_LINKS {
            let profile = demo.profile;
            for document in [profile.client_cpfcnpj, profile.widget_account_admin_cpfcnpj] {
                assert!(document.is_empty() || has_right_check_digits(document), "{document}");
            }
        }
    }

    /// CPF: weights 2 to 11 from the right. CNPJ: weights 2 to 9, repeated; a letter counts as its ASCII code less 48.
    fn has_right_check_digits(document: &str) -> bool {
        let values: Vec<usize> =
            document.bytes().filter(u8::is_ascii_alphanumeric).map(|b| usize::from(b) - 48).collect();
        let period = match values.len() {
            11 => 10,
            14 => 8,
            _ => return false,
        };
        (values.len() - 2..values.len()).all(|at| {
            let sum: usize = values[..at].iter().rev().enumerate().map(|(i, value)| value * (2 + i % period)).sum();
            let digit = if sum % 11 < 2 { 0 } else { 11 - sum % 11 };
            values[at] == digit
        })
    }
}
