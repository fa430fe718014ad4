import { expect, test } from 'vitest';
import { removeMark } from './validated';

test.each([
  ['/integration/widget?validado=1', '/integration/widget'],
  ['/integration/widget?validado=1&aviso=sem-resposta#a', '/integration/widget?aviso=sem-resposta#a'],
  ['/integration/widget?xvalidado=1', '/integration/widget?xvalidado=1'],
  ['/integration/widget', '/integration/widget'],
])('the mark is removed from %s, and nothing else', (address, left) => {
  history.replaceState({ kept: true }, '', address);
  removeMark();
  expect(location.pathname + location.search + location.hash).toBe(left);
  expect(history.state).toEqual({ kept: true });
});
