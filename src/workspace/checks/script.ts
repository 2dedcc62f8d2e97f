// The command line that a check comes down to: its own words, and the text of the script that they name.
import type { CheckSpec } from "../../core/contract/index.ts";
import { isRecord, parseJsonFile, type TreeFiles } from "./tree.ts";

export async function scriptOf(tree: TreeFiles, { argv, cwd }: CheckSpec): Promise<string> {
  const line = argv.join(" ");
  const [program, verb, name] = argv;
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program) || verb !== "run" || name === undefined) return line;
  const manifest = parseJsonFile(
    (await tree.read(cwd === "" ? "package.json" : `${cwd}/package.json`)) ?? "",
  );
  const scripts = isRecord(manifest) && isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  return `${line} ${typeof scripts[name] === "string" ? scripts[name] : ""}`;
}
