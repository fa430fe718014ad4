//! Makes a call with the product's own client, and reports what came back.

use std::{
    collections::HashMap,
    io::{self, Write},
    time::Instant,
};

use serde_json::Value;
use vincula_domain::token::{LinkToken, XsrfToken};
use vincula_upstream::{Call, CallError, CallOutput, Caller, Observer, RequestId, XsrfChange};

use super::{
    report::{Finding, Level, Report},
    verdict::{Check, Exchange},
};

/// A check of one API.
#[derive(Default)]
pub struct Probe {
    pub xsrf: Option<XsrfToken>,
    /// Sees the response of each call.
    pub observer: Observer,
    /// `data` of the last usable answer of each call.
    answers: HashMap<Call, Value>,
    pub report: Report,
}

/// A call got no response in time. Further calls could take as long.
pub struct TimedOut;

impl Probe {
    pub fn caller(&self, token: &LinkToken) -> Caller {
        Caller {
            token: Some(token.clone()),
            xsrf: self.xsrf.clone(),
            request_id: RequestId::default(),
        }
    }

    /// Makes a call that needs a bearer token: without one, with an unknown one, and twice with the
    /// right one.
    pub async fn exercise<T>(
        &mut self,
        call: Call,
        tried: &'static str,
        token: &LinkToken,
        send: impl AsyncFn(&Caller) -> Result<CallOutput<T>, CallError>,
    ) -> Result<(), TimedOut> {
        let without = Caller {
            xsrf: self.xsrf.clone(),
            ..Caller::default()
        };
        let tried_without = "without a bearer token";
        self.attempt(call, Check::NoBearer, tried_without, without, &send)
            .await?;
        let (unknown, tried_unknown) = (self.caller(&unknown_token()), "an unknown bearer token");
        self.attempt(call, Check::WrongBearer, tried_unknown, unknown, &send)
            .await?;
        let caller = self.caller(token);
        self.attempt(call, Check::Answer, tried, caller, &send)
            .await?;
        let caller = self.caller(token);
        self.attempt(call, Check::Repeat, "the same again", caller, &send)
            .await?;
        Ok(())
    }

    /// Makes a call for a caller, whose trace no other call has. Returns its data, if the product
    /// can use the answer. Nothing is repeated that has not worked.
    pub async fn attempt<T>(
        &mut self,
        call: Call,
        check: Check,
        tried: &'static str,
        caller: Caller,
        send: impl AsyncFnOnce(&Caller) -> Result<CallOutput<T>, CallError>,
    ) -> Result<Option<T>, TimedOut> {
        if matches!(check, Check::Repeat | Check::OfSuccess) && !self.answers.contains_key(&call) {
            return Ok(None);
        }
        if self
            .report
            .findings
            .last()
            .is_none_or(|last| last.call != call.path())
        {
            let _ = writeln!(io::stderr(), "trying {} /{} …", call.method(), call.path());
        }
        let request_id = caller.request_id.as_str().to_owned();
        self.observer.take();
        let begun = Instant::now();
        let sent = send(&caller).await;
        let took = begun.elapsed();
        let response = self.observer.take();
        let (data, xsrf, error) = match sent {
            Ok(CallOutput { data, xsrf }) => (Some(data), xsrf, None),
            Err(error) => (None, XsrfChange::None, Some(error)),
        };
        let has_timed_out = error
            .as_ref()
            .is_some_and(|error| error.name() == "timed_out");
        let json: Value = serde_json::from_slice(response.body.as_deref().unwrap_or_default())
            .unwrap_or_default();
        let had_xsrf = self.xsrf.is_some();
        // As in the session, list-accounts does not change the XSRF token.
        if call != Call::ListAccounts {
            self.xsrf = xsrf.clone().apply(self.xsrf.take());
        }
        let exchange = Exchange {
            call,
            error,
            response,
            json,
            took,
            xsrf,
            had_xsrf,
        };
        for (level, name, seen) in exchange.judge(check, &self.answers) {
            let is_bad = matches!(level, Level::Warning | Level::Failure);
            let request_id = is_bad.then(|| request_id.clone());
            self.report.findings.push(Finding {
                level,
                call: call.path(),
                name,
                tried,
                seen,
                request_id,
            });
        }
        if check == Check::Answer && data.is_some() {
            self.answers.insert(call, exchange.json["data"].clone());
        }
        if has_timed_out {
            Err(TimedOut)
        } else {
            Ok(data)
        }
    }
}

/// A token that no API has issued.
pub fn unknown_token() -> LinkToken {
    let text = format!("check-api-unknown-{:032x}", rand::random::<u128>());
    LinkToken::parse(&text).expect("visible ASCII is a token")
}
