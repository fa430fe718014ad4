/** Checks that these tests notice errors in a page: otherwise they would pass in spite of them. */
import { expect, test } from './fixtures.ts';
import { serve, startFront } from './front.ts';

const PAGE = `<!doctype html><html><head><title>Faulty</title><meta http-equiv="content-security-policy" content="img-src 'none'">
</head><body><img src="/image.png" alt=""><script src="/nothing.js"></script><script>
  setTimeout(() => { throw new Error('thrown') });
  Promise.reject(new Error('rejected'));
  console.error('written');
</script></body></html>`;

test('what goes wrong in a page is heard', async ({ driver }) => {
  const faulty = await serve('127.0.0.1', undefined, ({ url }, response) => {
    if (url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    else response.writeHead(404).end();
  });
  const front = await startFront(faulty.url);
  try {
    await driver.get(front.url);
    await expect
      .poll(() => front.complaints)
      .toEqual(
        expect.arrayContaining(
          [
            /^status of 404: GET \/nothing\.js$/,
            /^policy violation: img-src .*\/image\.png$/,
            /^page error: .*thrown/,
            /^unhandled rejection: .*rejected/,
            /^console error: written$/,
          ].map((complaint) => expect.stringMatching(complaint)),
        ),
      );
  } finally {
    await front.stop();
    await faulty.stop();
  }
});
