import { expect, test } from 'vitest';
import { answerActions } from '../testing/page';
import { hydrateIslands } from './islands';

test('a module that does not load is reported, and an alert about it comes into the page', async () => {
  const calls = answerActions({});
  document.body.innerHTML = '<div id="islands-failed" role="alert" hidden><a href="">Recarregar a página</a></div>';
  Object.assign(document.body.dataset, { glue: '/no-such-module.js', wasm: '/no-such-module.wasm' });
  const before = document.getElementById('islands-failed');
  await hydrateIslands({ after: 0 });
  const alerts = [...document.querySelectorAll<HTMLElement>('[role="alert"]')];
  expect(alerts.map((alert) => [alert === before, alert.hidden])).toEqual([[false, false]]);
  expect(document.body.dataset.islands).toBe('failed');
  expect(calls).toMatchObject([{ action: 'report_island', input: { island: 'wasm' } }]);
});
