// A desk for whole runs through the real `thehood` program with real agent programs: a repository, a home, the user's
// configuration, and scripted models that live, with everything else, in a network namespace without a way out.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { bin, sample } from "../cli/program.ts";
import { makeRepository, type TestRepository } from "../support/repository.ts";
import { binDir } from "./installed.ts";
import type { Play } from "./models/index.ts";
import { claudeScripted, codexScripted, layFiles, type Scripted } from "./scripted.ts";

const main = resolve(import.meta.dirname, "models/main.ts");

/** Whether a network of its own, with nothing but loopback, can be had here. */
export const alone =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["-n", "sh", "-c", "ip link set lo up && command -v nsenter"]).status === 0;

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  json<T = Record<string, unknown>>(): T;
}

export interface AgentDesk {
  readonly repo: TestRepository;
  readonly home: string;
  thehood(args: readonly string[]): Promise<Ran>;
  /** Started and left running; it is ended with the test. */
  start(args: readonly string[]): ChildProcess;
  /** What the models were asked: by which program, for which role. */
  requests(): { wire: string; role: string | null; callId: string | null }[];
  /** Waits until a model was asked for this role. */
  reached(role: string): Promise<void>;
}

export interface DeskOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly programs?: readonly Scripted[];
}

export async function openAgentDesk(play: Play, options: DeskOptions = {}): Promise<AgentDesk> {
  const repo = makeRepository(options.files ?? sample);
  const home = tempFolder("thehood-desk-");
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    await Promise.all(children.map(ended));
    repo.remove();
  });
  const models = await startModels(home, play, children);
  const programs = options.programs ?? [codexScripted, claudeScripted];
  const env = writeSetup(home, models.addresses, programs);
  const [program, ...before] = [...models.enter, process.execPath, bin];
  const launch = (args: readonly string[]): ChildProcess => {
    const child = spawn(program ?? "", [...before, ...args], {
      cwd: repo.dir,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    return child;
  };
  const requests = () => readLines(join(home, "requests.jsonl")) as ReturnType<AgentDesk["requests"]>;
  return {
    repo,
    home,
    thehood: (args) => finished(launch(args)),
    start: launch,
    requests,
    async reached(role) {
      await until(() => requests().some((one) => one.role === role), `a model asked as ${role}`);
    },
  };
}

async function startModels(home: string, play: Play, children: ChildProcess[]) {
  writeFileSync(join(home, "play.json"), JSON.stringify(play));
  const words = [process.execPath, main, home];
  const [program, ...args] = alone
    ? ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", ...words]
    : words;
  const child = spawn(program ?? "", args, { stdio: ["pipe", "ignore", "inherit"] });
  children.push(child);
  const file = join(home, "models.json");
  await until(() => existsSync(file), "the scripted models");
  const addresses = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  return { addresses, enter: alone ? ["nsenter", "-t", String(child.pid), "-n"] : [] };
}

/** The user's configuration and environment, as the guide tells to write them. */
function writeSetup(home: string, addresses: Readonly<Record<string, string>>, programs: readonly Scripted[]) {
  const urlOf = ({ wire }: Scripted) => addresses[wire.name] ?? "";
  const providers = Object.fromEntries(programs.map((one) => [one.id, one.settings(urlOf(one))]));
  for (const one of programs) layFiles(home, one, urlOf(one));
  mkdirSync(join(home, "config"));
  writeFileSync(join(home, "config/config.json"), JSON.stringify({ version: 1, providers }));
  return {
    PATH: `${binDir}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: home,
    THEHOOD_HOME: join(home, "config"),
    NO_COLOR: "1",
    ...Object.assign({}, ...programs.map((one) => one.variables(urlOf(one)))),
  } as NodeJS.ProcessEnv;
}

const readLines = (file: string): unknown[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line) => (line ? [JSON.parse(line) as unknown] : []))
    : [];

const patienceMs = 120_000;

export async function until(done: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await done())) {
    if (Date.now() > end) throw new Error(`${what} did not come`);
    await sleep(20);
  }
}

export function finished(child: ChildProcess): Promise<Ran> {
  const [out, err] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString("utf8");
  });
  return new Promise((done) => {
    child.once("close", (code) => {
      const text = out?.() ?? "";
      done({ code, out: text, err: err?.() ?? "", json: <T>() => JSON.parse(text) as T });
    });
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await gone;
}
