/** Connect for the renewal of a connection. */
import { Connect } from "../connect/Connect";
import { island } from "../mount";

export const mount = island(Connect, (context) => ({
	...context,
	isUpdate: true,
}));
