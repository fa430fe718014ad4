import { island } from "../mount";
import { Connect } from "./Connect";

export const mount = island(Connect, (context) => context);
