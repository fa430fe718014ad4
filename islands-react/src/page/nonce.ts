/** The nonce of the page's scripts and styles: beside `page/`, Connect needs it for the styles of Pluggy's SDK. */

export function pageNonce(): string {
	return (
		document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""
	);
}

let setsNonce = false;

/** Makes `createElement` set the nonce on every `<style>`, as long as the page is there. */
export function setNonceOnStyles(): void {
	if (setsNonce) return;
	setsNonce = true;
	const original: (
		name: string,
		options?: ElementCreationOptions,
	) => HTMLElement = document.createElement;
	document.createElement = ((
		name: string,
		options?: ElementCreationOptions,
	) => {
		const element = original.call(document, name, options);
		if (element instanceof HTMLStyleElement) element.nonce = pageNonce();
		return element;
	}) as typeof document.createElement;
}
