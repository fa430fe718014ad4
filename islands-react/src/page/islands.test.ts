import { expect, test, vi } from 'vitest';
import { answerActions } from '../testing/page';
import { hydrateIslands } from './islands';

test('a module that does not load is reported, and an alert about it comes into the page', async () => {
  const calls = answerActions({});
  document.body.innerHTML = '<div id="islands-failed" role="alert" hidden><a href="">Recarregar a página</a></div>';
  Object.assign(document.body.dataset, { glue: '/no-such-module.js', wasm: '/no-such-module.wasm' });
  const came: Node[] = [];
  const observer = new MutationObserver((changes) =>
    came.push(...changes.flatMap(({ addedNodes }) => [...addedNodes])),
  );
  observer.observe(document.body, { childList: true });
  await hydrateIslands({ after: 0 });
  await vi.waitFor(() => expect(came).toHaveLength(1));
  const [alert] = came as HTMLElement[];
  expect([alert?.getAttribute('role'), alert?.hidden, alert?.isConnected]).toEqual(['alert', false, true]);
  expect(document.querySelectorAll('#islands-failed')).toHaveLength(1);
  expect(document.body.dataset.islands).toBe('failed');
  expect(calls).toMatchObject([{ action: 'report_island', input: { island: 'wasm' } }]);
});
