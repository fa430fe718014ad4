#!/usr/bin/env python3
"""listen.py [--update] BROWSER PROGRAM [WALK…]: walks through the product with Orca.

BROWSER is firefox or chromium. What is spoken is compared with transcripts/BROWSER/. A difference
is printed, and fails. With --update the transcripts are written anew. docs/accessibility.md
describes them.
"""
import difflib
import os
import sys
import tempfile
from pathlib import Path

from browsers import BROWSERS
from desktop import Desktop
from walk import WALKS, Walk

TRANSCRIPTS = Path(__file__).resolve().parent / 'transcripts'


def main(browser, program, names, update):
    different = False
    with tempfile.TemporaryDirectory(
        prefix='vincula-listen-', ignore_cleanup_errors=True
    ) as folder:
        desktop = Desktop(folder, program, BROWSERS[browser])
        orca = desktop.run('orca', '--version')
        versions = f'# Orca {orca}, {desktop.run(BROWSERS[browser].program, "--version")}'
        for name in names or WALKS:
            walk = Walk(desktop)
            try:
                WALKS[name](walk)
            except (LookupError, TimeoutError) as error:
                print('\n'.join(walk.lines[-30:]), f'✗ {name}: {error}', sep='\n')
                return False
            file = TRANSCRIPTS / browser / f'{name}.txt'
            recorded = file.read_text().splitlines() if file.exists() else ['', '']
            if update:
                file.write_text('\n'.join([versions, *walk.lines]) + '\n')
            elif recorded[1:] != walk.lines:
                different = True
                lines = difflib.unified_diff(
                    recorded[1:], walk.lines, f'{name}: recorded', f'{name}: heard', lineterm=''
                )
                print('\n'.join(lines))
                if recorded[0] != versions:
                    print(f'! recorded with {recorded[0]}, heard with {versions}')
    if different:
        print('✗ If what is heard is right, `make listen UPDATE=1` records it.')
    return not different


if __name__ == '__main__':
    if os.getpid() == 1:
        browser, program, *names = [
            argument for argument in sys.argv[1:] if argument != '--update'
        ]
        sys.exit(0 if main(browser, program, names, '--update' in sys.argv) else 1)
    # In a process namespace, what was started ends with this program, and Orca sees no other Orca.
    user = [] if os.getuid() == 0 else ['--user', '--map-current-user']
    os.execvp(
        'unshare',
        [
            'unshare',
            *user,
            '--fork',
            '--pid',
            '--kill-child',
            '--mount-proc',
            sys.executable,
            *sys.argv,
        ],
    )
