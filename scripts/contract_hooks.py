"""Puts the data of the test's client into the bodies that schemathesis generates, where the type of a value is right:
an API rejects a request about another client, whatever its shape."""

import json
import os

import schemathesis

# The client's own values by key, from scripts/contract.mjs.
OWN = json.loads(os.environ["CONTRACT_OWN"])


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
