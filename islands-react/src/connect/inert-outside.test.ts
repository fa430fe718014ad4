import { afterEach, expect, test } from 'vitest';
import { inertOutside } from './inert-outside';

afterEach(() => {
  document.body.innerHTML = '';
});

test('all but dialogs is out of reach, live regions stay heard, and all comes back', () => {
  document.body.innerHTML = `
    <header id="header"></header>
    <main><p id="before"></p><div id="inner"><div id="dialog"><a id="link"></a></div></div></main>
    <aside id="already" inert></aside>
    <dialog id="other-tab"></dialog>
    <div id="shell"><nav id="nav"></nav><div id="toasts" aria-live="polite"></div></div>
    <script id="script"></script>`;
  const dialog = document.getElementById('dialog');
  if (dialog === null) throw new Error('no dialog');
  const inert = () => [...document.querySelectorAll('[inert]')].map(({ id }) => id);
  const restore = inertOutside(dialog);
  expect(inert()).toEqual(['header', 'before', 'already', 'nav']);
  restore();
  expect(inert()).toEqual(['already']);
});
