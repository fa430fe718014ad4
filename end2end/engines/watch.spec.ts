/** Checks that these tests notice errors in a page: otherwise they would pass in spite of them. */
import { expect, test } from './fixtures.ts';
import { serve, startProxy } from './proxy.ts';

const PAGE = `<!doctype html><html><head><title>Faulty</title><meta http-equiv="content-security-policy" content="img-src 'none'">
</head><body><img src="/image.png" alt=""><script src="/nothing.js"></script><script>
  setTimeout(() => { throw new Error('thrown') });
  Promise.reject(new Error('rejected'));
  console.error('written');
</script></body></html>`;

test('every kind of error in a page is recorded', async ({ driver }) => {
  const faulty = await serve('127.0.0.1', undefined, ({ url }, response) => {
    if (url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    else response.writeHead(404).end();
  });
  const proxy = await startProxy(faulty.url);
  try {
    await driver.get(proxy.url);
    await expect
      .poll(() => proxy.errors)
      .toEqual(
        expect.arrayContaining(
          [
            /^status of 404: GET \/nothing\.js$/,
            /^policy violation: img-src .*\/image\.png$/,
            /^page error: .*thrown/,
            /^unhandled rejection: .*rejected/,
            /^console error: written$/,
          ].map((pattern) => expect.stringMatching(pattern)),
        ),
      );
  } finally {
    await proxy.stop();
    await faulty.stop();
  }
});
