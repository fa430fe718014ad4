/**
 * Takes a navigation apart with Chromium's trace: milliseconds from its start to the first paint of the new page, by who
 * needed them. Times of functions are their own, without what they call.
 */

const CATEGORIES = 'devtools.timeline,blink.user_timing,loading,v8,v8.execute,__metadata';
const OURS = [
  ['script', /^(EvaluateScript|FunctionCall|TimerFire|RunMicrotasks|EventDispatch|XHR|FireAnimationFrame|v8|V8)/],
  ['style and layout', /^(UpdateLayoutTree|Layout|ParseAuthorStyleSheet|RecalculateStyles)$/],
  ['paint', /^(PrePaint|Paint|Layerize|Commit|UpdateLayer|UpdateLayerTree)$/],
  ['parsing', /^(ParseHTML|.*HTMLDocumentParser.*|.*AppendBytes)$/],
];

export const PARTS = ['before the response', ...OURS.map(([name]) => name), 'the browser'];

/** Runs `act`, which ends in a new page of the same tab, and returns the milliseconds of each part. */
export async function traceNavigation(devtools, act) {
  const events = [];
  const collect = ({ value }) => events.push(...value);
  devtools.on('Tracing.dataCollected', collect);
  await devtools.send('Tracing.start', { transferMode: 'ReportEvents', categories: CATEGORIES });
  await act();
  const complete = new Promise((done) => devtools.once('Tracing.tracingComplete', done));
  await devtools.send('Tracing.end');
  await complete;
  devtools.off('Tracing.dataCollected', collect);
  return takeApart(events);
}

function takeApart(events) {
  const byTime = (a, b) => a.ts - b.ts;
  const paint = events.filter(({ name }) => name === 'firstPaint').sort(byTime).at(-1);
  const mine = events.filter(({ pid, tid }) => pid === paint.pid && tid === paint.tid).sort(byTime);
  // Pictures in SVG are documents too, with frames of their own.
  const ofPage = (name) =>
    mine.filter((one) => one.name === name && one.args.frame === paint.args.frame && one.ts < paint.ts).at(-1).ts;
  const start = ofPage('navigationStart');
  const commit = ofPage('commitNavigationEnd');
  const parts = Object.fromEntries(PARTS.map((name) => [name, 0]));
  parts['before the response'] = commit - start;
  for (const { name, own } of ownTimes(mine.filter(({ ph, ts }) => ph === 'X' && ts >= commit && ts < paint.ts))) {
    const ours = OURS.find(([, names]) => names.test(name))?.[0];
    if (ours) parts[ours] += own;
  }
  const total = paint.ts - start;
  parts['the browser'] = total - Object.values(parts).reduce((sum, one) => sum + one, 0);
  return Object.fromEntries([...Object.entries(parts), ['in all', total]].map(([name, us]) => [name, us / 1000]));
}

/** Each event's time less that of the events inside it. `events` are those of one thread, by time. */
function ownTimes(events) {
  const open = [];
  return events.map(({ name, ts, dur = 0 }) => {
    while (open.length > 0 && open.at(-1).end <= ts) open.pop();
    if (open.length > 0) open.at(-1).one.own -= dur;
    const one = { name, own: dur };
    open.push({ end: ts + dur, one });
    return one;
  });
}
