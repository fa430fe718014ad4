/**
 * Stops this page when another session opens in this browser (design D11): its requests are aborted, later ones fail at
 * once, and a dialog says so. Pages announce their session and the time at which the server rendered them; the page
 * rendered last wins.
 */

type Page = { session: string; rendered: number };

const controller = new AbortController();

/** Aborted once another session has replaced this page's. */
export const stopped = controller.signal;

/** Stops the page. */
export function stop(): void {
  controller.abort();
  show();
}

/** Announces the page's session to other tabs, and listens to theirs. Without a session there is nothing to stop. */
export function watchOtherTabs(): void {
  const notice = dialog();
  if (notice === undefined) return;
  const own: Page = { session: notice.dataset.session ?? '', rendered: Number(notice.dataset.rendered) };
  const channel = new BroadcastChannel('vincula');
  const announce = (): void => channel.postMessage(own);
  channel.addEventListener('message', ({ data }: MessageEvent<Page>) => {
    if (data.session === own.session) return;
    if (data.rendered > own.rendered) stop();
    // A prefetched page, or one from the back/forward cache, is older than it looks.
    else if (data.rendered < own.rendered && !stopped.aborted) announce();
  });
  window.addEventListener('pageshow', ({ persisted }) => persisted && announce());
  // Neither Escape nor anything else that closes a dialog leads back to the page.
  notice.addEventListener('cancel', (event) => event.preventDefault());
  notice.addEventListener('close', show);
  notice.querySelector('a')?.addEventListener('click', (event) => {
    event.preventDefault();
    if (event.currentTarget instanceof HTMLAnchorElement) location.replace(event.currentTarget.href);
  });
  announce();
}

function show(): void {
  const notice = dialog();
  if (notice && !notice.open) notice.showModal();
}

function dialog(): HTMLDialogElement | undefined {
  const notice = document.getElementById('other-tab');
  return notice instanceof HTMLDialogElement ? notice : undefined;
}
