/** The mark by which a validated link leads to its step without this script (`routes::VALIDATED`). */
import { VALIDATED } from '../generated/routes';

/** Removes the mark from the address. After a reload it would say that the browser keeps no cookies. */
export function removeMark(): void {
  const pairs = location.search.slice(1).split('&');
  const others = pairs.filter((pair) => pair !== VALIDATED);
  if (others.length === pairs.length) return;
  const query = others.length > 0 ? `?${others.join('&')}` : '';
  history.replaceState(history.state, '', location.pathname + query + location.hash);
}
