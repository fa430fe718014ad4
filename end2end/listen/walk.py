"""The walks, and how they are written down.

Below each key (`>`) are what is spoken, and the element with the focus.
"""

import random
import re
import string

READY = (
    'document.readyState === "complete" && (document.body.dataset.islands ?? "alive") === "alive"'
)
BANKS_LOADED = 'document.querySelector("[role=combobox]:not([aria-busy], [readonly])")'
# The page says it half a second after the last letter.
ONE_BANK = 'document.body.textContent.includes("1 banco encontrado")'
# They disappear by themselves.
NO_TOASTS = '!document.querySelector(".toast")'
CONNECT_OPEN = 'document.querySelector("dialog[data-open] iframe")'

# Orca says these of a page that loads, or not, depending on how fast it does.
LOADING = re.compile(
    r'Carregando.*|Carregamento de .*|Página tem .*|.* documento da web\.|em branco'
    r'|conteúdo principal\.?|barra de status\.|Inserir endereço .*'
)
FOCUS = r"""
  const text = (element) => element?.innerText?.trim().replace(/\s+/g, ' ').slice(0, 60);
  const focused = document.activeElement;
  const inside = focused?.localName === 'iframe' && focused.contentDocument?.activeElement;
  const element = inside || focused;
  if (!element || element === document.body) return 'body';
  const name = element.getAttribute('aria-label') || text(element.labels?.[0]) || text(element);
  return element.localName + (name ? ` “${name}”` : '') + (inside ? ' in the frame' : '');
"""


class Walk:
    """A person with a keyboard, and the transcript of what they hear."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.lines = []

    def part(self, title):
        self.lines += ['', f'## {title}']

    def open(self, token, until='document.body.dataset.page !== "entry"'):
        """Opens a demo link with a fresh copy of its client, and waits for the page behind it."""
        copy = ''.join(random.choices(string.ascii_lowercase, k=8))
        self.desktop.open(f'/?token={token}.{copy}')
        self.desktop.wait_for_page(f'location.protocol === "http:" && {until} && {READY}')
        self.arrive(f'the link {token}')

    def go(self, path, until='true', key='Return'):
        """Presses a key that leads to this path, and waits for `until`, which is JavaScript."""
        self.desktop.keys(key)
        self.desktop.wait_for_page(f'location.pathname === "{path}" && {READY} && {until}')
        self.arrive(f'{key}: {path}')

    def press(self, key):
        self.desktop.keys(key)
        self.write(key, self.desktop.listen())

    def press_until(self, condition, key='Return'):
        """Presses a key that has the page load something."""
        self.desktop.keys(key)
        self.desktop.wait_for_page(condition)
        self.arrive(key)

    def type(self, text, shown=None, until='true'):
        """Types a text, and waits for an expression of JavaScript."""
        self.desktop.type(text)
        self.desktop.wait_for_page(until)
        self.write(f'type {shown or text}', self.desktop.listen())

    def read(self):
        """Orca reads the whole page."""
        self.desktop.keys('ctrl+Home')
        self.desktop.listen()
        self.desktop.keys('KP_Add')
        # The link at the end of each page.
        self.write('read the page', self.desktop.listen('Acessibilidade'))
        self.desktop.keys('ctrl+Home')
        self.desktop.listen()

    def tab_to(self, name):
        """Presses Tab until the focus is on the element with this name."""
        for _ in range(15):
            self.press('Tab')
            if name in self.focus():
                return
        raise LookupError(f'“{name}” is not reached by Tab')

    def focus(self):
        return self.desktop.evaluate(FOCUS)

    def arrive(self, did):
        """Leaves out what depends on how fast the page loads, and what is said twice."""
        said = [
            text.replace(' clicável', '')
            for text in self.desktop.listen()
            if not LOADING.fullmatch(text)
        ]
        self.write(did, dict.fromkeys(said))

    def write(self, did, said):
        said = [re.sub(r'\d\d/\d\d/\d{4} às \d\dh\d\d', '‹day and time›', text) for text in said]
        self.lines += [
            '',
            f'> {did}',
            *(f'    {text}' for text in said or ['(silence)']),
            f'    [focus: {self.focus()}]',
        ]


def unwritten(walk, act):
    length = len(walk.lines)
    act(walk)
    del walk.lines[length:]


def consent(walk):
    walk.press('x')
    walk.press('space')
    walk.tab_to('Autorizar integrações')


def bank_form(walk):
    walk.tab_to('Banco')
    walk.type('nub', until=ONE_BANK)
    walk.press('Return')
    walk.tab_to('Nome completo')
    walk.type('Maria da Silva')
    walk.tab_to('CPF')
    walk.type('52998224725')
    walk.tab_to('Avançar')


def journey(walk):
    walk.part('Link and consent')
    walk.open('demo-novo')
    walk.read()
    consent(walk)
    walk.part('Accounts, none')
    walk.go('/integration/accounts')
    walk.read()
    walk.tab_to('Integrar novo banco')
    walk.part('Bank form')
    walk.go('/integration/select-bank', BANKS_LOADED)
    walk.read()
    walk.tab_to('Banco')
    walk.type('nub', until=ONE_BANK)
    walk.press('Down')
    walk.press('Return')
    walk.tab_to('Nome completo')
    walk.type('Maria')
    walk.tab_to('CPF')
    walk.type('11111111111', 'a wrong CPF')
    walk.press('Tab')
    walk.press('Return')
    walk.press('ctrl+a')
    walk.type('52998224725', 'a CPF')
    walk.press('shift+Tab')
    walk.press('End')
    walk.type(' da Silva')
    walk.tab_to('Avançar')
    walk.part('Connect')
    walk.go('/integration/widget', CONNECT_OPEN)
    walk.tab_to('Conectar com sucesso')
    walk.part('Success')
    walk.go('/integration/success')
    walk.read()
    walk.tab_to('Concluir')
    walk.part('Cancellation, by the link of another client')
    walk.open('demo-cancelar')
    walk.read()
    walk.tab_to('Cancelar todas')
    walk.go('/cancel/success')
    walk.read()


def connect_closed(walk):
    """The same Escape closes Connect's window and is the browser's command to stop loading."""

    def to_connect(walk):
        walk.open('demo-novo')
        consent(walk)
        walk.go('/integration/accounts')
        walk.tab_to('Integrar novo banco')
        walk.go('/integration/select-bank', BANKS_LOADED)
        bank_form(walk)

    unwritten(walk, to_connect)
    walk.go('/integration/widget', CONNECT_OPEN)
    walk.go('/integration/accounts', key='Escape')
    walk.read()


def retry(walk):
    """Of four lists of accounts in a row, two get no response.

    The cancellation is loaded until its list fails.
    """
    listed = 'document.querySelector("main").innerText.includes("4321")'
    failed = 'document.querySelector("main").innerText.includes("Tentar de novo")'

    def to_cancellation(walk):
        walk.open('demo-cai-depois')
        consent(walk)
        walk.go('/integration/accounts')
        walk.desktop.open('/cancel/confirm')
        for state in (listed, failed):
            walk.desktop.wait_for_page(
                f'location.pathname === "/cancel/confirm" && {READY} && ({listed} || {failed})'
            )
            while not walk.desktop.evaluate(f'return {state}'):
                walk.desktop.keys('F5')
                walk.desktop.listen()
                walk.desktop.wait_for_page(f'{READY} && ({listed} || {failed})')
        walk.desktop.wait_for_page(NO_TOASTS)

    walk.part('Accounts that are not loaded at the first try')
    unwritten(walk, to_cancellation)
    walk.read()
    walk.tab_to('Tentar de novo')
    walk.press_until(listed)
    walk.press('Tab')
    walk.part('A link that does not open, twice')
    walk.open('demo-sem-resposta', f'{failed} && {NO_TOASTS}')
    walk.tab_to('Tentar de novo')
    walk.press_until(f'document.activeElement.localName === "button" && {failed} && {NO_TOASTS}')
    walk.press('Tab')


WALKS = {'journey': journey, 'connect-closed': connect_closed, 'retry': retry}
