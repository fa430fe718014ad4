import { expect, test, vi } from 'vitest';
import { startStep } from './step';

vi.mock('./islands', () => ({ hydrateIslands: async () => undefined }));

const RECEIPT = `<dl><div class="facts__one"><dt>Documento</dt><dd>CNPJ **.1</dd></div></dl>
  <button id="print" hidden></button><button id="share" hidden></button>`;

test('the receipt can be printed, and is not offered to apps where the browser has no choice of them', () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  document.body.innerHTML = RECEIPT;
  startStep();
  const button = (id: string) => document.getElementById(id) as HTMLButtonElement;
  expect([button('print').hidden, button('share').hidden]).toEqual([false, true]);
  button('print').click();
  expect(print).toHaveBeenCalledOnce();
});

test('the receipt is shared as text: its title and its facts', () => {
  const share = vi.fn(async (_data: ShareData) => {});
  Object.defineProperty(navigator, 'share', { configurable: true, value: share });
  document.title = 'Comprovante · Firma';
  document.body.innerHTML = RECEIPT;
  startStep();
  document.getElementById('share')?.click();
  Reflect.deleteProperty(navigator, 'share');
  const text = 'Comprovante · Firma\nDocumento: CNPJ **.1';
  expect(share).toHaveBeenCalledExactlyOnceWith({ title: 'Comprovante · Firma', text });
});

test.each([true, false])('the answers below the consent stand open only on wide screens: %s', (isWide) => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(min-width: 850px)' && isWide }));
  document.body.innerHTML = `<form action="/integration/widget"><input name="consent" type="checkbox"><input name="session">
    <input name="text"><button></button><p class="button__hint"></p><p role="status"></p></form>
    <div class="consent__more"><details open></details></div>`;
  startStep();
  expect(document.querySelector('details')?.open).toBe(isWide);
});
