// The engine that drives a web page. A program that is started with another one (tests do it) hands that one in.
import type { Engine } from "../contract/transport/index.ts";

/** Gives undefined where there is no engine. */
export type OpenBrowser = () => Promise<Engine | undefined>;

/** This version drives no page yet. */
export const openBrowser: OpenBrowser = () => Promise.resolve(undefined);
