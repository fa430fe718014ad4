/** Makes tests render in React's strict mode, which runs renders and effects twice. */
import { configure } from "@testing-library/react";
import { createElement, StrictMode } from "react";
import { vi } from "vitest";

configure({ reactStrictMode: true });

vi.mock("react-dom/client", async (importActual) => {
	const actual = await importActual<typeof import("react-dom/client")>();
	const hydrateRoot: typeof actual.hydrateRoot = (host, view, options) =>
		actual.hydrateRoot(host, createElement(StrictMode, null, view), options);
	return { ...actual, hydrateRoot };
});
