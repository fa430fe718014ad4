/** The states of the gallery (`src/gallery/states.rs`). */
import { DEPLOYED, isOnSandbox } from "./deployed.ts";
import { startSandbox } from "./servers.ts";

export type State = {
	slug: string;
	/** A text that is visible once the state is reached. */
	shows: string;
};

/** Playwright needs the states before any test runs, so a program that is started for this lists them, or the deployed one. */
export async function readStates(): Promise<State[]> {
	if (DEPLOYED !== undefined)
		return (await isOnSandbox()) ? statesAt(DEPLOYED) : [];
	const program = await startSandbox();
	try {
		return await statesAt(program.url);
	} finally {
		await program.kill();
	}
}

const statesAt = async (url: string) =>
	(await (await fetch(`${url}/sandbox/screens.json`)).json()) as State[];
