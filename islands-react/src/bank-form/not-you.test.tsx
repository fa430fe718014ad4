import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { NotYou } from './NotYou';

const FIRM = 'Contábil Horizonte';
const COPIED = /^Texto copiado\./;

afterEach(() => {
  vi.unstubAllGlobals();
  for (const name of ['share', 'clipboard']) Reflect.deleteProperty(navigator, name);
});

function put(name: 'share' | 'clipboard', value: unknown): void {
  Object.defineProperty(navigator, name, { configurable: true, value });
}

/** Opens it and presses its button. */
async function send(label: string): Promise<void> {
  render(<NotYou firm={FIRM} />);
  await userEvent.click(screen.getByText('Não é você?'));
  await userEvent.click(screen.getByRole('button', { name: label }));
}

test('says what to do, and the text has neither an address nor a digit of a token', () => {
  render(<NotYou firm={FIRM} />);
  const todo = /^Encaminhe a mensagem de Contábil Horizonte ao titular, a um sócio ou ao usuário máster da conta\./;
  expect(screen.getByText(todo)).toBeInTheDocument();
  const text = document.querySelector('blockquote')?.textContent ?? '';
  expect(text).toContain('no seu próprio celular');
  expect(text).not.toMatch(/http|www|token|\/|\?/);
});

test('shares the text where the browser can', async () => {
  const share = vi.fn(async (_data: ShareData) => {});
  put('share', share);
  await send('Enviar o texto');
  expect(share).toHaveBeenCalledExactlyOnceWith({ text: document.querySelector('blockquote')?.textContent });
  expect(screen.getByRole('status')).toHaveTextContent(/^Pronto\./);
});

test('says nothing if the choice of apps is dismissed', async () => {
  put('share', async () => {
    throw new DOMException('no', 'AbortError');
  });
  await send('Enviar o texto');
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test('copies it where the browser cannot share, and confirms', async () => {
  const writeText = vi.fn(async (_text: string) => {});
  put('clipboard', { writeText });
  await send('Copiar o texto');
  expect(writeText).toHaveBeenCalledExactlyOnceWith(document.querySelector('blockquote')?.textContent);
  expect(screen.getByRole('status')).toHaveTextContent(COPIED);
});

test('copies it where sharing is refused', async () => {
  put('share', async () => {
    throw new DOMException('no', 'NotAllowedError');
  });
  put('clipboard', { writeText: async () => {} });
  await send('Enviar o texto');
  expect(screen.getByRole('status')).toHaveTextContent(COPIED);
});

test('selects it where nothing else works', async () => {
  await send('Copiar o texto');
  expect(screen.getByRole('status')).toHaveTextContent(/^Não foi possível copiar\./);
  expect(getSelection()?.toString()).toBe(document.querySelector('blockquote')?.textContent);
});
