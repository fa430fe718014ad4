// Takes README's pictures from the running product: consent, accounts and bank form on a phone, one picture of all
// three for each colour scheme, into docs/pictures/. It uses the embedded sandbox, as anybody can after `make run`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../end2end/chromium.mjs';
import { end, start } from './processes.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PICTURES = join(ROOT, 'docs/pictures');
const { chromium } = createRequire(new URL('../end2end/package.json', import.meta.url))('@playwright/test');

const PHONE = { width: 360, height: 740 };
/** Device pixels per CSS pixel: sharp at the width in README, and half the bytes of a scale of 2. */
const SCALE = 1.5;
const GAP = 24;
const RADIUS = 20;
/** WebP quality at which text still looks clean. */
const QUALITY = 0.7;
/** For both pictures together; a visitor of README downloads one of them. */
const MAX_BYTES = 250_000;

const program = await start(
  join(ROOT, 'target/run/vincula'),
  [],
  { LISTEN_ADDR: '127.0.0.1:0', METRICS_ADDR: '' },
  /listening address=(\S+)/,
);
const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
try {
  mkdirSync(PICTURES, { recursive: true });
  let bytes = 0;
  for (const scheme of ['light', 'dark']) {
    const picture = await sideBySide(await screens(`http://${program.found}`, scheme), scheme);
    const file = join(PICTURES, `screens-${scheme}.webp`);
    writeFileSync(file, picture);
    bytes += picture.length;
    console.log(`✓ docs/pictures/screens-${scheme}.webp: ${Math.round(picture.length / 1000)} kB`);
  }
  if (bytes > MAX_BYTES) throw new Error(`the pictures have ${bytes} bytes, more than ${MAX_BYTES}`);
} finally {
  await browser.close();
  await end(program);
}

/** Goes from a link to the filled bank form, and takes screenshots of the three screens. */
async function screens(product, colorScheme) {
  const context = await browser.newContext({
    viewport: PHONE,
    deviceScaleFactor: SCALE,
    isMobile: true,
    hasTouch: true,
    colorScheme,
    locale: 'pt-BR',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const pictures = [];
  const take = async () => {
    await page.evaluate(() => document.fonts.ready);
    pictures.push(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  };
  const works = (name) => page.locator(`body[data-page="${name}"][data-islands="alive"]`).waitFor();

  // A separate client for each scheme: the sandbox keeps the state of a client.
  await page.goto(`${product}/?token=demo-contas.${colorScheme}`);
  await works('consent');
  await take();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Autorizar integrações bancárias' }).click();
  await works('accounts');
  await page.getByRole('cell').nth(1).waitFor();
  await take();
  await page.getByRole('link', { name: 'Integrar novo banco' }).click();
  await works('bank-form');
  await page.getByRole('combobox').click();
  await page.getByRole('option').first().waitFor();
  await take();
  await context.close();
  return pictures;
}

/** One WebP of the pictures, with round corners, frame and transparent background. Playwright cannot write WebP. */
async function sideBySide(pictures, scheme) {
  const page = await browser.newPage();
  const data = await page.evaluate(
    async ({ sources, phone, scale, gap, radius, quality, line }) => {
      const images = await Promise.all(
        sources.map(async (source) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          return image;
        }),
      );
      const canvas = document.createElement('canvas');
      canvas.width = (images.length * (phone.width + gap) - gap) * scale;
      canvas.height = phone.height * scale;
      const context = canvas.getContext('2d');
      images.forEach((image, index) => {
        const outline = new Path2D();
        const x = index * (phone.width + gap) * scale;
        outline.roundRect(x, 0, phone.width * scale, phone.height * scale, radius * scale);
        context.save();
        context.clip(outline);
        context.drawImage(image, x, 0, phone.width * scale, phone.height * scale);
        context.lineWidth = 2 * scale;
        context.strokeStyle = line;
        context.stroke(outline);
        context.restore();
      });
      return canvas.toDataURL('image/webp', quality).split(',')[1];
    },
    {
      sources: pictures.map((picture) => `data:image/png;base64,${picture.toString('base64')}`),
      phone: PHONE,
      scale: SCALE,
      gap: GAP,
      radius: RADIUS,
      quality: QUALITY,
      line: scheme === 'dark' ? '#4a5a60' : '#b9c6ca',
    },
  );
  await page.close();
  return Buffer.from(data, 'base64');
}
