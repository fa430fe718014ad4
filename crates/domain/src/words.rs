//! All Portuguese texts of the server and the Leptos islands. React's are in `islands-react/src/messages.ts`.
//!
//! Texts that spec.md quotes are verbatim.

use crate::problem::Problem;

pub const PRODUCT: &str = "Vincula";
pub const TAGLINE: &str = "Conexão segura com o seu banco por Open Finance";
pub const LOGO: &str = "Logotipo do escritório de contabilidade";
pub const OUTDATED: &str =
    "Este navegador é antigo demais para mostrar esta página direito. Atualize-o ou abra o link em outro navegador.";
pub const SKIP: &str = "Ir para o conteúdo";

pub const NO_REPLY: &str = "Houve falha na requisição.";
pub const NOTICES: &str = "Avisos";
pub const CLOSE: &str = "Fechar";
pub const TRY_AGAIN: &str = "Tentar de novo";
pub const SLOW: &str = "Está demorando mais que o normal…";

pub const VALIDATING: &str = "Validando seu acesso…";
pub const VALIDATING_FAILED_TITLE: &str = "Não conseguimos abrir o seu link agora";
pub const VALIDATING_SILENT: &str = "O servidor não respondeu. Aguarde alguns segundos e tente de novo.";
pub const VALIDATING_BUSY: &str =
    "Muitas pessoas estão acessando neste momento. Aguarde alguns segundos e tente de novo.";
pub const VALIDATING_OFFLINE: &str = "Este aparelho está sem internet. Quando ela voltar, tente de novo.";
pub const CONTINUE: &str = "Continuar";
pub const ENTRY_BY_HAND: &str = "Toque em continuar para validar o seu acesso.";
pub const NO_SCRIPT_TITLE: &str = "Esta etapa precisa de JavaScript";
pub const NO_SCRIPT: &str = "Ative o JavaScript no navegador ou abra o seu link em outro navegador.";

pub const ACCOUNTS_LEAD: &str = "Estas são as contas que o seu contador pode consultar, somente para leitura.";
pub const ACCOUNTS_NOTE: &str = "As contas podem levar até 5 minutos para serem confirmadas. Aguarde a atualização da tabela ou integre um novo banco.";
pub const ACCOUNTS_CAPTION: &str = "Contas autorizadas";
pub const ACCOUNTS_EMPTY: &str = "Nenhuma conta autorizada.";
pub const ACCOUNTS_UNKNOWN: &str = "Não foi possível carregar as contas.";
pub const ACCOUNTS_LOADING: &str = "Carregando suas contas…";
pub const LIST_ACCOUNTS: &str = "Ver as contas";
pub const LIST_AGAIN: &str = "Atualizar a lista";
pub const BANK: &str = "Banco";
pub const AGENCY: &str = "Agência";
pub const NUMBER: &str = "Conta";
pub const NAME: &str = "Nome";
pub const INTEGRATE: &str = "Integrar novo banco";
pub const CANCEL_QUESTION: &str = "Deseja cancelar todas as suas integrações?";
pub const CLICK_HERE: &str = "clique aqui";

pub const CANCEL_TITLE: &str = "Tem certeza que deseja cancelar todas essas contas bancárias integradas?";
pub const CANCEL_NOTHING: &str = "Você não tem contas conectadas.";
pub const CANCEL_NOTHING_YET: &str =
    "Se você acabou de conectar uma conta, ela pode levar até 5 minutos para aparecer aqui.";
pub const CANCEL_TO_ACCOUNTS: &str = "Ver minhas contas";
pub const CANCEL_ALL: &str = "Cancelar todas integrações";
pub const CANCEL_BACK: &str = "Voltar sem cancelar";
pub const CANCELLED_TITLE: &str = "Integrações canceladas com sucesso!";
pub const CANCELLED_AT_BANK: &str = "Se o seu banco ainda mostrar o compartilhamento, cancele também lá.";
pub const CANCELLED_CLOSE: &str = "Você já pode fechar esta página.";
pub const CANCELLED_ACCOUNTS: &str = "Você cancelou todas as suas integrações.";

pub const SUCCESS_TITLE: &str = "Integração concluída com sucesso!";
pub const SUCCESS_CANCEL: &str =
    "Você pode cancelar o compartilhamento a qualquer momento, no seu banco ou falando com o seu contador.";
pub const SUCCESS_UNCONFIRMED: &str =
    "A conta foi integrada, mas ainda não conseguimos avisar o escritório de contabilidade.";
pub const SUCCESS_CLOSE: &str = "Tudo certo. Você já pode fechar esta página.";
pub const ANOTHER_ACCOUNT: &str = "Integrar outra conta bancária";
pub const FINISH: &str = "Concluir integração";

pub const OTHER_TAB_TITLE: &str = "Você abriu outro link";
pub const OTHER_TAB: &str = "Para a sua segurança, esta página parou. Continue com o link que você abriu por último. Se quiser voltar a este, abra de novo o link que você recebeu.";
pub const OTHER_TAB_CONTINUE: &str = "Continuar com o link mais recente";

pub const ISLAND_BROKEN: &str = "Não foi possível mostrar esta parte da página.";
pub const RELOAD: &str = "Recarregar a página";

pub const BUSY_TITLE: &str = "Muitos acessos neste momento";
pub const BUSY: &str = "Não conseguimos atender agora, e nada se perdeu. Aguarde alguns segundos e tente de novo.";

pub const REFUSED_TITLE: &str = "Não foi possível continuar daqui";
pub const REFUSED: &str = "Nada do que você fez se perdeu. Tente de novo; se não der certo, abra o link que você recebeu do \
                           escritório de contabilidade.";

pub const BROKEN_TITLE: &str = "Algo deu errado do nosso lado";
pub const BROKEN: &str = "Nada do que você fez se perdeu. Tente de novo; se acontecer outra vez, avise o escritório de \
                          contabilidade e informe o código abaixo.";

pub const NOT_FOUND_TITLE: &str = "Página não encontrada";
pub const NOT_FOUND: &str =
    "Este endereço não existe. Abra de novo o link que você recebeu do escritório de contabilidade.";
pub const NOTHING_SHARED: &str = "Nada foi compartilhado agora.";
pub const ACCOUNTS_AS_BEFORE: &str = "As contas que você já conectou continuam como estavam.";
pub const SUPPORT_CODE: &str = "Se falar com o escritório, informe este código:";
pub const OPEN_ACCOUNTS: &str = "Abrir minhas contas";
pub const BACK: &str = "Voltar";
pub const COPY: &str = "Copiar";
pub const COPIED: &str = "Código copiado";

/// "Olá, Padaria Pão Quente!"
pub fn greeting(client_name: &str) -> String {
    format!("Olá, {client_name}!")
}

/// "2 contas autorizadas".
pub fn account_count(count: usize) -> String {
    match count {
        0 => "Nenhuma conta autorizada ainda".to_owned(),
        1 => "1 conta autorizada".to_owned(),
        many => format!("{many} contas autorizadas"),
    }
}

/// "última atualização às 10:32:05": the list is no longer fresh.
pub fn last_updated(time: &str) -> String {
    format!("última atualização às {time}")
}

/// "sem resposta, última atualização às 10:32:05": the latest poll had no response.
pub fn unanswered_since(time: &str) -> String {
    format!("sem resposta, {}", last_updated(time))
}

pub const UPDATED_NOW: &str = "atualizado agora";

/// What a cancellation means.
pub fn cancel_note(firm: &str) -> String {
    format!("{} Para integrar novamente, será necessário entrar em contato com {firm}.", cancel_meaning(firm))
}

/// What becomes of the statements after a cancellation.
pub fn cancel_meaning(firm: &str) -> String {
    format!("{firm} deixa de receber os extratos; os que já recebeu podem ser guardados por lei.")
}

/// How to link again after a cancellation.
pub fn cancelled_lead(firm: &str) -> String {
    format!("Para integrar novamente, entre em contato com {firm}.")
}

/// Before the button by which a client links again whom the firm has told to.
pub fn cancelled_again(firm: &str) -> String {
    format!("{} Se já falou, pode conectar por aqui.", cancelled_lead(firm))
}

/// The lead of the success screen.
pub fn success_lead(customer_name: &str) -> String {
    format!("{customer_name} já pode consultar os extratos da conta que você integrou, somente para leitura.")
}

/// The words of an error screen: heading, meaning and way out.
pub struct ProblemWords {
    pub title: &'static str,
    pub meaning: &'static str,
    pub way_out: String,
}

/// The words of a problem's error screen (spec §2, "Error screen messages", and those that the spec does not have).
/// `firm`: the firm of the session, if there is one. Without a session there is nothing to try again but the link.
pub fn problem(problem: Problem, firm: Option<&str>) -> ProblemWords {
    let to_firm = firm.map_or_else(|| "ao escritório de contabilidade".to_owned(), |firm| format!("a {firm}"));
    let of_firm = firm.map_or_else(|| "do escritório de contabilidade".to_owned(), |firm| format!("de {firm}"));
    let (title, meaning, way_out) = match problem {
        Problem::TokenNotFound => (
            "Abra o link de novo",
            "O endereço veio incompleto, sem o código de acesso, ou a sua sessão terminou por segurança.",
            format!("Confira o endereço e tente de novo: volte à mensagem {of_firm} e toque no link."),
        ),
        Problem::TokenNotExists => (
            "Este link não vale mais",
            "Não encontramos o código de acesso deste link.",
            format!("Peça um link novo {to_firm}."),
        ),
        Problem::TokenExpired => (
            "O prazo deste link acabou",
            "Por segurança, cada link vale por pouco tempo.",
            format!("Peça um link novo {to_firm}."),
        ),
        Problem::LinkNotUpdated => (
            "Nada mudou na sua conexão",
            "O seu acesso ao banco pelo Open Finance não teve alterações. A conta continua conectada como antes.",
            format!("Se mesmo assim algo não funcionar, fale com {}.", firm.unwrap_or("o escritório de contabilidade")),
        ),
        Problem::LinkNotExists => (
            "Esta conexão não existe mais",
            "Não encontramos no Open Finance o acesso ao banco que você ia renovar.",
            format!("Peça um link novo {to_firm} para conectar a conta outra vez."),
        ),
        Problem::TokenInvalid => (
            "Não foi possível continuar",
            "Houve um problema com o seu acesso por este link.",
            format!(
                "{} Se não der certo, peça um link novo {to_firm} e informe o código abaixo.",
                if firm.is_some() { "Tente de novo." } else { "Abra o link de novo." }
            ),
        ),
        Problem::CookiesBlocked => (
            "Seu navegador não guarda cookies",
            "O seu link é válido, mas este navegador está configurado para não guardar cookies, ou o link foi aberto \
             dentro de outro aplicativo. Sem eles, não conseguimos manter o seu acesso de uma etapa para a outra.",
            "Permita cookies para este site ou abra o link no Chrome ou no Safari. Você pode abrir o mesmo link outra \
             vez."
                .to_owned(),
        ),
        Problem::TwoSessions => (
            "Há dois acessos neste navegador",
            "O navegador enviou dois acessos diferentes ao mesmo tempo, e não sabemos qual é o seu. Isso acontece quando \
             outro site mexe nos cookies deste. Para a sua segurança, não usamos nenhum dos dois.",
            "Abra o link que você recebeu em uma janela anônima ou em outro navegador. Ou apague os cookies deste site e \
             abra o link outra vez."
                .to_owned(),
        ),
    };
    ProblemWords { title, meaning, way_out }
}

/// Titles of the steps, for `<title>`.
pub mod title {
    pub const ACCESSIBILITY: &str = "Acessibilidade";
    pub const ENTRY: &str = "Validando o acesso";
    pub const CONSENT: &str = "Autorizar acesso";
    pub const CONNECT: &str = "Conectar ao banco";
    pub const UPDATE: &str = "Atualizar integração";
    pub const ACCOUNTS: &str = "Contas integradas";
    pub const SELECT_BANK: &str = "Banco e administrador";
    pub const SUCCESS: &str = "Integração concluída";
    pub const CANCEL: &str = "Cancelar integrações";
    pub const CANCELLED: &str = "Integrações canceladas";
}

/// The accessibility statement.
pub mod accessibility {
    pub const LINK: &str = "Acessibilidade";
    pub const TITLE: &str = "Declaração de acessibilidade";
    pub const LEAD: &str = "Queremos que qualquer pessoa consiga conectar as suas contas, com ou sem recursos de apoio. \
                            Seguimos as WCAG 2.2, nível AA, e a norma ABNT NBR 17225.";
    pub const WHAT_TITLE: &str = "O que você pode esperar";
    pub const WHAT: [&str; 5] = [
        "Todas as etapas funcionam só com o teclado e com leitores de tela.",
        "Os textos podem ser ampliados até 400 % sem perder conteúdo.",
        "As cores têm contraste suficiente no tema claro e no escuro.",
        "As animações são curtas e param se o seu aparelho pedir menos movimento.",
        "A autorização, a lista de contas e o cancelamento funcionam também sem JavaScript.",
    ];
    pub const LIMITS_TITLE: &str = "O que não depende de nós";
    pub const LIMITS: [&str; 2] = [
        "A conexão com o banco acontece no ambiente da Pluggy e nas páginas do próprio banco.",
        "Essa conexão precisa de JavaScript.",
    ];
    pub const CONTACT_TITLE: &str = "Encontrou uma barreira?";
    pub const REVIEWED: &str = "Declaração revista em novembro de 2026. Em cada versão, testes automáticos verificam todas \
                                as telas, e o percurso inteiro é feito só com o teclado.";

    /// Whom to tell of a barrier. `firm`: the firm of the session, if there is one.
    pub fn contact(firm: Option<&str>) -> String {
        let firm = firm.map_or_else(|| "ao escritório de contabilidade".to_owned(), |firm| format!("a {firm}"));
        format!(
            "Conte {firm}, que enviou o seu link: o escritório pode ajudar você a conectar a conta e nos avisar do problema."
        )
    }
}
