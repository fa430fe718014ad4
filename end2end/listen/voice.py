#!/usr/bin/env python3
"""An output module of speech-dispatcher that makes no sound and writes down what it is given.

It appends lines of JSON to the file $LISTEN_LOG: {"said": n, "text": …} when message n begins,
{"ended": n} when it ends. A message takes a millisecond for each character.
"""
import html
import json
import os
import re
import sys
import threading

SECONDS_PER_CHARACTER = 0.001

log = open(os.environ['LISTEN_LOG'], 'a', buffering=1)
stop = threading.Event()
lock = threading.Lock()


def reply(*lines):
    with lock:
        print(*lines, sep='\n', flush=True)


def note(**event):
    log.write(json.dumps(event, ensure_ascii=False) + '\n')


def body():
    """The lines of a command up to its full stop."""
    lines = []
    for line in sys.stdin:
        line = line.rstrip('\n')
        if line == '.':
            break
        lines.append(line[1:] if line.startswith('..') else line)
    return '\n'.join(lines)


def plain(ssml):
    return html.unescape(re.sub(r'<[^>]*>', '', ssml))


def speak(number, ssml):
    reply('701 BEGIN')
    # Texts and the names of the marks between them take turns.
    for index, part in enumerate(re.split(r'<mark name="([^"]*)"\s*/>', ssml)):
        if index % 2:
            reply(f'700-{part}', '700 INDEX MARK')
        elif stop.wait(len(plain(part)) * SECONDS_PER_CHARACTER):
            break
    # The next message can come before the line is written if the reply goes first.
    note(ended=number)
    reply('703 STOP' if stop.is_set() else '702 END')


number, speaker = 0, None
for line in sys.stdin:
    command = line.strip()
    if command == 'INIT':
        reply('299-voice', '299 OK LOADED SUCCESSFULLY')
    elif command == 'AUDIO':
        reply('207 OK RECEIVING AUDIO SETTINGS')
        body()
        reply('203 OK AUDIO INITIALIZED')
    elif command == 'LOGLEVEL':
        reply('207 OK RECEIVING LOGLEVEL SETTINGS')
        body()
        reply('203 OK LOG LEVEL SET')
    elif command == 'SET':
        reply('203 OK RECEIVING SETTINGS')
        body()
        reply('203 OK SETTINGS RECEIVED')
    elif command.startswith('LIST VOICES'):
        reply('200-pt\tpt-BR\tnone', '200 OK VOICE LIST SENT')
    elif command in ('SPEAK', 'CHAR', 'KEY', 'SOUND_ICON'):
        reply('202 OK RECEIVING MESSAGE')
        ssml = body()
        if speaker is not None:
            speaker.join()
        stop.clear()
        number += 1
        note(said=number, text=plain(ssml))
        reply('200 OK SPEAKING')
        speaker = threading.Thread(target=speak, args=(number, ssml), daemon=True)
        speaker.start()
    elif command in ('STOP', 'PAUSE'):
        stop.set()
    elif command.startswith('DEBUG'):
        reply('200 OK DEBUGGING')
    elif command == 'QUIT':
        reply('210 OK QUIT')
        break
    elif command:
        reply('300 ERR UNKNOWN COMMAND')
