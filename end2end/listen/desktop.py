"""A desktop without a screen: Orca and Firefox on an X server, operated by keys; what Orca says is kept.

Everything that is started belongs to the process namespace that listen.py has entered, and ends with it.
"""
import json
import os
import re
import socket
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
# How long a start, a page or an answer may take, in seconds.
PATIENCE = 60
# Speech has ended if nothing was said and nothing computed for so many seconds.
PAUSE = 0.8
# What never settles is not waited for longer than this, in seconds.
LONGEST_SPEECH = 30


class Desktop:
    """Its files, the browser's profile included, are in `folder`, which is empty at first."""

    def __init__(self, folder, program):
        self.folder = Path(folder)
        self.unread = 0
        for name in ('home', 'run', 'data/orca', 'speech', 'profile', 'locales'):
            (self.folder / name).mkdir(parents=True)
        (self.folder / 'run').chmod(0o700)
        self.voice_log = self.folder / 'voice.jsonl'
        self.voice_log.touch()
        self.environment = {
            'PATH': os.environ['PATH'],
            'HOME': f'{folder}/home',
            'XDG_RUNTIME_DIR': f'{folder}/run',
            'XDG_DATA_HOME': f'{folder}/data',
            'XDG_CONFIG_HOME': f'{folder}/home',
            'XDG_CACHE_HOME': f'{folder}/home',
            'DBUS_SESSION_BUS_ADDRESS': f'unix:path={folder}/run/bus',
            'GSETTINGS_BACKEND': 'memory',
            'LOCPATH': f'{folder}/locales',
            'LC_ALL': 'pt_BR.UTF-8',
            'LANGUAGE': 'pt_BR',
            'TZ': 'America/Sao_Paulo',
            'VOICE_LOG': str(self.voice_log),
            'SPEECHD_ADDRESS': f'unix_socket:{folder}/run/speech',
        }
        self.start_desktop()
        self.start_orca()
        self.start_browser()
        self.start_program(program)

    def start(self, *command, **more):
        log = open(self.folder / f'{Path(command[0]).name}.log', 'w')
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **{'env': self.environment, **more})

    def run(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True).stdout.strip()

    def start_desktop(self):
        # Debian installs no locale but C; this one is compiled without root.
        self.run('localedef', '-i', 'pt_BR', '-f', 'UTF-8', f'{self.folder}/locales/pt_BR.UTF-8')
        reader, writer = os.pipe()
        self.start('Xvfb', '-displayfd', str(writer), '-screen', '0', '1280x900x24', '-nolisten', 'tcp', pass_fds=[writer])
        os.close(writer)
        with os.fdopen(reader) as display:
            self.environment['DISPLAY'] = ':' + display.readline().strip()
        self.start('dbus-daemon', '--session', '--nofork', f'--address={self.environment["DBUS_SESSION_BUS_ADDRESS"]}')
        wait_for('D-Bus', (self.folder / 'run/bus').exists)
        self.start('openbox', '--config-file', str(HERE / 'openbox.xml'))
        self.start('/usr/libexec/at-spi-bus-launcher', '--launch-immediately', '--a11y=1', '--screen-reader=1')
        wait_for('the accessibility bus', lambda: 'true' in self.run(
            'dbus-send', '--session', '--print-reply', '--dest=org.freedesktop.DBus', '/', 'org.freedesktop.DBus.NameHasOwner',
            'string:org.a11y.Bus'))

    def start_orca(self):
        (self.folder / 'speech/speechd.conf').write_text(
            f'LogLevel 1\nDefaultLanguage "pt"\nDefaultModule voice\nAddModule "voice" "{HERE}/voice.py" ""\n')
        self.start('speech-dispatcher', '--run-single', '--timeout', '0', '--config-dir', f'{self.folder}/speech', '--log-dir',
                   f'{self.folder}/speech', '--communication-method', 'unix_socket', '--socket-path', f'{self.folder}/run/speech')
        wait_for('speech-dispatcher', (self.folder / 'run/speech').exists)
        # Orca as it comes, but it does not read a whole page by itself, and does not repeat the keys.
        settings = {'startingProfile': ['Default', 'default'], 'sayAllOnLoad': False, 'enableKeyEcho': False,
                    'pronunciations': {}, 'keybindings': {}}
        default = {**settings, 'profile': ['Default', 'default']}
        (self.folder / 'data/orca/user-settings.conf').write_text(json.dumps(
            {'general': settings, 'profiles': {'default': default}, 'pronunciations': {}, 'keybindings': {}}))
        # On a busy machine, Orca would end itself if an event takes longer than ten seconds.
        (self.folder / 'data/orca/orca-customizations.py').write_text('import orca.settings\norca.settings.timeoutTime = 0\n')
        self.start('orca')
        wait_for('Orca', lambda: '"ended"' in self.voice_log.read_text())

    def start_browser(self):
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
            'signon.rememberSignons': False,
            'termsofuse.bypassNotification': True,
            # For userContent.css.
            'toolkit.legacyUserProfileCustomizations.stylesheets': True,
        }
        # An animation that never ends would compute without end.
        (self.folder / 'profile/chrome').mkdir()
        (self.folder / 'profile/chrome/userContent.css').write_text('*, ::before, ::after { animation-iteration-count: 1 !important; }\n')
        lines = (f'user_pref({json.dumps(name)}, {json.dumps(value)});\n' for name, value in settings.items())
        (self.folder / 'profile/user.js').write_text(''.join(lines))
        self.start('firefox-esr', '--profile', f'{self.folder}/profile', '--no-remote', '--marionette', 'about:blank')
        self.page = Marionette(port)
        wait_for("Firefox's window", self.has_window)
        self.listen()

    def has_window(self):
        try:
            return 'Firefox' in self.run('xdotool', 'getactivewindow', 'getwindowname')
        except subprocess.CalledProcessError:  # No window is active.
            return False

    def start_program(self, program):
        port = free_port()
        self.url = f'http://127.0.0.1:{port}'
        settings = {'PATH': os.environ['PATH'], 'LISTEN_ADDR': f'127.0.0.1:{port}', 'METRICS_ADDR': ''}
        self.start(program, env=settings)
        wait_for(program, lambda: is_open(port))

    def keys(self, *keys):
        self.run('xdotool', 'key', '--delay', '60', *keys)

    def type(self, text):
        self.run('xdotool', 'type', '--delay', '60', text)

    def open(self, path):
        """Types the address into the browser's bar. What Orca says of the bar is left out."""
        self.keys('ctrl+l')
        self.listen()
        self.type(self.url + path)
        self.listen()
        self.keys('Return')

    def wait_for_page(self, condition):
        """Waits until an expression of JavaScript is true in the page."""
        wait_for(condition, lambda: self.evaluate(f'return !!({condition})'))

    def evaluate(self, script):
        """`None` while a page is being left."""
        try:
            return self.page.evaluate(script)
        except RuntimeError:
            return None

    def listen(self):
        """What has been said since the last call, once there is silence."""
        texts, speaking = [], set()
        started = quiet_since = time.monotonic()
        while (now := time.monotonic()) - quiet_since < PAUSE and now - started < LONGEST_SPEECH:
            events = self.new_events()
            for event in events:
                if 'said' in event:
                    texts.append(re.sub(r'\s+', ' ', event['text']).strip())
                    speaking.add(event['said'])
                else:
                    speaking.discard(event['ended'])
            if events or speaking or self.computes():
                quiet_since = now
            time.sleep(0.02)
        return [text for text in texts if text]

    def new_events(self):
        with open(self.voice_log) as log:
            log.seek(self.unread)
            text = log.read()
        whole = text[: text.rfind('\n') + 1]
        self.unread += len(whole.encode())
        return [json.loads(line) for line in whole.splitlines()]

    def computes(self):
        """Whether a thread of another process runs or waits for a processor: on a busy machine, silence is no end."""
        own = str(os.getpid())
        for stat in Path('/proc').glob('[0-9]*/task/*/stat'):
            try:
                if stat.parts[2] != own and stat.read_text().rpartition(')')[2].split()[0] in 'RD':
                    return True
            except OSError:  # It has ended.
                pass
        return False


class Marionette:
    """Asks the page through Firefox's own protocol. Nothing is operated by it."""

    def __init__(self, port):
        wait_for('Firefox', lambda: is_open(port))
        self.socket = socket.create_connection(('127.0.0.1', port), PATIENCE)
        self.buffer = b''
        self.number = 0
        self.read()
        self.send('WebDriver:NewSession', {})

    def read(self):
        while b':' not in self.buffer:
            self.receive()
        size, self.buffer = self.buffer.split(b':', 1)
        while len(self.buffer) < int(size):
            self.receive()
        message, self.buffer = self.buffer[: int(size)], self.buffer[int(size) :]
        return json.loads(message)

    def receive(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError('Firefox has ended')
        self.buffer += data

    def send(self, name, parameters):
        self.number += 1
        message = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(f'{len(message)}:'.encode() + message)
        _, _, error, result = self.read()
        if error:
            raise RuntimeError(error['message'])
        return result

    def evaluate(self, script):
        return self.send('WebDriver:ExecuteScript', {'script': script, 'args': [], 'sandbox': 'listen'})['value']


def wait_for(what, is_there):
    end = time.monotonic() + PATIENCE
    while not is_there():
        if time.monotonic() > end:
            raise TimeoutError(f'not within {PATIENCE} s: {what}')
        time.sleep(0.05)


def free_port():
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


def is_open(port):
    with socket.socket() as client:
        return client.connect_ex(('127.0.0.1', port)) == 0
