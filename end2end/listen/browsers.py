"""Firefox and Chromium: how they are started, and asked about the page.

Their protocols (Marionette, DevTools) only answer. Nothing is operated by them.
"""

import json
import os
import socket

from wait import PATIENCE, free_port, is_open, wait_for


class Firefox:
    program = 'firefox-esr'
    window = 'Firefox'

    def __init__(self, desktop):
        port = free_port()
        settings = {
            'accessibility.force_disabled': -1,
            'app.normandy.enabled': False,
            'app.update.enabled': False,
            'browser.aboutwelcome.enabled': False,
            'browser.formfill.enable': False,
            'browser.newtabpage.enabled': False,
            'browser.shell.checkDefaultBrowser': False,
            'browser.startup.homepage_override.mstone': 'ignore',
            'browser.startup.page': 0,
            'browser.urlbar.suggest.searches': False,
            'datareporting.policy.dataSubmissionEnabled': False,
            'extensions.formautofill.addresses.enabled': False,
            # A font that arrives late changes the lines, and Orca reads by lines.
            'gfx.downloadable_fonts.enabled': False,
            'intl.locale.requested': 'pt-BR',
            'keyword.enabled': False,
            'marionette.port': port,
            # Whether a link is known as visited depends on how fast that is written down.
            'places.history.enabled': False,
            'signon.rememberSignons': False,
            'termsofuse.bypassNotification': True,
            # For userContent.css.
            'toolkit.legacyUserProfileCustomizations.stylesheets': True,
        }
        profile = desktop.folder / 'profile'
        # An animation that never ends would compute without end.
        (profile / 'chrome').mkdir()
        (profile / 'chrome/userContent.css').write_text(
            '*, ::before, ::after { animation-iteration-count: 1 !important; }\n'
        )
        lines = (
            f'user_pref({json.dumps(name)}, {json.dumps(value)});\n'
            for name, value in settings.items()
        )
        (profile / 'user.js').write_text(''.join(lines))
        desktop.start(
            self.program, '--profile', str(profile), '--no-remote', '--marionette', 'about:blank'
        )
        wait_for('Firefox', lambda: is_open(port))
        self.socket = socket.create_connection(('127.0.0.1', port), PATIENCE)
        self.buffer = b''
        self.number = 0
        self.read()
        self.send('WebDriver:NewSession', {})

    def evaluate(self, script):
        return self.send(
            'WebDriver:ExecuteScript', {'script': script, 'args': [], 'sandbox': 'listen'}
        )['value']

    def send(self, name, parameters):
        self.number += 1
        message = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(f'{len(message)}:'.encode() + message)
        _, _, error, result = self.read()
        if error:
            raise RuntimeError(error['message'])
        return result

    def read(self):
        while b':' not in self.buffer:
            self.receive()
        size, self.buffer = self.buffer.split(b':', 1)
        while len(self.buffer) < int(size):
            self.receive()
        message = self.buffer[: int(size)]
        self.buffer = self.buffer[len(message) :]
        return json.loads(message)

    def receive(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError('Firefox has ended')
        self.buffer += data


class Chromium:
    program = 'chromium'
    window = 'Chromium'

    def __init__(self, desktop):
        preferences = desktop.folder / 'profile/Default/Preferences'
        preferences.parent.mkdir()
        preferences.write_text(json.dumps({'translate': {'enabled': False}}))
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()
        flags = [
            f'--user-data-dir={desktop.folder}/profile',
            '--remote-debugging-pipe',
            '--force-renderer-accessibility',
            '--lang=pt-BR',
            # Whether a link is known as visited depends on how fast that is written down.
            '--incognito',
            # As root it does not start otherwise. All pages are ours.
            '--no-sandbox',
            '--test-type',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-dev-shm-usage',
            '--disable-features=Translate,OptimizationHints,MediaRouter',
            '--disable-gpu',
            # A font that arrives late changes the lines, and Orca reads by lines.
            '--disable-remote-fonts',
            '--disable-sync',
            # An animation that never ends would compute without end.
            '--force-prefers-reduced-motion',
            '--no-default-browser-check',
            '--no-first-run',
            '--password-store=basic',
        ]
        # It reads from the descriptor 3, and writes to 4.
        pipes = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        desktop.start(
            'sh',
            '-c',
            pipes,
            'sh',
            self.program,
            *flags,
            'about:blank',
            pass_fds=[to_browser, from_browser],
        )
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b''
        self.number = 0
        self.session = {}
        wait_for("Chromium's page", self.pages)
        target = self.pages()[0]['targetId']
        attached = self.send('Target.attachToTarget', {'targetId': target, 'flatten': True})
        self.session = {'sessionId': attached['sessionId']}

    def pages(self):
        targets = self.send('Target.getTargets', {})['targetInfos']
        return [target for target in targets if target['type'] == 'page']

    def evaluate(self, script):
        expression = f'(() => {{{script}}})()'
        answer = self.send('Runtime.evaluate', {'expression': expression, 'returnByValue': True})
        if 'exceptionDetails' in answer:
            raise RuntimeError(answer['exceptionDetails']['text'])
        return answer['result'].get('value')

    def send(self, name, parameters):
        self.number += 1
        message = {'id': self.number, 'method': name, 'params': parameters, **self.session}
        os.write(self.writer, json.dumps(message).encode() + b'\0')
        while (answer := self.read()).get('id') != self.number:
            pass
        if 'error' in answer:
            raise RuntimeError(answer['error']['message'])
        return answer['result']

    def read(self):
        while b'\0' not in self.buffer:
            data = os.read(self.reader, 65536)
            if not data:
                raise ConnectionError('Chromium has ended')
            self.buffer += data
        message, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(message)


BROWSERS = {'firefox': Firefox, 'chromium': Chromium}
