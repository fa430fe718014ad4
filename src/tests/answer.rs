//! A response of the router, as tests read it.

use axum::{
    body::{Body, to_bytes},
    http::{
        HeaderMap, Response,
        header::{CONTENT_TYPE, LOCATION, SET_COOKIE},
    },
};
use serde_json::Value;

/// A response of the router.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub async fn of(response: Response<Body>) -> Self {
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        Self {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text: String::from_utf8(body.to_vec()).expect("everything tested here is text"),
        }
    }

    /// A header that occurs at most once.
    pub fn header_of(&self, name: &str) -> Option<&str> {
        let values: Vec<_> = self.headers.get_all(name).iter().collect();
        assert!(values.len() <= 1, "{name} is there {} times", values.len());
        values.first().map(|value| value.to_str().unwrap())
    }

    pub fn location(&self) -> Option<&str> {
        self.header_of(LOCATION.as_str())
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(
            self.header_of(CONTENT_TYPE.as_str()),
            Some("application/json"),
            "{self:?}"
        );
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The name of the rendered page.
    pub fn page(&self) -> Option<&str> {
        let (_, rest) = self.text.split_once("data-page=\"")?;
        rest.split('"').next()
    }

    /// The document without its templates and hidden elements, which scripts keep until they need
    /// them.
    pub fn shown(&self) -> String {
        let (mut shown, mut rest) = (String::new(), self.text.as_str());
        while let Some((before, tag)) = rest.split_once('<') {
            let (inside, after) = tag.split_once('>').expect("tags are closed");
            shown.push_str(before);
            rest = after;
            let mut parts = inside.split_ascii_whitespace();
            let name = parts.next().unwrap();
            let is_hidden = parts.any(|part| matches!(part, "hidden" | "hidden=\"\""));
            if name != "template" && !is_hidden {
                shown.extend(["<", inside, ">"]);
                continue;
            }
            let (open, close) = (format!("<{name}"), format!("</{name}>"));
            let mut depth = 1;
            while depth > 0 {
                let (inner, next) = rest.split_once(&close).expect("elements are closed");
                depth = depth + inner.matches(&open).count() - 1;
                rest = next;
            }
        }
        shown + rest
    }

    /// The nonce of a document's scripts.
    #[track_caller]
    pub fn nonce(&self) -> &str {
        let policy = self
            .header_of("content-security-policy")
            .expect("a document has a policy");
        policy
            .split("'nonce-")
            .nth(1)
            .expect("its policy has a nonce")
            .split('\'')
            .next()
            .unwrap()
    }

    /// The document without the parts that differ in each response: nonce, support code, and for how
    /// long a linking is shown.
    pub fn settled(&self) -> String {
        let code = self.header_of("x-request-id").unwrap();
        let groups: Vec<_> = code
            .as_bytes()
            .chunks(4)
            .map(String::from_utf8_lossy)
            .collect();
        let text = self
            .text
            .replace(self.nonce(), "_")
            .replace(code, "_")
            .replace(&groups.join(" "), "_");
        match text.split_once("\"shownSecs\":") {
            Some((before, after)) => {
                before.to_owned() + after.trim_start_matches(|c: char| c.is_ascii_digit())
            }
            None => text,
        }
    }

    /// The data that the islands of the page share.
    #[track_caller]
    pub fn context(&self) -> Value {
        let (_, rest) = self
            .text
            .split_once("id=\"vincula-context\"")
            .expect("the page has a context");
        let json = rest
            .split_once('>')
            .and_then(|(_, rest)| rest.split_once("</script>"))
            .unwrap()
            .0;
        serde_json::from_str(json).unwrap()
    }

    /// The value of a hidden field of the page's form.
    #[track_caller]
    pub fn field(&self, name: &str) -> &str {
        let (_, rest) = self
            .text
            .split_once(&format!("name=\"{name}\" value=\""))
            .expect("the form has the field");
        rest.split('"').next().unwrap()
    }

    /// The address to which an action or its failure leads.
    #[track_caller]
    pub fn to(&self) -> String {
        let json = self.json();
        let leads = json.get("navigate").unwrap_or(&json);
        leads["to"].as_str().expect("it leads somewhere").to_owned()
    }

    #[track_caller]
    pub fn assert_shows(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.text.contains(part), "{part} is missing: {}", self.text);
        }
    }

    #[track_caller]
    pub fn assert_lacks(&self, parts: &[&str]) {
        for part in parts {
            assert!(!self.text.contains(part), "{part} is there: {}", self.text);
        }
    }

    /// Asserts that the action failed with exactly this failure, and that an error screen gets the
    /// support code of its request.
    #[track_caller]
    pub fn assert_failure(&self, status: u16, failure: &Value) {
        let mut told = self.json();
        if let Some(to) = told["navigate"]["to"].as_str() {
            assert_eq!(to.starts_with("/error/"), to.contains("codigo="), "{to}");
            told["navigate"]["to"] = self.without_code(to).into();
        }
        assert_eq!((self.status, &told), (status, failure));
        assert_eq!(
            self.header_of(SET_COOKIE.as_str()),
            None,
            "a failure keeps the session as it was"
        );
        assert_eq!(self.location(), None);
    }

    /// A redirect that the browser follows with GET.
    #[track_caller]
    pub fn assert_redirect(&self, to: &str) {
        let location = self.location().map(|location| self.without_code(location));
        assert_eq!((self.status, location), (303, Some(to)), "{self:?}");
    }

    /// The address without the support code of this response.
    #[track_caller]
    pub fn without_code<'a>(&self, to: &'a str) -> &'a str {
        let Some((path, code)) = to.rsplit_once("codigo=") else {
            return to;
        };
        let path = path.trim_end_matches(['?', '&']);
        assert_eq!(Some(code), self.header_of("x-request-id"), "{self:?}");
        assert!(path.starts_with("/error/"), "{path}");
        path
    }
}
