// Opens the browser through a file that only its owner can read: an address in an argument list is seen by every user of
// the machine, and it holds the word that lets one in.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

export interface BrowserOpener {
  /** The program and its first words; the address of the file comes last. */
  readonly command: readonly [string, ...string[]];
  /** A folder for the user alone. */
  readonly folder: string;
}

const keptMs = 60_000;

/** `find` gives the whole address of a program. Where there is none, the printed link is enough. */
export function openerOf(
  platform: NodeJS.Platform,
  folder: string,
  find: (name: string) => string | undefined,
): BrowserOpener | null {
  if (platform === "win32") return { command: ["rundll32", "url.dll,FileProtocolHandler"], folder };
  const program = platform === "darwin" ? "/usr/bin/open" : find("xdg-open");
  return program === undefined ? null : { command: [program], folder };
}

export async function openInBrowser({ command, folder }: BrowserOpener, link: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `open-${process.pid}.html`);
  rmSync(path, { force: true });
  // The link is made of letters, digits and -_:/.#= only; a run id is letters, digits and _.
  const page = `<!doctype html><meta http-equiv="refresh" content="0;url=${link}"><title>thehood</title>`;
  writeFileSync(path, page, { mode: 0o600, flag: "wx" });
  setTimeout(() => rmSync(path, { force: true }), keptMs).unref();
  process.once("exit", () => rmSync(path, { force: true }));
  const [program, ...words] = command;
  const child = spawn(program, [...words, pathToFileURL(path).href], { stdio: "ignore", detached: true });
  // Where there is no such program the printed link is enough.
  await new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("spawn", () => resolve());
  });
  child.unref();
}
