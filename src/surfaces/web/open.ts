// Opens the browser through a file that only its owner can read: every user of the machine sees an argument list, and the
// address contains the token of the link.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

export interface BrowserOpener {
  /** The program and its first arguments; the address of the file comes last. */
  readonly command: readonly [string, ...string[]];
  /** A folder for the user alone. */
  readonly folder: string;
}

const removeMs = 60_000;

/** `find` gives the path of a program. Without one the printed link is enough. */
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
  setTimeout(() => rmSync(path, { force: true }), removeMs).unref();
  process.once("exit", () => rmSync(path, { force: true }));
  const [program, ...args] = command;
  const child = spawn(program, [...args, pathToFileURL(path).href], { stdio: "ignore", detached: true });
  // If the program does not start, the printed link is enough.
  await new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("spawn", () => resolve());
  });
  child.unref();
}
