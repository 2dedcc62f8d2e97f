// The engine that drives a web page. A program that is started with another one (tests do it) hands that one in.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import type { Engine } from "../contract/transport/index.ts";

export type OpenBrowser = () => Promise<Engine>;

/** `oracle` and `thehood` share one browser and one profile. */
export function browserHome(): string {
  const set = process.env["ORACLE_HOME_DIR"];
  return set === undefined || set === "" ? join(homedir(), ".oracle") : resolve(set);
}

export const openBrowser: OpenBrowser = async () => {
  const { browserEngine, browserWorld } = await import("../browser/index.ts");
  return browserEngine(browserWorld(browserHome(), process.env));
};
