// A forge for tests: a bare repository that git reaches under the address of a forge, by the user's own `insteadOf`, and a
// `gh` or `glab` on the path that keeps its requests.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFolder } from "../support/temp-folder.ts";
import { openTestDesk, sample, type Desk, type Ran } from "./program.ts";

export interface ForgeCheck {
  readonly name: string;
  readonly result: "passed" | "failed" | "pending";
  readonly job: number;
}

export interface StoredRequest {
  readonly number: number;
  readonly branch: string;
  title: string;
  draft: boolean;
  state: "open" | "closed" | "merged";
  fork?: boolean;
  comments: string[];
  threads: { path: string; line: number; text: string; resolved?: boolean }[];
  checks: ForgeCheck[];
  /** Begin after the next look. */
  later?: ForgeCheck[];
}

interface ForgeState {
  readonly remote: string;
  requests: StoredRequest[];
  logs: Record<string, string>;
  issues?: Record<string, { title: string; body: string; url: string }>;
  /** Words of a question that fails, and the message. */
  broken?: Record<string, string>;
  /** Words of a question after which the caller is killed. */
  killAfter?: string;
}

const program = resolve(import.meta.dirname, "../support/forge/program.mjs");

export interface ForgeDesk {
  readonly desk: Desk;
  readonly env: NodeJS.ProcessEnv;
  readonly remote: string;
  thehood(args: readonly string[], input?: string): Ran;
  /** Changes what the forge holds. */
  set(change: (state: ForgeState) => void): void;
  request(): StoredRequest;
  calls(): string;
  atRemote(ref: string): string;
}

export function openForgeDesk(name: "gh" | "glab" = "gh", files: Readonly<Record<string, string>> = sample): ForgeDesk {
  const desk = openTestDesk(files);
  const remote = join(tempFolder(), "r.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  const address = `https://${name === "gh" ? "github" : "gitlab"}.com/o/r.git`;
  desk.repo.git("remote", "add", "origin", address);
  const config = join(desk.home, ".gitconfig");
  const before = existsSync(config) ? readFileSync(config, "utf8") : "";
  writeFileSync(config, `${before}[url "${remote}"]\n\tinsteadOf = ${address}\n`);
  const bin = join(tempFolder(), "bin");
  mkdirSync(bin);
  // A link would be started under the name of its target; the name says which forge is asked.
  const source = readFileSync(program, "utf8");
  writeFileSync(join(bin, name), `#!/usr/bin/env node\n${source}`, { mode: 0o755 });
  writeFileSync(join(bin, "package.json"), '{ "type": "module" }\n');
  const file = join(bin, "state.json");
  const read = () => JSON.parse(readFileSync(file, "utf8")) as ForgeState;
  const write = (state: ForgeState) => writeFileSync(file, JSON.stringify(state));
  write({ remote, requests: [], logs: {} });
  const env = { ...desk.env, PATH: `${bin}:${desk.env["PATH"] ?? ""}` };
  return {
    desk,
    env,
    remote,
    thehood: (args, input = "") => desk.thehood(args, { env, input }),
    set(change) {
      const state = read();
      change(state);
      write(state);
    },
    request() {
      const last = read().requests.at(-1);
      if (!last) throw new Error("The forge holds no request.");
      return last;
    },
    calls: () => (existsSync(join(bin, "log")) ? readFileSync(join(bin, "log"), "utf8") : ""),
    atRemote: (ref) =>
      execFileSync("git", ["--git-dir", remote, "for-each-ref", "--format=%(objectname)", ref], {
        encoding: "utf8",
      }).trim(),
  };
}
