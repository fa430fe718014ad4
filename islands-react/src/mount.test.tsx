import { act, screen } from "@testing-library/react";
import { useEffect, useRef, useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { PageContext } from "./generated/types";
import { island } from "./mount";
import { answerActions, page, putContext, putHost } from "./testing/page";
import { useHydrated } from "./ui/use-hydrated";

function Broken(): never {
	throw new Error("boom");
}

/** Works until its button is pressed. */
function Fragile() {
	const [isBroken, setIsBroken] = useState(false);
	if (isBroken) throw new Error("boom");
	return (
		<form data-standalone="">
			<button type="button" onClick={() => setIsBroken(true)}>
				Autorizar
			</button>
		</form>
	);
}

function Hydrated() {
	const heading = useRef<HTMLHeadingElement>(null);
	const isHydrated = useHydrated();
	useEffect(() => heading.current?.setAttribute("title", "in effect"), []);
	return <h2 ref={heading}>{isHydrated ? "hydrated" : "served"}</h2>;
}

function ClientName({ clientName }: PageContext) {
	return <h2>{clientName}</h2>;
}

/** Puts the host of an island into a page with the card for missing islands. */
function serve(html: string): HTMLElement {
	putHost('<div id="islands-failed" hidden><p tabindex="-1">Falta</p></div>');
	const host = putHost(html);
	host.dataset.react = "consent";
	return host;
}

const card = () => document.getElementById("islands-failed");
const FAILED = {
	action: "report_island",
	input: { island: "consent", reason: "Error: boom" },
};

/** Expects that the console has this error, with the component that has thrown it. */
function expectLogged(error: unknown): void {
	expect(vi.mocked(console.error).mock.calls).toEqual([
		[error, expect.stringMatching(/^\s+at /)],
	]);
	vi.mocked(console.error).mockClear();
}

beforeEach(() => {
	putContext();
	vi.mocked(console.error).mockImplementation(() => {});
});

test("an island that throws when it starts is reported, and the card takes its place", async () => {
	const calls = answerActions({});
	const host = serve('<form data-standalone=""></form>');
	// Not in `act`, which would throw the uncaught error.
	island(Broken, () => ({}))(host, page);
	await vi.waitFor(() => expect(card()).toBeVisible());
	expect(host).toBeEmptyDOMElement();
	expect(calls).toMatchObject([FAILED]);
	expectLogged(new Error("boom"));
});

test("an island that throws later is reported, and the card takes its place", async () => {
	const calls = answerActions({});
	const host = serve(
		'<form data-standalone=""><button type="button">Autorizar</button></form>',
	);
	await act(async () => island(Fragile, () => ({}))(host, page));
	// `act` would throw the uncaught error.
	vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
	screen.getByRole("button").click();
	await vi.waitFor(() => expect(card()).toBeVisible());
	expect(host).toBeEmptyDOMElement();
	expect(calls).toMatchObject([FAILED]);
	expectLogged(new Error("boom"));
});

test("an island reports once that it works, after its effects and its render in the browser", async () => {
	const reported = vi.spyOn(page, "hydrated").mockImplementation(() => {
		const heading = screen.getByRole("heading");
		expect(heading).toHaveTextContent("hydrated");
		expect(heading).toHaveAttribute("title", "in effect");
	});
	const host = serve("<h2>served</h2>");
	await act(async () => {
		island(Hydrated, () => ({}))(host, page);
	});
	expect(reported).toHaveBeenCalledOnce();
});

test("a hydration mismatch is reported, and the served HTML replaced", async () => {
	const calls = answerActions({});
	const host = serve("<p>old</p>");
	const mounted = await act(async () =>
		island(ClientName, (context) => context)(host, page),
	);
	expect(host.innerHTML).toBe("<h2>Padaria Pão &amp; Cia &lt;Ltda&gt;</h2>");
	expect(calls).toMatchObject([
		{ action: "report_island", input: { island: "consent" } },
	]);
	expectLogged(expect.objectContaining({ message: expect.any(String) }));
	await act(async () => mounted.unmount());
});
