//! Every demonstration link, with its client and its fault. All people and companies are invented;
//! their documents have valid check digits.

use axum::{
    Json,
    http::StatusCode,
    response::{Html, IntoResponse, Response},
};
use serde::Serialize;
use serde_json::json;

use super::response::{hang_up, refusal, token_not_found};

/// Longest suffix of a copy, in bytes.
const SUFFIX_MAX_LEN: usize = 32;

/// A demonstration link: its description, client, accounts and fault.
#[derive(Debug)]
pub struct DemoLink {
    /// The token in `/?token=…`. With `.` and 1 to 32 ASCII letters or digits appended, it is a
    /// fresh copy: the same link with a separate state.
    pub token: &'static str,
    /// In Portuguese.
    pub title: &'static str,
    /// What the link demonstrates, in one Portuguese sentence.
    pub(crate) shows: &'static str,
    pub(crate) profile: Profile,
    /// Accounts that are linked from the start: code of the bank, branch, number.
    pub(crate) accounts: &'static [[&'static str; 3]],
    /// Whether the link simulates the return from the bank's own page.
    pub(crate) returns: bool,
    /// Whether the link can be authorized again after a cancellation. Otherwise it is rejected from
    /// then on.
    pub(crate) resumes: bool,
    pub(crate) fault: Option<Fault>,
}

/// The fault of a link's calls.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Every call takes `SandboxOptions::slow`.
    Slow,
    /// The call with this path, or [`EVERY_CALL`], gets this response.
    Responds(&'static str, fn() -> Response),
}

/// A client of the firm; serializes to the session data of validate-token.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Profile {
    pub client_name: &'static str,
    /// CPF or CNPJ, with or without punctuation.
    pub client_cpfcnpj: &'static str,
    pub customer_id: u32,
    pub customer_name: &'static str,
    pub widget_account_admin_name: &'static str,
    pub widget_account_admin_cpfcnpj: &'static str,
    /// `new`, `update` or `cancel`.
    pub widget_type: &'static str,
    pub widget_account_bank: Option<&'static str>,
    /// Id of the item that an update renews.
    pub link_id: Option<&'static str>,
    pub client_uuid: &'static str,
}

pub(crate) const EVERY_CALL: &str = "";

impl DemoLink {
    /// The path of the link in the product.
    pub fn path(&self) -> String {
        self.path_of(self.token)
    }

    /// The same path for a copy of the token.
    pub(crate) fn path_of(&self, token: &str) -> String {
        format!(
            "/?token={token}{}",
            if self.returns { "&of-success=true" } else { "" }
        )
    }
}

/// The link of this token, or of the token that this one is a copy of.
pub(crate) fn find(token: &str) -> Option<&'static DemoLink> {
    let base = match token.split_once('.') {
        Some((base, suffix)) if is_suffix(suffix) => base,
        Some(_) => return None,
        None => token,
    };
    DEMO_LINKS.iter().find(|link| link.token == base)
}

fn is_suffix(text: &str) -> bool {
    (1..=SUFFIX_MAX_LEN).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// A client without administrator, bank and item.
const fn client(
    client_name: &'static str,
    client_cpfcnpj: &'static str,
    client_uuid: &'static str,
) -> Profile {
    Profile {
        client_name,
        client_cpfcnpj,
        customer_id: 4217,
        customer_name: "Contábil Horizonte",
        widget_account_admin_name: "",
        widget_account_admin_cpfcnpj: "",
        widget_type: "new",
        widget_account_bank: None,
        link_id: None,
        client_uuid,
    }
}

/// The company of links whose fault does not depend on its data.
const UNLUCKY: Profile = client(
    "Transportes Bom Jesus Ltda",
    "95162704000177",
    "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b08",
);

const fn demo(
    token: &'static str,
    profile: Profile,
    [title, shows]: [&'static str; 2],
) -> DemoLink {
    DemoLink {
        token,
        title,
        shows,
        profile,
        accounts: &[],
        returns: false,
        resumes: false,
        fault: None,
    }
}

const fn faulty(
    token: &'static str,
    profile: Profile,
    call: &'static str,
    respond: fn() -> Response,
    words: [&'static str; 2],
) -> DemoLink {
    DemoLink {
        fault: Some(Fault::Responds(call, respond)),
        ..demo(token, profile, words)
    }
}

fn server_error() -> Response {
    let page = Html("<!doctype html><title>500</title><h1>Internal Server Error</h1>");
    (StatusCode::INTERNAL_SERVER_ERROR, page).into_response()
}

fn item_not_found() -> Response {
    let meta = json!({ "status": 404, "message": "item not found" });
    (
        StatusCode::NOT_FOUND,
        Json(json!({ "data": { "code": "ITEM_NOT_FOUND" }, "meta": meta })),
    )
        .into_response()
}

fn expired() -> Response {
    refusal(StatusCode::UNAUTHORIZED, "Expired token").into()
}

fn malformed() -> Response {
    Json(json!({ "ok": true, "result": [] })).into_response()
}

#[rustfmt::skip]
pub static DEMO_LINKS: &[DemoLink] = &[
    // A CNPJ with letters, as issued since July 2026.
    demo("demo-novo", client("Padaria Aurora Ltda", "12ABC34501DE35", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b01"),
        ["Empresa, primeira vez", "O caminho completo, do consentimento à conta confirmada."]),
    // The widget API leaves the administrator empty; the product fills it in.
    demo("demo-pessoa", client("Marina Alves de Souza", "41708293523", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b02"),
        ["Pessoa física", "Nome e CPF do administrador já vêm preenchidos e não podem ser alterados."]),
    DemoLink {
        accounts: &[["001", "1234-5", "0045678-9"], ["077", "0001", "1029384-7"]],
        resumes: true,
        ..demo("demo-contas", Profile {
                widget_account_admin_name: "João Batista Ferreira",
                widget_account_admin_cpfcnpj: "52819304605",
                ..client("Oficina Três Rios Ltda", "51.728.361/0001-90", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b04")
            },
            ["Empresa com duas contas", "A lista já tem contas, e o administrador é lembrado. Depois de cancelar tudo, \
             este mesmo link aceita uma nova autorização; os outros são recusados."])
    },
    DemoLink {
        accounts: &[["260", "0001", "7654321-0"]],
        returns: true,
        ..faulty("demo-retorno",
            client("Floricultura Jasmim Ltda", "84051693000131", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b07"),
            "/validate-token", expired,
            ["Volta do banco", "O retorno do banco no celular (of-success): direto para a tela de sucesso."])
    },
    DemoLink {
        accounts: &[["341", "0405", "12345-6"]],
        ..demo("demo-atualizar", Profile {
                widget_account_admin_name: "Célia Regina Prado",
                widget_account_admin_cpfcnpj: "63920415752",
                widget_account_bank: Some("341"),
                widget_type: "update",
                link_id: Some("0c9d7a54-3f0e-4a8b-8d6f-6f1c2b3a4d05"),
                ..client("Farmácia Santa Luzia Ltda", "62839471000145", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b05")
            },
            ["Atualizar uma integração", "O Connect abre em modo de atualização."])
    },
    DemoLink {
        accounts: &[["104", "1680", "000123456-0"], ["237", "0071", "98765-X"], ["756", "3001", "45.678-9"]],
        ..demo("demo-cancelar", Profile {
                widget_type: "cancel",
                ..client("Mercearia Boa Vista Ltda", "73940582000160", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b06")
            },
            ["Cancelar integrações", "Três contas e a pergunta antes de cancelar todas."])
    },
    faulty("demo-expirado", UNLUCKY, EVERY_CALL, expired,
        ["Link expirado", "A API responde “Expired token”."]),
    faulty("demo-inexistente", UNLUCKY, EVERY_CALL, || token_not_found().into(),
        ["Link inexistente", "A API não conhece o token (404)."]),
    faulty("demo-sem-resposta", UNLUCKY, "/validate-token", hang_up,
        ["Sem resposta", "A API recebe a validação e desliga sem responder."]),
    DemoLink {
        fault: Some(Fault::Slow),
        ..demo("demo-lento", UNLUCKY, ["API lenta", "Toda chamada demora vários segundos."])
    },
    faulty("demo-erro-500", UNLUCKY, "/authorize-customer", server_error,
        ["Erro interno", "O consentimento é respondido com uma página de erro 500."]),
    faulty("demo-malformado", UNLUCKY, "/validate-token", malformed,
        ["Resposta malformada", "A validação responde 200 com outro formato."]),
    faulty("demo-item-inexistente", Profile {
            widget_type: "update",
            link_id: Some("0c9d7a54-3f0e-4a8b-8d6f-6f1c2b3a4d09"),
            ..client("Papelaria Central Ltda", "30617285000175", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b09")
        }, "/connect-token", item_not_found,
        ["Credenciais não encontradas", "O provedor não conhece mais o item a atualizar."]),
    DemoLink {
        accounts: &[["748", "0710", "33221-1"]],
        ..faulty("demo-sem-alteracao", Profile {
                widget_type: "update",
                link_id: Some("0c9d7a54-3f0e-4a8b-8d6f-6f1c2b3a4d10"),
                ..client("Clínica Vida Leve Ltda", "41728396000175", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b10")
            }, "/update-link-account",
            || refusal(StatusCode::CONFLICT, "Credentials had no changes").into(),
            ["Credenciais sem alteração", "A atualização termina sem nada de novo (409)."])
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_links_with_and_without_suffix() {
        for (at, link) in DEMO_LINKS.iter().enumerate() {
            let token = link.token;
            assert!(
                DEMO_LINKS[..at].iter().all(|other| other.token != token),
                "{token} twice"
            );
            assert_eq!(find(token).unwrap().token, token);
            assert_eq!(find(&format!("{token}.a1B2")).unwrap().token, token);
        }
        let long = format!("demo-novo.{}", "a".repeat(33));
        for unknown in [
            "",
            "demo",
            "demo-novo.",
            "demo-novo.a.b",
            "demo-novo.á",
            ".demo-novo",
            &long,
        ] {
            assert!(find(unknown).is_none(), "{unknown:?}");
        }
    }
}
