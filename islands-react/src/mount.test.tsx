import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { island } from './mount';
import { answerActions, putContext, putHost, watchLocation } from './testing/page';

function Bomb(): never {
  throw new Error('boom');
}

beforeEach(() => putContext());
afterEach(() => {
  document.body.innerHTML = '';
});

test('an island is drawn from the context, and can be taken away', async () => {
  const host = putHost('<p>Contábil "Horizonte" &amp; Filhos</p>');
  const mounted = await act(async () => island('x', ({ context }) => <p>{context.customerName}</p>)(host));
  expect(host).toHaveTextContent(/^Contábil "Horizonte" & Filhos$/);
  await act(async () => mounted.unmount());
  expect(host).toBeEmptyDOMElement();
});

describe('an island that breaks', () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.mocked(console.error).mockClear();
  });

  test('shows a card, is reported, and offers to reload', async () => {
    const calls = answerActions({});
    const { reload } = watchLocation();
    // Not in `act`, which throws what nothing in React has caught.
    island('consent', () => <Bomb />)(putHost());
    expect(await screen.findByRole('alert')).toHaveTextContent('Não foi possível mostrar esta parte da página');
    expect(calls).toMatchObject([{ action: 'report_island', input: { island: 'consent', reason: 'Error: boom' } }]);
    await userEvent.click(screen.getByRole('button', { name: 'Recarregar a página' }));
    expect(reload).toHaveBeenCalledOnce();
  });

  test('shows the card when the context is missing', async () => {
    const calls = answerActions({});
    document.getElementById('vincula-context')?.remove();
    const host = putHost('<section>kept?</section>');
    island('consent', () => <p>never</p>)(host);
    await screen.findByRole('alert');
    expect(host).toHaveTextContent('Recarregar a página');
    expect(calls[0]).toMatchObject({ action: 'report_island', input: { island: 'consent' } });
  });

  test('prerendered HTML that differs is reported and replaced', async () => {
    const calls = answerActions({});
    const host = putHost('<section><p>old</p></section>');
    const view = () => (
      <section>
        <h2>new</h2>
      </section>
    );
    await act(async () => island('consent', view)(host));
    expect(host).toHaveTextContent(/^new$/);
    expect(calls).toMatchObject([{ action: 'report_island' }]);
  });
});
