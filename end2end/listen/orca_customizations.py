"""Orca's customizations (orca-customizations.py): what it says does not depend on timing.

Orca reads the page anew for each event. Here events wait until the page is at rest. SIGUSR1 hands
over those that have come; then {"delivered": n} is appended to the file $LISTEN_LOG.

Two kinds of events come in an order that varies, and are treated apart:
- A page has loaded: Orca forgets the page before, and says nothing.
- An element got the focus, which has moved on since: ignored.

python3-speechd drops the notice that an utterance has ended if it comes before the utterance's
number. Orca would then stop reading a page. Here such notices wait for the number.
"""

import json
import os
import signal
import time

import pyatspi
from gi.repository import GLib
from orca import event_manager, orca, orca_state, settings
from speechd import client

# On a busy machine, Orca would end itself if an event takes longer than ten seconds.
settings.timeoutTime = 0

log = open(os.environ['LISTEN_LOG'], 'a', buffering=1)
# Events, each with the manager that gets it.
waiting = []
enqueue = event_manager.EventManager._enqueue
# Notices of speech, by the number of the utterance.
early = {}
call = client._CallbackHandler.__call__
add_callback = client._CallbackHandler.add_callback


def keep(manager, event):
    waiting.append((manager, event))


def deliver():
    events = waiting.copy()
    waiting.clear()
    loads = [event for _, event in events if is_load(event)]
    start_pages(loads)
    for manager, event in events:
        if is_load(event) or attempt(is_over, event):
            continue
        if is_focus(event) and event.host_application.toolkitName == 'Gecko':
            # Orca may have found the focus at an earlier event. It would then leave out role and
            # description, as it does without this file. Not in Chromium: with this line, Orca was
            # observed to say nothing of the title of Connect's window there. The cause is unknown.
            start_pages(loads)
            loads.clear()
        present(manager, event)
    log.write(json.dumps({'delivered': len(events)}) + '\n')
    return GLib.SOURCE_CONTINUE


def present(manager, event):
    # Orca asks whether the last key was just before.
    if orca_state.lastInputEvent:
        orca_state.lastInputEvent.time = time.time()
    enqueue(manager, event)
    # One at a time: of many in its queue Orca drops some.
    while not manager._eventQueue.empty():
        manager._dequeue()


def is_load(event):
    return event.type.startswith('object:state-changed:busy') or event.type.startswith('document:')


def is_focus(event):
    return event.type.startswith('object:state-changed:focused') and event.detail1


def start_pages(loads):
    for event in loads:
        attempt(start_page, event)


def start_page(event):
    document = event.source
    script = orca_state.activeScript
    is_loaded = event.type.startswith('object:state-changed:busy') and not event.detail1
    if not is_loaded or script.utilities.getDocumentForObject(document.parent):
        return
    script.utilities.clearCachedObjects()
    script.structuralNavigation.clearCache()
    script.liveRegionManager.reset()
    orca.setLocusOfFocus(event, document, False)
    script.utilities.setCaretContext(document, 0, document)


def is_over(event):
    if not event.type.startswith('object:state-changed:focused'):
        return False
    event.source.clearCache()
    return not event.source.getState().contains(pyatspi.STATE_FOCUSED)


def attempt(act, event):
    """`None` if the page of the event is gone, or Orca does not know a page yet."""
    try:
        return act(event)
    except Exception:
        return None


def call_or_keep(handler, number, client_id, kind, **more):
    with handler._lock:
        if number not in handler._callbacks:
            early.setdefault(number, []).append((client_id, kind, more))
            return
    call(handler, number, client_id, kind, **more)


def add_and_call(handler, number, callback, kinds):
    add_callback(handler, number, callback, kinds)
    for client_id, kind, more in early.pop(number, []):
        call(handler, number, client_id, kind, **more)


client._CallbackHandler.__call__ = call_or_keep
client._CallbackHandler.add_callback = add_and_call
event_manager.EventManager._enqueue = keep
GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, deliver)
