import { island } from "../mount";
import { Connect } from "./Connect";

export const mount = island("connect", Connect, ({ context }) => context);
