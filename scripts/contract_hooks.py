"""Puts the data of the test's client into the bodies that schemathesis generates, where the type of a value is right:
the sandbox rejects a request about another client, whatever its shape."""

import json

import schemathesis

# The session data of `demo-aguardando`, whose list has a row (crates/sandbox/src/demo_links.rs).
TOKEN = "demo-aguardando.contract"
OWN = {
    "token": TOKEN,
    "customer_id": 4217,
    "cpfcnpj": "63940517000180",
    "client_uuid": "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b12",
}


def is_json(text):
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@schemathesis.hook
def before_call(context, case, **kwargs):
    if not isinstance(case.body, dict):
        return
    own = dict(case.body)
    for key, value in OWN.items():
        right = isinstance(own.get(key), (int, str)) and not isinstance(own.get(key), bool) and own[key] != ""
        if right or (key == "client_uuid" and key in own and own[key] is None):
            own[key] = value
    if isinstance(own.get("link_id"), (int, str)) and not isinstance(own["link_id"], bool):
        own["link_id"] = None
    if isinstance(own.get("data_log"), str) and not is_json(own["data_log"]):
        own["data_log"] = "{}"
    case.body = own
