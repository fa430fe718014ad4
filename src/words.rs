//! All Portuguese texts of the server and the Leptos islands. React's are in
//! `islands-react/src/messages.ts`.
//!
//! Texts that the specification quotes are verbatim.

use vincula_domain::bank::TaxId;

use crate::{problem::Problem, wire::LinkingNotice};

pub const PRODUCT: &str = "Vincula";
pub const TAGLINE: &str = "Conexão de contas bancárias por Open Finance";
pub const LOGO: &str = "Logotipo do escritório de contabilidade";
/// Replaces the name of an unknown bank, as in `islands-react/src/messages.ts`.
pub const YOUR_BANK: &str = "o seu banco";
/// Next to the firm's name, on wide screens.
pub const READ_ONLY: &str = "Somente leitura. Vale até você cancelar.";
/// The text of a link preview, which knows neither the firm nor the purpose of the link.
pub const PREVIEW_TITLE: &str = "Pedido do seu escritório de contabilidade";
pub const PREVIEW: &str = "Veja, autorize ou cancele o acesso aos extratos das suas contas: somente leitura, por Open Finance.";
pub const OUTDATED: &str = "Este navegador não consegue mostrar esta página direito. Atualize-o, tire este site do modo de isolamento ou abra o link em outro navegador.";
pub const PRIVACY: &str = "Política de privacidade";
pub const SKIP: &str = "Ir para o conteúdo";

pub const REQUEST_FAILED: &str = "Houve falha na requisição.";
pub const NOTICE: &str = "Aviso";
pub const CLOSE_NOTICE: &str = "Fechar aviso";
pub const TRY_AGAIN: &str = "Tentar de novo";
pub const CANCELLING: &str = "Cancelando…";
/// Below a button, after a call without a response.
pub const UNANSWERED: &str = "Ainda sem confirmação. Confira a internet e toque de novo.";
pub const SLOW: &str = "Está demorando mais que o normal…";

pub const VALIDATING: &str = "Abrindo o seu link…";
pub const VALIDATING_FAILED_TITLE: &str = "Não conseguimos abrir o seu link agora";
/// For every failure that can be repeated: no network, no response, a limit.
pub const VALIDATING_FAILED: &str =
    "Confira a sua internet, aguarde alguns segundos e tente de novo.";
pub const CONTINUE: &str = "Continuar";
pub const ENTRY_BY_HAND: &str = "Toque em continuar para abrir o seu link.";
/// On pages that do not work without scripts.
pub const NO_SCRIPT: &str = "Esta página precisa de JavaScript: ative-o no navegador ou abra o seu link em outro navegador.";

/// The lead of the accounts screen after a consent, while there is no account.
pub const ACCOUNTS_LEAD_FIRST: &str = "Autorização registrada. Agora conecte o banco.";
/// The lead if there are accounts, or if the list is not known. It is true even if the client has
/// linked an account in another browser.
pub const ACCOUNTS_LEAD: &str = "O escritório só pode ler os extratos das suas contas.";
/// The lead without a consent in this session.
pub const ACCOUNTS_LEAD_NONE: &str = "Conecte a conta do seu banco.";
/// "Olá, Padaria Pão Quente!"
pub const HELLO: &str = "Olá";
pub const RENEWAL_DUE: &str = "Falta renovar a conexão com o seu banco.";
pub const RENEW: &str = "Renovar a conexão";
pub const ACCOUNTS_NOTE: &str = "Depois de conectada, uma conta pode levar até 5 minutos para ser \
                                 confirmada; se outro responsável precisa aprovar no banco, ela \
                                 aparece depois da aprovação. Aguarde a conta aparecer na lista ou \
                                 integre um novo banco.";
pub const RETURNED: &str = "Voltamos do banco; se você aprovou, a conta aparece em até 5 minutos.";
/// It does not state that the client was at the bank.
pub const LEFT_OPEN: &str = "Se você já aprovou no banco, a conta aparece em até 5 minutos.";
pub const ACCOUNTS_CAPTION: &str = "Contas autorizadas";
pub const ACCOUNTS_EMPTY: &str = "Nenhuma conta autorizada.";
pub const ACCOUNTS_UNKNOWN: &str = "Não foi possível carregar as contas.";
pub const ACCOUNTS_LOADING: &str = "Carregando…";
pub const BANK: &str = "Banco";
pub const AGENCY: &str = "Agência";
pub const NUMBER: &str = "Conta";
pub const NAME: &str = "Nome";
pub const INTEGRATE: &str = "Integrar novo banco";
pub const CANCEL_QUESTION: &str = "Deseja cancelar todas as suas integrações?";
pub const CLICK_HERE: &str = "clique aqui";
/// For lists of links, where the sentence around it is missing.
pub const CLICK_HERE_TO_CANCEL: &str = "clique aqui para cancelar todas as suas integrações";

/// The link to the cancellation while there is no account yet.
pub const WITHDRAW: &str = "Cancelar a autorização";

pub const CANCEL_TITLE: &str =
    "Tem certeza que deseja cancelar todas essas contas bancárias integradas?";
/// In place of an empty list. One may be listed late.
pub const CANCEL_EMPTY: &str = "Nenhuma conta na lista. Cancele assim mesmo, se quiser encerrar a autorização: o escritório deixa de \
                                poder pedir os seus extratos.";
/// What happens after a cancellation.
pub const CANCEL_NOTE: &str = "O escritório deixa de receber os extratos; os já recebidos podem ficar guardados pelo prazo da lei. \
                               Para integrar de novo, fale com o escritório.";
pub const CANCEL_ALL: &str = "Cancelar todas integrações";
pub const CANCEL_BACK: &str = "Voltar sem cancelar";
pub const CANCELLED_TITLE: &str = "Integrações canceladas com sucesso!";
/// The lead of the accounts after a cancellation.
pub const CANCELLED_LEAD: &str = "Você cancelou as suas integrações.";
/// Above a list that still has accounts.
pub const CANCELLED_LISTED: &str = "As contas podem levar alguns minutos para sair da lista.";
/// After a cancellation, before the firm's telephone numbers.
pub const CONNECT_AGAIN: &str = "Para conectar de novo, fale com o escritório";
pub const CANCELLED_MEANING: &str = "O escritório deixou de receber os extratos. Os já recebidos podem ficar guardados pelo prazo da lei.";
pub const CANCELLED_AT_BANK: &str = "Se o compartilhamento ainda aparecer no aplicativo do banco, em \
                                     Open Finance, encerre-o lá também.";
pub const CANCELLED_CLOSE: &str = "Você já pode fechar esta página.";

pub const SUCCESS_TITLE: &str = "Integração concluída com sucesso!";
/// In its place while the upstream lacks something.
pub const UNTOLD_TITLE: &str = "Falta avisar o escritório";
/// In its place after the upstream has refused an item.
pub const REFUSED_TITLE: &str = "O escritório não recebeu a conta";
/// Shown while the success call is pending.
pub const TELLING: &str = "Avisando o escritório…";
/// The upstream has accepted everything.
pub const SUCCESS_LEAD: &str =
    "Em até 5 minutos, o escritório poderá consultar os extratos da sua conta.";
/// The same after an update, which ends here.
pub const RENEWED_LEAD: &str = "A conexão com o seu banco foi renovada, e o escritório volta a receber os extratos. Você já pode fechar \
                                esta página.";
/// The upstream has not accepted the item or the success call.
pub const UNCONFIRMED: &str =
    "A conta foi conectada, mas ainda não conseguimos avisar o escritório.";
/// The upstream gets an item that it did not get when Connect reported it.
pub const ITEM_FINISHING: &str = "Concluindo a conexão com o seu banco…";
/// The upstream does not have the item of a linking yet.
pub const ITEM_KEPT: &str = "A conta foi conectada, mas ainda não conseguimos avisar o escritório. Deixe esta página aberta.";
/// The upstream has refused the item of a linking.
pub const ITEM_REFUSED: &str = "A conta foi conectada no banco, mas o sistema do escritório não a aceitou. Avise o escritório: só ele \
                                pode resolver.";
pub const SUCCESS_CLOSE: &str = "Tudo certo. Você já pode fechar esta página.";
/// The receipt below, on the screen and on paper.
pub const SUCCESS_CLIENT: &str = "Cliente";
pub const SUCCESS_BANK: &str = "Banco conectado";
pub const SUCCESS_WHEN: &str = "Autorizado em";
pub const SUCCESS_READS: &str = "O que o escritório pode ler";
/// The data of the consent.
pub const READS: &str = "Instituição financeira, número da agência, número da conta corrente e dados de extrato bancário. \
                         Finalidade: contabilidade.";
pub const SUCCESS_CANCEL: &str = "Como cancelar";
/// Before the link to the cancellation.
pub const UNTIL_CANCELLED: &str = "Vale até você cancelar:";
pub const CANCEL_HERE: &str = "por aqui";
/// The other ways to cancel.
pub const CANCEL_ELSEWHERE: &str =
    "no aplicativo do banco (Open Finance) ou falando com o escritório.";
pub const ANOTHER_ACCOUNT: &str = "Integrar outra conta bancária";
pub const FINISH: &str = "Concluir integração";

/// It does not state who has opened the other link: another site can.
pub const OTHER_TAB_TITLE: &str = "Esta página parou";
pub const OTHER_TAB: &str =
    "Outro link foi aberto neste navegador. Para continuar, abra de novo o link que você recebeu.";

pub const SESSION_ENDED_TITLE: &str = "A sua sessão terminou";
pub const SESSION_ENDED: &str = "Para continuar, abra o link de novo.";
/// Before both of these, if the browser keeps the item of a linking.
pub const STOPPED_LINKED: &str = "A conta foi conectada no banco.";

pub const ISLAND_BROKEN: &str = "Não foi possível mostrar esta parte da página.";
pub const RELOAD: &str = "Recarregar a página";

pub const BUSY_TITLE: &str = "Muitos acessos neste momento";
pub const BUSY: &str = "Não conseguimos atender agora. O que você já confirmou está salvo. Aguarde alguns segundos e tente de novo.";

pub const REJECTED_TITLE: &str = "Não foi possível continuar daqui";
pub const REJECTED: &str = "O que você já confirmou está salvo. Tente de novo; \
    se não der certo, abra o link que você recebeu do escritório.";

pub const BROKEN_TITLE: &str = "Algo deu errado do nosso lado";
pub const BROKEN: &str = "O que você já confirmou está salvo. Tente de novo; \
    se acontecer outra vez, avise o escritório.";

pub const NOT_FOUND_TITLE: &str = "Página não encontrada";
pub const NOT_FOUND: &str =
    "Este endereço não existe. Abra de novo o link que você recebeu do escritório.";
pub const SUPPORT_CODE: &str = "Se falar com o escritório, informe este código:";
pub const OPEN_ACCOUNTS: &str = "Abrir minhas contas";
pub const BACK: &str = "Voltar";
pub const COPY: &str = "Copiar";
pub const COPIED: &str = "Código copiado";

/// "22/11/2026 às 16h40, horário de Brasília".
pub fn day_and_time(day: &str, time: &str) -> String {
    format!("{day} às {time}, horário de Brasília")
}

/// What is next after "Você conectou…".
pub const LISTED_SOON: &str = "A conta aparece na lista em até 5 minutos.";
/// What is missing after "Você autorizou…".
pub const APPROVAL_MISSING: &str = "Falta o outro responsável aprovar no aplicativo do banco.";

/// "Você conectou Nubank às 16h40.": the account that was linked last.
pub fn linked(
    LinkingNotice {
        bank,
        time,
        waits_for_approval,
        ..
    }: &LinkingNotice,
) -> String {
    let bank = if bank.is_empty() { "uma conta" } else { bank };
    let done = if *waits_for_approval {
        "autorizou"
    } else {
        "conectou"
    };
    format!("Você {done} {bank} às {time}.")
}

/// Shown above the list after the client has closed Connect. `bank` is empty if unknown.
pub fn not_linked(bank: &str) -> String {
    match bank {
        "" => "A conexão com o banco não foi concluída.".to_owned(),
        bank => format!("A conexão com {bank} não foi concluída."),
    }
}

pub fn retry(bank: &str) -> String {
    match bank {
        "" => TRY_AGAIN.to_owned(),
        bank => format!("{TRY_AGAIN} com {bank}"),
    }
}

/// "2 contas autorizadas".
pub fn account_count(count: usize) -> String {
    match count {
        1 => "1 conta autorizada".to_owned(),
        many => format!("{many} contas autorizadas"),
    }
}

/// "2 contas na lista".
pub fn listed_count(count: usize) -> String {
    match count {
        1 => "1 conta na lista".to_owned(),
        many => format!("{many} contas na lista"),
    }
}

/// "Agência 1680, conta 000123456-0": an account in short form, after its bank.
pub fn in_short(agency: &str, number: &str) -> String {
    match (agency, number) {
        ("", number) => format!("Conta {number}"),
        (agency, "") => format!("Agência {agency}"),
        (agency, number) => format!("Agência {agency}, conta {number}"),
    }
}

/// The latest poll failed.
pub const NO_RESPONSE: &str = "Servidor sem resposta.";

/// How old the list is.
pub fn list_of(time: &str) -> String {
    format!("Lista das {time}")
}

pub struct ProblemWords {
    pub title: &'static str,
    pub meaning: &'static str,
    pub way_out: &'static str,
}

/// The texts of an error screen. Without a session, the client can only open the link again.
pub fn problem(problem: Problem, has_session: bool) -> ProblemWords {
    let (title, meaning, way_out) = match problem {
        Problem::TokenNotFound => (
            "Abra o link de novo",
            "Falta o código de acesso neste endereço.",
            "Confira o endereço e tente de novo: volte à mensagem do escritório e toque no link. No celular, mantenha o dedo no link para abrir em outro navegador.",
        ),
        Problem::TokenNotExists => (
            "Este link não funciona",
            "Não encontramos o código de acesso deste link.",
            "Confira se o endereço veio inteiro e sem nada a mais no final. Se ele estiver certo, peça um link novo ao escritório.",
        ),
        Problem::TokenExpired => (
            "O prazo deste link acabou",
            "Por segurança, cada link vale por pouco tempo.",
            "Peça um link novo ao escritório.",
        ),
        Problem::LinkNotUpdated => (
            "Nada mudou na sua conexão",
            "O seu acesso ao banco pelo Open Finance não teve alterações. A conta continua conectada como antes.",
            "Se mesmo assim algo não funcionar, fale com o escritório.",
        ),
        Problem::LinkNotExists => (
            "Esta conexão não existe mais",
            "Não encontramos no Open Finance o acesso ao banco que você ia renovar.",
            "Peça um link novo ao escritório para conectar a conta outra vez.",
        ),
        Problem::TokenInvalid => (
            "Não foi possível continuar",
            "Não conseguimos abrir o seu acesso por este link.",
            if has_session {
                "Tente de novo. Se não der certo, peça um link novo ao escritório."
            } else {
                "Abra o link de novo. Se não der certo, peça um link novo ao escritório."
            },
        ),
        Problem::CookiesBlocked => (
            "Seu navegador não guarda cookies",
            "O seu link é válido, mas aqui não dá para continuar: este aplicativo ou navegador não guarda cookies.",
            "Abra o mesmo link no Chrome ou no Safari.",
        ),
        // It states neither that the link is valid nor that it is not.
        Problem::Outage => (
            "Não foi possível continuar",
            "Não conseguimos abrir o seu acesso: algo não funcionou do nosso lado ou no sistema do escritório.",
            if has_session {
                "Tente de novo em alguns minutos. Se o problema continuar, peça um link novo ao escritório."
            } else {
                "Abra o link de novo em alguns minutos. Se o problema continuar, peça um link novo ao escritório."
            },
        ),
        Problem::Cancelled => (
            "As suas integrações foram canceladas",
            "O escritório não tem mais acesso aos extratos por este link.",
            "Para conectar de novo, peça um link novo ao escritório.",
        ),
        // It does not claim a success.
        Problem::Returned => (
            "Você voltou do banco",
            "Se você já aprovou no banco, não precisa aprovar outra vez: a conta aparece em até 5 minutos.",
            "Para acompanhar, volte ao aplicativo ou navegador em que você abriu o link, ou abra o link de novo aqui.",
        ),
    };
    ProblemWords {
        title,
        meaning,
        way_out,
    }
}

/// The client's document with its name: "CNPJ 48.817.256/0001-30". A CPF is masked. Empty if it is
/// neither.
pub fn client_document(document: &TaxId) -> String {
    let shown = document.recognisable();
    if shown.is_empty() {
        return shown;
    }
    let name = if document.is_individual() {
        "CPF"
    } else {
        "CNPJ"
    };
    format!("{name} {shown}")
}

/// The version of the words to which a client agrees: `consent` in
/// `islands-react/src/messages.ts`. It is one higher after each change to them, and git has the
/// earlier ones. A test beside React's consent compares the words.
pub const CONSENT_VERSION: u32 = 3;

/// Labels of the firm's telephone numbers.
pub mod contact {
    pub const WHATSAPP: &str = "WhatsApp";
    pub const CONTACT: &str = "Contato";

    pub const TALK: &str = "Fale com o escritório:";
    /// Before a number on a button.
    pub const CALL: &str = "Ligar para";
}

/// The titles of the pages, for `<title>`.
pub mod title {
    /// "Autorizar acesso — Contábil Horizonte". Screen readers do not read the dash.
    pub fn document(step: &str, owner: &str) -> String {
        format!("{step} — {owner}")
    }

    pub const ACCESSIBILITY: &str = "Acessibilidade";
    pub const ENTRY: &str = "Abrindo o seu link";
    pub const CONSENT: &str = "Autorizar acesso";
    pub const CONNECT: &str = "Conectar ao banco";
    pub const UPDATE: &str = "Atualizar integração";
    pub const ACCOUNTS: &str = "Contas integradas";
    pub const SELECT_BANK: &str = "Banco e administrador";
    pub const SUCCESS: &str = "Integração concluída";
    pub const CANCEL: &str = "Cancelar integrações";
    pub const CANCELLED: &str = "Integrações canceladas";
}

pub mod accessibility {
    pub const LINK: &str = "Acessibilidade";
    pub const TITLE: &str = "Declaração de acessibilidade";
    pub const LEAD: &str = "Queremos que qualquer pessoa consiga conectar as suas contas, com ou sem recursos de apoio. \
                            Seguimos as WCAG 2.2, nível AA, e a norma ABNT NBR 17225.";
    pub const WHAT_TITLE: &str = "O que você pode esperar";
    pub const WHAT: [&str; 5] = [
        "Todas as etapas funcionam só com o teclado e com leitores de tela.",
        "Os textos podem ser ampliados até 400% sem perder conteúdo.",
        "As cores têm contraste suficiente no tema claro e no escuro.",
        "As animações são curtas e param se o seu aparelho pedir menos movimento.",
        "A autorização e o cancelamento funcionam também sem JavaScript.",
    ];
    pub const LIMITS_TITLE: &str = "O que não depende de nós";
    pub const LIMITS: [&str; 2] = [
        "A conexão com o banco acontece no ambiente da Pluggy e nas páginas do próprio banco.",
        "Essa conexão e a lista de contas precisam de JavaScript.",
    ];
    pub const CONTACT_TITLE: &str = "Encontrou uma barreira?";
    pub const REVIEWED: &str = "Declaração revista em novembro de 2026. Em cada versão, testes automáticos verificam todas \
                                as telas, e o percurso inteiro é feito só com o teclado.";

    /// The contact for reporting a barrier.
    pub const CONTACT: &str = "Conte ao escritório de contabilidade, que enviou o seu link. Ele pode ajudar você a conectar a conta e \
                               nos avisar do problema.";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What React's tests need of this file.
    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "set by cargo for the tests, not a setting of the product"
    )]
    fn export_bindings_words() {
        let text = format!(
            "// Generated from src/words.rs. Do not edit this file manually.\n\
             export const CONSENT_VERSION = {CONSENT_VERSION};\n"
        );
        let folder = std::env::var("TS_RS_EXPORT_DIR").expect("set in .cargo/config.toml");
        std::fs::write(format!("{folder}/words.ts"), text).unwrap();
    }
}
