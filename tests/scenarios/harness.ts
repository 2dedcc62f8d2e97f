// Drives whole runs through the engine's door with real parts: git, SQLite, commands, the stub. A scenario reads as what
// a person would do.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { expect } from "vitest";
import { commitFiles, plainGit, writeFiles } from "../support/repository.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { makeStateFolder, type OpenEngine, openEngine } from "../../src/runtime/runs/engine.ts";
import type {
  AskedRole,
  ConfiguredCheck,
  CreateRun,
  Gate,
  GateAnswer,
  GateKind,
  Policy,
  ProviderPort,
  ResolvedAssignment,
  RunEvent,
  RunEventOf,
  RunEventType,
  RunMode,
  Store,
  StoredEvent,
  UserCommand,
} from "../../src/core/contract/index.ts";
import { type Looped, readEvent } from "../../src/runtime/engine/index.ts";
import { type UserPolicy, userPolicy } from "../../src/core/crew/policy/index.ts";
import { evolve, openGates, type Run } from "../../src/core/machine/index.ts";
import { type StubScript, createRegistry, createStub, offer } from "../../src/agents/index.ts";
import { locateRepository, findRepository } from "../../src/platform/git/index.ts";
import type { ImmediateStore } from "../../src/platform/store/database.ts";
import { openParts, openStore } from "../../src/platform/store/open.ts";
import { createCommandRunner } from "../../src/platform/sandbox/index.ts";
import { sharedFor } from "./shared-store.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A small project with a real bug and a real test that shows it. */
export const sample: Files = {
  "package.json": `${JSON.stringify({ name: "sample", type: "module", scripts: { test: "node --test" } }, null, 2)}\n`,
  "src/add.js": "export const add = (a, b) => a - b;\n",
  "test/add.test.js":
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
  "README.md": "# Sample\n",
};
export const fix = { op: "replace", path: "src/add.js", find: "a - b", with: "a + b" } as const;

/** The sample's own test, without npm around it. */
export const nodeTest: ConfiguredCheck = { id: "unit", kind: "test", argv: ["node", "--test"] };

/** Judges the same bug in a few milliseconds: most scenarios are not about the check itself. */
export const quickCheck: ConfiguredCheck = {
  id: "quick",
  kind: "test",
  argv: ["node", "-e", "import('./src/add.js').then(({ add }) => process.exit(add(1, 2) === 3 ? 0 : 1))"],
};

/** For scenarios that do not depend on checks, which take longer than the rest of such a run. */
export const unchecked: UserPolicy = { checks: [], waivedChecks: ["validation"] };

const clock = { now: () => Date.now() };
export const scratchFolders = [join(tmpdir(), `thehood-scratch-${process.getuid?.() ?? "user"}`)];
const open: OpenEngine[] = [];
export async function cleanUp(): Promise<void> {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
}

export function folder(files: Files): string {
  const dir = tempFolder("scenario-");
  writeFiles(dir, files);
  return dir;
}

export function put(dir: string, path: string, text: string | Uint8Array): void {
  writeFiles(dir, { [path]: text });
}

export const git = (dir: string, ...args: string[]): string => plainGit(dir, ...args).trimEnd();

export function project(files: Files = sample): string {
  const dir = tempFolder("scenario-");
  commitFiles(dir, files, "base");
  return dir;
}

export const runner = createCommandRunner({
  environment: { PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` },
});

/** The embedded store, or the database that the test file names. */
function storeAt(dir: string, stateDir: string): Store<RunEvent> {
  const embedded = openStore<RunEvent>(stateDir, { clock });
  const url = process.env["THEHOOD_SCENARIO_DATABASE"];
  return url === undefined ? embedded : sharedFor(url, { dir, stateDir }, embedded);
}

/** Opens the runs of a folder as a new process would. */
export function openAt(dir: string, providers: readonly ProviderPort[] = []): OpenEngine {
  const place = locateRepository(dir);
  makeStateFolder(place);
  const opened = openEngine({
    ...place,
    store: storeAt(dir, place.stateDir),
    providers: createRegistry([createStub(), ...providers].map(offer)),
    commands: runner,
    scratchFolders,
    classify: () => Promise.resolve({ class: "local_write", gated: false, why: "not judged here", parts: [] }),
  });
  open.push(opened);
  return opened;
}

/** The stub under another name and with other traits: how the engine treats a provider must follow from these alone. */
export function disguised(id: string, traits: Partial<ProviderPort["traits"]>): ProviderPort {
  const stub = createStub();
  return {
    ...stub,
    id,
    traits: { ...stub.traits, modelBacked: true, ...traits },
    resolve: (model) => ({ ok: true, identity: `${id}:${model}` }),
  };
}

export interface Wish {
  readonly dir?: string;
  readonly files?: Files;
  readonly goal?: string;
  readonly mode?: RunMode;
  readonly script?: StubScript;
  readonly policy?: UserPolicy;
  /** `provider:model`, or null for nobody. Everyone is the stub unless said otherwise. */
  readonly roles?: Partial<Record<AskedRole, string | null>>;
  readonly providers?: readonly ProviderPort[];
  readonly more?: Partial<CreateRun>;
}

const everyone: readonly AskedRole[] = ["orchestrator", "planner", "implementer", "qa", "verifier", "critic"];

function crew({ roles = {}, script, providers = [] }: Wish): Record<string, ResolvedAssignment> {
  const wanted = new Map<AskedRole, string | null>(everyone.map((role) => [role, `stub:${role}`]));
  for (const role of Object.keys(roles) as AskedRole[]) wanted.set(role, roles[role] ?? null);
  const found = [...wanted].flatMap(([role, assignment]) => {
    if (assignment === null) return [];
    const [id, model = ""] = assignment.split(":");
    const provider = [createStub(), ...providers].find((port) => port.id === id);
    const known = provider?.resolve(model);
    if (!provider || !known?.ok) throw new Error(`nobody answers to ${assignment}`);
    const { identity } = known;
    const { boundary, modelBacked, edits, reads } = provider.traits;
    const options = provider.traits.about.includes("scripted") ? script : undefined;
    const resolved = {
      assignment,
      provider: provider.id,
      model,
      identity,
      boundary,
      modelBacked,
      edits,
      ...(reads ? { reads } : {}),
      source: "run",
    };
    return [[role, { ...resolved, options }]];
  });
  return Object.fromEntries(found) as Record<string, ResolvedAssignment>;
}

export class Scenario {
  readonly dir: string;
  readonly runId: string;
  opened: OpenEngine;

  constructor(dir: string, runId: string, opened: OpenEngine) {
    this.dir = dir;
    this.runId = runId;
    this.opened = opened;
  }

  /** Everything on record, read beside the engine. */
  log(): StoredEvent<RunEvent>[] {
    return this.#look((store) => store.log.read(this.runId)).map(readEvent);
  }
  #look<T>(work: (store: ImmediateStore<RunEvent>) => T): T {
    const store = openParts<RunEvent>(locateRepository(this.dir).stateDir, { clock, mode: "read" });
    try {
      return work(store);
    } finally {
      store.close();
    }
  }
  get run(): Run {
    const run = this.log().reduce<Run | undefined>((state, stored) => evolve(state, stored), undefined);
    if (!run) throw new Error(`there is no run ${this.runId}`);
    return run;
  }
  get state(): string {
    return this.run.phase.state;
  }
  get gate(): Gate {
    const [gate] = openGates(this.run);
    if (!gate) throw new Error(`no gate is open; the run is ${this.state}\n${this.story()}`);
    return gate;
  }
  events<T extends RunEventType>(type: T): RunEventOf<T>[] {
    return this.log().flatMap(({ event }) => (event.type === type ? [event as RunEventOf<T>] : []));
  }
  /** The types of all events, for messages. */
  story(): string {
    return this.log()
      .map(({ seq, event }) => `${seq} ${event.type}`)
      .join("\n");
  }
  text(ref: { ref: string } | string | null | undefined): string {
    const name = typeof ref === "string" ? ref : ref?.ref;
    if (!name) throw new Error("no artifact");
    return Buffer.from(this.#look((store) => store.artifacts.read(name))).toString("utf8");
  }
  json(ref: { ref: string } | string | null | undefined): Record<string, unknown> {
    return JSON.parse(this.text(ref)) as Record<string, unknown>;
  }
  file(path: string): string {
    return readFileSync(join(this.dir, path), "utf8");
  }
  async submit(command: UserCommand): Promise<void> {
    await this.opened.engine.submit(this.runId, command);
  }
  async answer(
    answer: GateAnswer,
    message?: string,
    more: {
      readonly addTokens?: number;
      readonly addUsd?: number;
      readonly addMinutes?: number;
      readonly productPaths?: string[];
    } = {},
  ): Promise<void> {
    const { id, subject, phrase } = this.gate;
    await this.submit({
      type: "answer",
      gateId: id,
      subjectSha256: subject.sha256,
      answer,
      message: message ?? phrase ?? "",
      by: person,
      ...more,
    });
  }
  /** Advances to the next gate or the end. */
  go(options: { signal?: AbortSignal } = {}): Promise<Looped> {
    return this.opened.engine.loop(this.runId, options);
  }
  /** Approves what it comes to, until a gate of another kind, or the end. On autopilot nobody helps unless told to. */
  async drive(...kinds: readonly GateKind[]): Promise<this> {
    const manual = this.run.created.policy.approvals === "manual";
    const approved = kinds.length > 0 || !manual ? kinds : usual;
    for (let round = 0; round < 40; round += 1) {
      const { stop } = await this.go();
      if (stop !== "approval_required" || !approved.includes(this.gate.kind)) return this;
      await this.answer("approve");
    }
    throw new Error("the run never settles");
  }
  async until(kind: GateKind): Promise<this> {
    await this.drive(...usual.filter((one) => one !== kind));
    expect(
      openGates(this.run).map((gate) => gate.kind),
      this.story(),
    ).toEqual([kind]);
    return this;
  }
  /** The same run in a process that knows nothing but the store. */
  async reopen(): Promise<this> {
    await this.opened[Symbol.asyncDispose]();
    open.splice(open.indexOf(this.opened), 1);
    this.opened = openAt(this.dir);
    return this;
  }
}

export const person = { kind: "person", surface: "cli" } as const;
export const usual: readonly GateKind[] = ["implementation_start", "isolated_patch_application", "provider_invocation"];

export async function start(wish: Wish = {}): Promise<Scenario> {
  const dir = wish.dir ?? project(wish.files);
  const opened = openAt(dir, wish.providers);
  const isGit = findRepository(dir) !== undefined;
  const policy: Policy = userPolicy({ checks: [quickCheck], discoverChecks: false, ...wish.policy });
  const run = await opened.engine.create({
    goal: wish.goal ?? "make add add",
    mode: wish.mode ?? "implement",
    constraints: [],
    acceptanceCriteria: [],
    preferredRole: null,
    policy,
    roles: crew(wish),
    baseCommit: isGit ? git(dir, "rev-parse", "HEAD") : null,
    baseTree: isGit ? git(dir, "rev-parse", "HEAD^{tree}") : null,
    branch: isGit ? "main" : null,
    createdBy: person,
    ...wish.more,
  });
  return new Scenario(dir, run.runId, opened);
}
