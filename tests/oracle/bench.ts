// A place to run the real command: its own home, a real repository with a bare remote, a scripted page or server.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RunResult, SessionRecord } from "../../src/core/contract/transport/index.ts";
import { resultSchema, sessionSchema } from "../../src/core/contract/transport/schema/index.ts";
import { bin, ensureBuilt, scriptedBin } from "./built.ts";
import { removeFolder } from "../support/remove-folder.ts";

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DoubleTurn {
  readonly answer?: string;
  readonly [key: string]: unknown;
}

const author = { name: "Test Person", email: "test@example.invalid" };

/** Repositories that were made once, to be copied: making one takes a dozen starts of git. */
const templates = new Map<string, { readonly template: string; readonly madeIn: string }>();

export class Bench {
  readonly dir: string;
  readonly home: string;
  readonly repo: string;
  readonly remote: string;
  readonly env: Record<string, string>;
  readonly #children: ChildProcess[] = [];

  constructor() {
    ensureBuilt();
    this.dir = realpathSync(mkdtempSync(join(tmpdir(), "oracle-")));
    this.home = join(this.dir, "oracle-home");
    this.repo = join(this.dir, "repo");
    this.remote = join(this.dir, "remote.git");
    mkdirSync(join(this.dir, "user"));
    this.env = {
      PATH: process.env["PATH"] ?? "",
      HOME: join(this.dir, "user"),
      ORACLE_HOME_DIR: this.home,
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
    };
  }

  /** A repository with these files in its first commit, on `main`, pushed to a bare remote. */
  withRepository(files: Readonly<Record<string, string>>): this {
    const key = JSON.stringify(files);
    const made = templates.get(key);
    if (made === undefined) {
      this.#makeRepository(files);
      const template = mkdtempSync(join(tmpdir(), "oracle-template-"));
      process.on("exit", () => removeFolder(template));
      for (const name of ["repo", "remote.git"])
        cpSync(join(this.dir, name), join(template, name), { recursive: true });
      templates.set(key, { template, madeIn: this.dir });
    } else {
      for (const name of ["repo", "remote.git"])
        cpSync(join(made.template, name), join(this.dir, name), {
          recursive: true,
          preserveTimestamps: true,
        });
      const config = join(this.repo, ".git/config");
      writeFileSync(config, readFileSync(config, "utf8").replaceAll(made.madeIn, this.dir));
    }
    return this;
  }

  #makeRepository(files: Readonly<Record<string, string>>): void {
    mkdirSync(this.repo);
    this.git("init", "-q", "-b", "main");
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.git("add", "-A");
    this.git("commit", "-q", "-m", "first");
    execFileSync("git", ["init", "-q", "--bare", "-b", "main", this.remote], { env: this.env });
    this.git("remote", "add", "origin", this.remote);
    this.git("push", "-q", "-u", "origin", "main");
  }

  git(...args: string[]): string {
    const identity = ["-c", `user.name=${author.name}`, "-c", `user.email=${author.email}`];
    return execFileSync("git", [...identity, ...args], {
      cwd: this.repo,
      env: this.env,
      encoding: "utf8",
    }).trim();
  }

  remoteHead(branch = "main"): string {
    return execFileSync("git", ["--git-dir", this.remote, "rev-parse", branch], { encoding: "utf8" }).trim();
  }

  write(path: string, text: string | Uint8Array): string {
    const full = join(this.repo, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  }

  read(path: string): string {
    return readFileSync(join(this.repo, path), "utf8");
  }

  /** The next runs are answered by this script instead of a page. */
  double(turns: readonly DoubleTurn[], more: Readonly<Record<string, unknown>> = {}): this {
    const script = join(this.dir, "double.json");
    for (const path of [this.#recordPath, this.gate]) rmSync(path, { force: true });
    writeFileSync(script, JSON.stringify({ record: this.#recordPath, turns, ...more }));
    this.env["ORACLE_BROWSER_DOUBLE"] = script;
    return this;
  }

  /** Turns with `until: bench.gate` are answered after `bench.open()`. */
  get gate(): string {
    return join(this.dir, "gate");
  }

  open(): void {
    writeFileSync(this.gate, "");
  }

  get #recordPath(): string {
    return join(this.dir, "double.jsonl");
  }

  /** What the page was asked to do, in order. */
  get record(): Record<string, unknown>[] {
    if (!existsSync(this.#recordPath)) return [];
    return (
      readFileSync(this.#recordPath, "utf8")
        // The server may be in the middle of a line: only lines with an end count.
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    );
  }

  get sent(): Record<string, unknown>[] {
    return this.record.filter((entry) => "turn" in entry);
  }

  start(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    cwd = existsSync(this.repo) ? this.repo : this.dir,
  ): ChildProcess {
    return this.#spawn({ ...this.env, ...env }["ORACLE_BROWSER_DOUBLE"] ? scriptedBin : bin, args, env, cwd);
  }

  /** Starts the program that is shipped, whatever page is scripted. */
  startProduct(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    return this.#spawn(bin, args, env, this.dir);
  }

  /** Any program of the system, in the place of the product. */
  startProgram(name: string, args: readonly string[], cwd = this.dir): ChildProcess {
    return this.#begin(name, args, {}, cwd);
  }

  /** The state of the only session, as its file says it. */
  status(id = this.sessionIds[0] ?? ""): string {
    return (JSON.parse(readFileSync(this.file(id, "session.json"), "utf8")) as SessionRecord).status;
  }

  #spawn(program: string, args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): ChildProcess {
    return this.#begin(process.execPath, [program, ...args], env, cwd);
  }

  #begin(name: string, args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): ChildProcess {
    const child = spawn(name, args, {
      cwd,
      env: { ...this.env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#children.push(child);
    return child;
  }

  async ended(child: ChildProcess, stdin = ""): Promise<Ran> {
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(stdin);
    return await new Promise((resolve) => {
      child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
  }

  /** Runs in the process itself, as ORACLE_NO_DETACH=1 wants. */
  async run(
    args: readonly string[],
    more: { env?: Readonly<Record<string, string>>; stdin?: string; cwd?: string } = {},
  ): Promise<Ran> {
    const env = { ORACLE_NO_DETACH: "1", ...more.env };
    const child = more.cwd === undefined ? this.start(args, env) : this.start(args, env, more.cwd);
    return await this.ended(child, more.stdin ?? "");
  }

  get sessionIds(): string[] {
    const folder = join(this.home, "sessions");
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  }

  file(id: string, name: string): string {
    return join(this.home, "sessions", id, name);
  }

  /** The one session there is, or the named one; both documents parsed by their schemas. */
  session(id = this.sessionIds[0] ?? ""): { record: SessionRecord; result: RunResult; dir: string } {
    const dir = join(this.home, "sessions", id);
    const record = sessionSchema.parse(JSON.parse(readFileSync(join(dir, "session.json"), "utf8")));
    const result = resultSchema.strict().parse(JSON.parse(readFileSync(join(dir, "result.json"), "utf8")));
    return { record, result, dir };
  }

  /** Ends what a test left running, by pid. */
  dispose(): void {
    for (const child of this.#children) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    for (const id of this.sessionIds) {
      const path = this.file(id, "session.json");
      if (!existsSync(path)) continue;
      const { status, process: owner } = JSON.parse(readFileSync(path, "utf8")) as SessionRecord;
      if (status !== "running" || owner === null) continue;
      try {
        process.kill(owner.pid, "SIGKILL");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
    removeFolder(this.dir);
  }
}

export const fence = (diff: string, info = "diff") => `Here is the change.\n\n\`\`\`${info}\n${diff}\`\`\`\n\nDone.\n`;
