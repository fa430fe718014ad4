//! Envelopes: all kinds of `meta`, with a 2xx status and with others.

use serde_json::{Value, json};

use super::{respond_with, response};
use crate::{
    Fault, MARK,
    Meaning::{Contradiction, Expired, Good, ItemNotFound, NotFound, Refused, Unchanged},
};

pub(super) fn all() -> Vec<Fault> {
    let mut faults = Vec::new();
    let expired = json!({ "status": 401, "message": "Expired token" });
    for (what, meaning, data, meta) in [
        ("not found", NotFound, json!(null), json!({ "status": 404, "message": MARK })),
        ("not found, as text", NotFound, json!(null), json!({ "status": " 404 " })),
        ("expired", Expired, json!(null), expired),
        ("no item", ItemNotFound, json!({ "code": "ITEM_NOT_FOUND" }), json!({ "status": 404 })),
        ("no changes", Unchanged, json!(null), json!({ "status": 409, "message": "no changes" })),
        ("something else", Refused, json!({ "cause": MARK }), json!({ "status": 422, "message": MARK })),
        ("a failure", Refused, json!(null), json!({ "status": 500, "message": MARK })),
        ("a long story", Refused, json!(null), json!({ "status": 500, "message": MARK.repeat(3_000) })),
        ("a status beyond all statuses", Refused, json!(null), json!({ "status": 99_999, "message": MARK })),
        ("a status of 2^64", Refused, json!(null), json!({ "status": 18_446_744_073_709_551_616.0, "message": MARK })),
        ("a status with a fraction", Refused, json!(null), json!({ "status": 404.5 })),
    ] {
        let body = json!({ "data": data, "meta": meta }).to_string();
        for status in ["200 OK", "202 Accepted", "400 Bad Request", "500 Oops"] {
            let body = body.clone();
            let name = format!("meta says {what} in a {}", &status[..3]);
            faults.push(respond_with(name, meaning, move |_| response(status, "", &body)));
        }
    }
    for meta in [
        json!("404"),
        json!([404, MARK]),
        json!(404),
        json!(null),
        json!({}),
        json!({ "status": null }),
        json!({ "status": [500], "message": [MARK] }),
        json!({ "status": { "status": 500 } }),
        json!({ "status": true }),
        json!({ "status": "soon", "message": 7 }),
        json!({ "status": "", "message": MARK }),
        json!({ "status": -1 }),
        json!({ "status": 0 }),
        json!({ "status": 399.9 }),
        json!({ "status": "-500" }),
    ] {
        let (ours, theirs) = (meta.clone(), meta.clone());
        faults.push(respond_with(format!("meta {meta} beside good data"), Good, move |good| {
            answer("200 OK", good, &ours)
        }));
        faults.push(respond_with(format!("meta {meta} beside a 500"), Refused, move |_| {
            response("500 Oops", "", &json!({ "data": null, "meta": theirs }).to_string())
        }));
    }
    for status in [json!(400), json!("500"), json!(599.5), json!(70_000)] {
        let meta = json!({ "status": status, "message": MARK });
        faults.push(respond_with(format!("meta.status {status} beside good data"), Contradiction, move |good| {
            answer("200 OK", good, &meta)
        }));
    }
    faults.push(respond_with("a status twice", Good, |good| {
        response("200 OK", "", &good.replace("\"status\":200", "\"status\":500,\"status\":200"))
    }));
    faults
}

/// The good response with another `meta`.
fn answer(status: &str, good: &str, meta: &Value) -> String {
    let mut body: Value = serde_json::from_str(good).expect("a good answer is JSON");
    body["meta"] = meta.clone();
    response(status, "", &body.to_string())
}
