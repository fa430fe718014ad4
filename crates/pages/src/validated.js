// Takes the mark by which a validated link led here out of the address, before anything reads it. On a reload it would
// say that the browser keeps no cookies where the session has only ended.
(() => {
  const { mark } = document.currentScript.dataset;
  const others = location.search.slice(1).split('&').filter((pair) => pair !== mark);
  const query = others.length > 0 ? `?${others.join('&')}` : '';
  history.replaceState(history.state, '', location.pathname + query + location.hash);
})();
