// Files that run inside a sandbox: built beside the programs; from sources, taken as they are or from the last build.
import { readFileSync } from "node:fs";
import { installedFile } from "../../platform/system/index.ts";

/** The first program of a local sandbox. */
export const initProgram = (): string => installedFile("gateway-init.js", "src/gateway/in-sandbox/init.ts");

/** The text of the package that the tools of a sandbox import. */
export const toolCode = (): string => readFileSync(installedFile("gateway-tools.txt"), "utf8");
