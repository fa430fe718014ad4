// Stops this page when another session opens in this browser (design D11): what it has under way is aborted, it acts no
// more, and the notice says so. Pages tell each other by session and time of drawing; the one drawn last wins. Every
// call of an action carries `vinculaStopped`, so this runs before anything that acts.
(() => {
  const { session, drawn } = document.currentScript.dataset;
  const own = { session, drawn: Number(drawn) };
  const stop = new AbortController();
  const notice = document.getElementById('other-tab');
  const channel = new BroadcastChannel('vincula');
  window.vinculaStopped = stop.signal;
  const announce = () => channel.postMessage(own);
  const show = () => notice.open || notice.showModal();
  const halt = () => {
    stop.abort();
    show();
  };
  channel.addEventListener('message', ({ data }) => {
    if (data.session === own.session) return;
    if (data.drawn > own.drawn) halt();
    // A page fetched ahead of time or kept for "back" is older than it looks.
    else if (data.drawn < own.drawn && !stop.signal.aborted) announce();
  });
  window.addEventListener('pageshow', ({ persisted }) => persisted && announce());
  // The server has refused an action of this page.
  window.addEventListener('vincula:other-tab', halt);
  // There is no way back to the page: not by Escape, and not by whatever else closes a dialog.
  notice.addEventListener('cancel', (event) => event.preventDefault());
  notice.addEventListener('close', show);
  notice.querySelector('a').addEventListener('click', (event) => {
    event.preventDefault();
    location.replace(event.currentTarget.href);
  });
  announce();
})();
