// A machine with agent programs of the test, and nothing else on its path.
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { tempFolder } from "../support/temp-folder.ts";
import { type Desk, type Ran, openTestDesk, sample } from "./program.ts";

export const needed = ["git", "sh", "bash", "cat", "env", "bwrap", "id", "true"];

export function whereIs(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}

export function program(folder: string, name: string, version: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} ${version}"\n`, { mode: 0o755 });
}

export interface Machine extends Desk {
  readonly bin: string;
  install(name: string, version: string): void;
  /** The user's own configuration. */
  configure(value: unknown): void;
  on(args: readonly string[], env?: Record<string, string>): Ran;
}

/** A machine with git and a shell, and with no agent but those that are installed here. */
export function machine(files: Readonly<Record<string, string>> = sample): Machine {
  const desk = openTestDesk(files);
  const bin = tempFolder("thehood-bin-");
  for (const name of needed) {
    const file = whereIs(name);
    if (file) symlinkSync(realpathSync(file), join(bin, name));
  }
  return {
    ...desk,
    bin,
    install: (name, version) => program(bin, name, version),
    configure(value) {
      mkdirSync(join(desk.home, "config"), { recursive: true });
      writeFileSync(join(desk.home, "config", "config.json"), JSON.stringify(value));
    },
    on: (args, env = {}) => desk.thehood(args, { env: { PATH: bin, ...env } }),
  };
}

export const codexKey = { CODEX_API_KEY: "none" };

export const bothKeys = { ...codexKey, ANTHROPIC_API_KEY: "none" };

export function withBoth(): Machine {
  const one = machine();
  one.install("codex", "0.166.0");
  one.install("claude", "2.1.325");
  return one;
}

export interface Seat {
  readonly role: string;
  readonly assignment: string;
  readonly source: string;
}
