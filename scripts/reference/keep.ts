// Writes a file of the repository where its content changed, laid out as the formatter of the project wants it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

export const top = join(import.meta.dirname, "../..");

/** JSON is compared by its content: the formatter lays it out in its own way. */
const content = (file: string, text: string): string =>
  file.endsWith(".json") ? JSON.stringify(JSON.parse(text)) : text;

export const isStale = (file: string, text: string): boolean =>
  !existsSync(join(top, file)) || content(file, readFileSync(join(top, file), "utf8")) !== content(file, text);

export function writeIfStale(file: string, text: string): void {
  if (!isStale(file, text)) return;
  mkdirSync(dirname(join(top, file)), { recursive: true });
  writeFileSync(join(top, file), text);
  if (file.endsWith(".json"))
    execFileSync(process.execPath, [join(top, "node_modules/oxfmt/bin/oxfmt"), file], { cwd: top, stdio: "ignore" });
}

export const jsonText = (data: unknown): string => `${JSON.stringify(data, null, 2)}\n`;
