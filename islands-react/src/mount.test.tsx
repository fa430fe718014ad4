import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { PageContext } from "./generated/types";
import { island } from "./mount";
import {
	answerActions,
	page,
	putContext,
	putHost,
	watchLocation,
} from "./testing/page";

function Broken(): never {
	throw new Error("boom");
}

function ClientName({ clientName }: PageContext) {
	return <h2>{clientName}</h2>;
}

beforeEach(() => putContext());

test("an island that throws is reported and replaced by a card with a reload button", async () => {
	const calls = answerActions({});
	const { reload } = watchLocation();
	const broken = island("consent", Broken, () => ({}));
	// Not in `act`, which would throw the uncaught error.
	broken(putHost(), page);
	expect(await screen.findByRole("alert")).toHaveTextContent(
		"Não foi possível mostrar esta parte da página",
	);
	expect(calls).toMatchObject([
		{
			action: "report_island",
			input: { island: "consent", reason: "Error: boom" },
		},
	]);
	await userEvent.click(
		screen.getByRole("button", { name: "Recarregar a página" }),
	);
	expect(reload).toHaveBeenCalledOnce();
});

test("a standalone form keeps its entered values if its island throws", async () => {
	const calls = answerActions({});
	const host = putHost(
		'<section data-standalone=""><input type="checkbox" /></section>',
	);
	const box = screen.getByRole("checkbox");
	await userEvent.click(box);
	const broken = island("consent", Broken, () => ({}));
	broken(host, page);
	await vi.waitFor(() =>
		expect(calls).toMatchObject([{ input: { reason: "Error: boom" } }]),
	);
	expect(screen.getByRole("checkbox")).toBe(box);
	expect(box).toBeChecked();
	expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

test("a hydration mismatch is reported, and the served HTML replaced", async () => {
	const calls = answerActions({});
	const host = putHost("<p>old</p>");
	const mounted = await act(async () =>
		island("consent", ClientName, ({ context }) => context)(host, page),
	);
	expect(host.innerHTML).toBe("<h2>Padaria Pão &amp; Cia &lt;Ltda&gt;</h2>");
	expect(calls).toMatchObject([{ action: "report_island" }]);
	await act(async () => mounted.unmount());
});
