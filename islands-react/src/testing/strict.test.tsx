import { type ReactNode, useEffect } from "react";
import { expect, test, vi } from "vitest";
import { island } from "../mount";
import { mountIsland, putContext, putHost } from "./page";

const started = vi.fn();

function Probe(): ReactNode {
	useEffect(() => {
		started();
	}, []);
	return null;
}

test("islands are hydrated in strict mode, which runs effects twice", async () => {
	putContext();
	await mountIsland(
		island(Probe, () => ({})),
		putHost(),
	);
	expect(started).toHaveBeenCalledTimes(2);
});
