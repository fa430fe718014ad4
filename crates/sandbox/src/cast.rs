//! The cast: every demonstration link with its client and its behaviour.

use std::sync::LazyLock;

use super::{
    faults::FaultProfile,
    people::{self, Profile},
};

/// Separates a token of the cast from a suffix of the user's choice: `demo-novo.ana` is a fresh `demo-novo`.
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

/// One member of the cast.
#[derive(Debug)]
pub struct Member {
    pub link: DemoLink,
    pub profile: Profile,
    /// Accounts that are linked from the start: code of the bank, branch, number.
    pub accounts: &'static [[&'static str; 3]],
    /// Code of the bank of an account that another person has to approve, from the start.
    pub awaits: Option<&'static str>,
    /// Whether the link can be authorized anew after a cancellation; otherwise it is refused from then on.
    pub resumes: bool,
    pub fault: FaultProfile,
}

/// The member with this token, or with the token that this one is a copy of.
pub fn find(token: &str) -> Option<&'static Member> {
    let base = match token.split_once(SUFFIX_MARK) {
        Some((base, suffix)) => is_suffix(suffix).then_some(base)?,
        None => token,
    };
    CAST.iter().find(|member| member.link.token == base)
}

/// A copy of a token: the same member, with a state of its own.
pub fn copy_of(token: &str, suffix: &str) -> String {
    format!("{token}{SUFFIX_MARK}{suffix}")
}

/// Every link of the cast.
pub fn links() -> &'static [DemoLink] {
    static LINKS: LazyLock<Vec<DemoLink>> = LazyLock::new(|| CAST.iter().map(|member| member.link).collect());
    &LINKS
}

fn is_suffix(text: &str) -> bool {
    (1..=SUFFIX_MAX_LEN).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

const fn member(token: &'static str, profile: Profile, fault: FaultProfile, words: [&'static str; 2]) -> Member {
    let fails = !matches!(fault, FaultProfile::Sound);
    let link = DemoLink { token, title: words[0], shows: words[1], returns: false, fails };
    Member { link, profile, accounts: &[], awaits: None, resumes: false, fault }
}

impl Member {
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

#[rustfmt::skip]
pub static CAST: &[Member] = &[
    member("demo-novo", people::BAKERY, FaultProfile::Sound,
        ["Empresa, primeira vez", "O caminho completo, do consentimento à conta confirmada."]),
    member("demo-pessoa", people::PERSON, FaultProfile::Sound,
        ["Pessoa física", "Nome e CPF do administrador já vêm preenchidos e não podem ser alterados."]),
    member("demo-alfanumerico", people::LETTERED, FaultProfile::Sound,
        ["Empresa com CNPJ alfanumérico", "O documento tem letras e chega inteiro ao banco."]),
    member("demo-contas", people::WORKSHOP, FaultProfile::Sound,
        ["Empresa com duas contas", "A lista já tem contas, e o administrador é lembrado. Depois de cancelar tudo, \
         este mesmo link aceita uma nova autorização; os outros são recusados."])
        .with(&[["001", "1234-5", "0045678-9"], ["077", "0001", "1029384-7"]]).resuming(),
    member("demo-aguardando", people::BUILDER, FaultProfile::Sound,
        ["À espera de outro responsável", "A conta já aparece na lista, em qualquer aparelho, enquanto outra pessoa da \
         empresa não aprova no banco."])
        .awaiting("237"),
    member("demo-retorno", people::FLORIST, FaultProfile::ExpiredUnlessReturning,
        ["Volta do banco", "O retorno do banco no celular (of-success): direto para a tela de sucesso."])
        .with(&[["260", "0001", "7654321-0"]]).returning(),
    member("demo-atualizar", people::PHARMACY, FaultProfile::Sound,
        ["Atualizar uma integração", "O Connect abre em modo de atualização."])
        .with(&[["341", "0405", "12345-6"]]),
    member("demo-cancelar", people::GROCERY, FaultProfile::Sound,
        ["Cancelar integrações", "Três contas e a pergunta antes de cancelar todas."])
        .with(&[["104", "1680", "000123456-0"], ["237", "0071", "98765-X"], ["756", "3001", "45.678-9"]]),
    member("demo-outro-escritorio", people::SCHOOL, FaultProfile::Sound,
        ["Outro escritório", "Outra empresa, de outro escritório: com BRANDS_DIR, com a marca dele."]),
    member("demo-expirado", people::UNLUCKY, FaultProfile::Expired,
        ["Link expirado", "A API responde “Expired token”."]),
    member("demo-inexistente", people::UNLUCKY, FaultProfile::Missing,
        ["Link inexistente", "A API não conhece o token (404)."]),
    member("demo-invalido", people::UNLUCKY, FaultProfile::Rejected,
        ["Link inválido", "A API recusa o token por outro motivo (401)."]),
    member("demo-sem-resposta", people::UNLUCKY, FaultProfile::Silent,
        ["Sem resposta", "A API recebe a validação e desliga sem responder."]),
    member("demo-cai-depois", people::UNLUCKY, FaultProfile::Fading,
        ["Conexão que cai", "De cada quatro consultas da lista de contas, duas seguidas ficam sem resposta."])
        .with(&[["033", "4321", "13001234-5"]]),
    member("demo-lento", people::UNLUCKY, FaultProfile::Slow,
        ["API lenta", "Toda chamada demora vários segundos."]),
    member("demo-erro-500", people::UNLUCKY, FaultProfile::Broken,
        ["Erro interno", "O consentimento é respondido com uma página de erro 500."]),
    member("demo-malformado", people::UNLUCKY, FaultProfile::Malformed,
        ["Resposta malformada", "A validação responde 200 com outro formato."]),
    member("demo-item-inexistente", people::ORPHANED, FaultProfile::ItemGone,
        ["Credenciais não encontradas", "O provedor não conhece mais o item a atualizar."]),
    member("demo-sem-alteracao", people::UNCHANGED, FaultProfile::Unchanged,
        ["Credenciais sem alteração", "A atualização termina sem nada de novo (409)."])
        .with(&[["748", "0710", "33221-1"]]),
    member("demo-sem-token-connect", people::UNLUCKY, FaultProfile::NoConnectToken,
        ["Connect indisponível", "O token do Connect não pode ser criado (400)."]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_find_their_member_with_and_without_suffix() {
        for (at, member) in CAST.iter().enumerate() {
            let token = member.link.token;
            assert!(CAST[..at].iter().all(|other| other.link.token != token), "{token} twice");
            assert_eq!(find(token).unwrap().link, member.link);
            assert_eq!(find(&copy_of(token, "a1B2")).unwrap().link, member.link);
        }
        let long = copy_of("demo-novo", &"a".repeat(33));
        for unknown in ["", "demo", "demo-novo.", "demo-novo.a.b", "demo-novo.á", ".demo-novo", &long] {
            assert!(find(unknown).is_none(), "{unknown:?}");
        }
    }

    #[test]
    fn documents_have_right_check_digits() {
        for member in CAST {
            let profile = member.profile;
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
