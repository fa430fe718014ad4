"""A desktop without a screen: Orca and a browser on an X server, operated by keys.

Everything that is started belongs to the process namespace that listen.py has entered, and ends
with it.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from wait import free_port, is_open, wait_for

HERE = Path(__file__).resolve().parent
# Speech has ended if nothing was said and nothing computed for so many seconds.
PAUSE = 0.4
# What never settles is not waited for longer than this, in seconds.
LONGEST_SPEECH = 30


class Desktop:
    """Its files, the browser's profile included, are in `folder`, which is empty at first."""

    def __init__(self, folder, program, browser):
        self.folder = Path(folder)
        self.unread = 0
        self.texts = []
        self.speaking = set()
        self.delivered = None
        for name in ('home', 'run', 'data/orca', 'speech', 'profile', 'locales'):
            (self.folder / name).mkdir(parents=True)
        (self.folder / 'run').chmod(0o700)
        self.log = self.folder / 'log.jsonl'
        self.log.touch()
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
            'LISTEN_LOG': str(self.log),
            'SPEECHD_ADDRESS': f'unix_socket:{folder}/run/speech',
        }
        self.start_desktop()
        self.start_orca()
        self.start_browser(browser)
        self.start_program(program)

    def start(self, *command, **more):
        log = open(self.folder / f'{Path(command[0]).name}.log', 'w')
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            **{'env': self.environment, **more},
        )

    def run(self, *command):
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=True
        ).stdout.strip()

    def succeeds(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True).returncode == 0

    def start_desktop(self):
        # Debian installs no locale but C; this one is compiled without root.
        self.run('localedef', '-i', 'pt_BR', '-f', 'UTF-8', f'{self.folder}/locales/pt_BR.UTF-8')
        reader, writer = os.pipe()
        self.start(
            'Xvfb',
            '-displayfd',
            str(writer),
            '-screen',
            '0',
            '1280x900x24',
            '-nolisten',
            'tcp',
            # When its last client leaves, it would reset, and break connections that begin. The
            # accessibility bus connects and leaves while the window manager starts.
            '-noreset',
            pass_fds=[writer],
        )
        os.close(writer)
        with os.fdopen(reader) as display:
            self.environment['DISPLAY'] = ':' + display.readline().strip()
        self.start(
            'dbus-daemon',
            '--session',
            '--nofork',
            f'--address={self.environment["DBUS_SESSION_BUS_ADDRESS"]}',
        )
        wait_for('D-Bus', (self.folder / 'run/bus').exists)
        self.start('openbox', '--config-file', str(HERE / 'openbox.xml'))
        # xdotool asks the window manager.
        wait_for('openbox', lambda: self.succeeds('xdotool', 'get_num_desktops'))
        self.start(
            '/usr/libexec/at-spi-bus-launcher',
            '--launch-immediately',
            '--a11y=1',
            '--screen-reader=1',
        )
        wait_for(
            'the accessibility bus',
            lambda: 'true'
            in self.run(
                'dbus-send',
                '--session',
                '--print-reply',
                '--dest=org.freedesktop.DBus',
                '/',
                'org.freedesktop.DBus.NameHasOwner',
                'string:org.a11y.Bus',
            ),
        )

    def start_orca(self):
        (self.folder / 'speech/speechd.conf').write_text(
            'LogLevel 1\n'
            'DefaultLanguage "pt"\n'
            'DefaultModule voice\n'
            f'AddModule "voice" "{HERE}/voice.py" ""\n'
        )
        self.start(
            'speech-dispatcher',
            '--run-single',
            '--timeout',
            '0',
            '--config-dir',
            f'{self.folder}/speech',
            '--log-dir',
            f'{self.folder}/speech',
            '--communication-method',
            'unix_socket',
            '--socket-path',
            f'{self.folder}/run/speech',
        )
        wait_for('speech-dispatcher', (self.folder / 'run/speech').exists)
        # Orca's defaults, but it neither reads a whole page by itself nor repeats the keys.
        settings = {
            'startingProfile': ['Default', 'default'],
            'sayAllOnLoad': False,
            'enableKeyEcho': False,
            'pronunciations': {},
            'keybindings': {},
        }
        default = {**settings, 'profile': ['Default', 'default']}
        (self.folder / 'data/orca/user-settings.conf').write_text(
            json.dumps(
                {
                    'general': settings,
                    'profiles': {'default': default},
                    'pronunciations': {},
                    'keybindings': {},
                }
            )
        )
        shutil.copy(
            HERE / 'orca_customizations.py', self.folder / 'data/orca/orca-customizations.py'
        )
        self.orca = self.start('orca')
        wait_for('Orca', lambda: '"ended"' in self.log.read_text())

    def start_browser(self, browser):
        self.page = browser(self)
        self.window = browser.window
        wait_for("the browser's window", self.has_window)
        self.listen()

    def has_window(self):
        """Gives the browser's window the focus if the window manager has not."""
        try:
            if self.window in self.run('xdotool', 'getactivewindow', 'getwindowname'):
                return True
        except subprocess.CalledProcessError:  # No window is active.
            pass
        subprocess.run(
            ['xdotool', 'search', '--onlyvisible', '--name', self.window, 'windowactivate'],
            env=self.environment,
            capture_output=True,
        )
        return False

    def start_program(self, program):
        port = free_port()
        self.url = f'http://127.0.0.1:{port}'
        settings = {
            'PATH': os.environ['PATH'],
            'LISTEN_ADDR': f'127.0.0.1:{port}',
            'METRICS_ADDR': '',
        }
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

    def listen(self, last=None):
        """Returns what has been said since the last call, once nothing follows.

        `last` is a text that must have been said by then.
        """
        delivered = 1
        end = time.monotonic() + LONGEST_SPEECH
        while last and last not in self.texts and time.monotonic() < end:
            self.rest()
        while delivered and time.monotonic() < end:
            self.rest()
            delivered = self.deliver()
        texts, self.texts = self.texts, []
        return [text for text in texts if text]

    def rest(self):
        """Waits until nothing is spoken and nothing computes."""
        started = quiet_since = time.monotonic()
        while (now := time.monotonic()) - quiet_since < PAUSE and now - started < LONGEST_SPEECH:
            if self.take() or self.speaking or self.computes():
                quiet_since = now
            time.sleep(0.02)

    def deliver(self):
        """Hands over to Orca what the page has done. Returns the number of events."""
        self.delivered = None
        self.orca.send_signal(signal.SIGUSR1)
        wait_for('Orca', lambda: self.take() and self.delivered is not None)
        return self.delivered

    def take(self):
        """Reads on in the log. Returns whether there was something new."""
        with open(self.log) as log:
            log.seek(self.unread)
            text = log.read()
        whole = text[: text.rfind('\n') + 1]
        self.unread += len(whole.encode())
        for line in whole.splitlines():
            event = json.loads(line)
            if 'said' in event:
                self.texts.append(re.sub(r'\s+', ' ', event['text']).strip())
                self.speaking.add(event['said'])
            elif 'ended' in event:
                self.speaking.discard(event['ended'])
            else:
                self.delivered = event['delivered']
        return bool(whole)

    def computes(self):
        """Returns whether a thread of another process runs or waits for a processor.

        On a busy machine, silence alone is not the end.
        """
        own = str(os.getpid())
        for stat in Path('/proc').glob('[0-9]*/task/*/stat'):
            try:
                if stat.parts[2] != own and stat.read_text().rpartition(')')[2].split()[0] in 'RD':
                    return True
            except OSError:  # It has ended.
                pass
        return False
