/**
 * Stops this page when another session opens in this browser: its requests are aborted, later ones fail at
 * once, and a dialog says so. Pages announce their session; a page that hears of another one asks the server, which
 * alone sees whose cookie the browser has.
 */

const controller = new AbortController();

/** Aborted once another session has replaced this page's. */
export const stopped = controller.signal;

export function stop(): void {
  controller.abort();
  show();
}

/** Announces the page's session to other tabs, and listens to theirs. Without a session there is nothing to stop. */
export function watchOtherTabs(): void {
  const notice = dialog();
  const session = notice?.dataset.session;
  if (!notice || session === undefined) return;
  let asking = false;
  const ask = async (): Promise<void> => {
    if (asking || stopped.aborted) return;
    asking = true;
    const answer = await window.vincula.post('check_session', { session });
    asking = false;
    if (!answer.ok && answer.failure.kind === 'other_tab') stop();
  };
  const channel = new BroadcastChannel('vincula');
  channel.addEventListener('message', ({ data }: MessageEvent<{ session: string }>) => {
    if (data.session !== session) void ask();
  });
  // A page in the back/forward cache hears nothing.
  window.addEventListener('pageshow', ({ persisted }) => persisted && ask());
  // Neither Escape nor anything else that closes a dialog leads back to the page.
  notice.addEventListener('cancel', (event) => event.preventDefault());
  notice.addEventListener('close', show);
  const link = notice.querySelector('a');
  link?.addEventListener('click', (event) => {
    event.preventDefault();
    location.replace(link.href);
  });
  channel.postMessage({ session });
}

function show(): void {
  const notice = dialog();
  if (notice && !notice.open) notice.showModal();
}

function dialog(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>('dialog#other-tab');
}
