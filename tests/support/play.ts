// Plays a run on the machine alone: a cast answers every effect, so that any course of events can be told in a test.
import { createHash } from "node:crypto";
import {
  type ArtifactKind,
  type ArtifactRef,
  type CheckEvidence,
  type CheckSpec,
  type CreateRun,
  type Effect,
  type EffectOf,
  type EffectOutcome,
  type Failure,
  type GateAnswer,
  type Recorded,
  type ResolvedAssignment,
  type Role,
  type RoleResponse,
  type RunCommand,
  type RunEventType,
  makeAck,
} from "../../src/contract/index.ts";
import {
  type Run,
  type World,
  decide,
  decideCreate,
  defaultPolicy,
  fold,
  next,
  openGates,
} from "../../src/machine/index.ts";

export const sha256 = (data: Uint8Array | string): string => createHash("sha256").update(data).digest("hex");
export const world: World = { sha256 };
export const baseTree = "b".repeat(40);
export const treeOf = (pass: number): string => String(pass).repeat(40).slice(0, 40);

export function ref(kind: ArtifactKind, name: string, bytes = name.length): ArtifactRef {
  return {
    ref: `sha256:${sha256(`${kind}/${name}`)}`,
    kind,
    bytes,
    mediaType: "application/json",
    summary: name,
  };
}

export function agent(assignment: string, more: Partial<ResolvedAssignment> = {}): ResolvedAssignment {
  const [provider = "stub", model = "default"] = assignment.split(":");
  return {
    assignment,
    provider,
    model,
    identity: assignment,
    boundary: "local",
    modelBacked: provider !== "stub",
    edits: "worktree",
    source: "default",
    ...more,
  };
}

export const check = (id: string, more: Partial<CheckSpec> = {}): CheckSpec => ({
  id,
  kind: "test",
  argv: ["npm", "run", id.replace("npm:", "")],
  cwd: "",
  source: "package.json",
  timeoutMs: 1_000,
  ...more,
});

export function creation(more: Partial<CreateRun> = {}): CreateRun {
  return {
    type: "create",
    goal: "make the login test stable",
    mode: "implement",
    constraints: [],
    acceptanceCriteria: ["the login test passes"],
    preferredRole: null,
    policy: defaultPolicy,
    roles: {
      orchestrator: agent("stub:orchestrator"),
      implementer: agent("stub:implementer"),
      qa: agent("stub:qa"),
      verifier: agent("stub:verifier"),
      critic: agent("stub:critic"),
    },
    baseCommit: "c".repeat(40),
    baseTree,
    branch: "main",
    createdBy: { kind: "person", surface: "cli" },
    ...more,
  };
}

export const autopilot = { ...defaultPolicy, approvals: "autopilot" as const };

/** What a role answers: a payload without the marker, or what goes wrong instead. */
export type Reply =
  | {
      readonly status?: "ok" | "blocked" | "failed";
      readonly summary?: string;
      readonly payload: Record<string, unknown>;
      readonly ack?: string;
    }
  | { readonly trouble: "refused" | "failed" | "not_sent" | "in_doubt" };

type CheckResultOf = CheckEvidence["result"];

export interface Cast {
  /** Answers by role, used in order; the last one stays. */
  readonly replies?: Partial<Record<Role, readonly Reply[]>>;
  readonly checks?: readonly CheckSpec[];
  readonly workChecks?: readonly CheckSpec[];
  readonly result?: (checkId: string, variant: CheckEvidence["variant"], pass: number) => CheckResultOf;
  /** Null: the worker left no change in this pass. A tree name otherwise. */
  readonly tree?: (pass: number) => string | null;
  readonly judge?: (pass: number) => Partial<Extract<EffectOutcome, { kind: "judge_patch" }>["judgement"]>;
  readonly apply?: (pass: number, tries: number) => EffectOutcome | undefined;
  readonly context?: (
    paths: readonly string[],
    index: number,
  ) => readonly { path: string; truncated: boolean }[];
  readonly inspection?: Partial<Extract<EffectOutcome, { kind: "inspect_repository" }>["inspection"]>;
  readonly remote?: Extract<EffectOutcome, { kind: "select_remote_context" }>;
  readonly manifest?: Partial<Extract<EffectOutcome, { kind: "write_transfer_manifest" }>["manifest"]>;
  readonly command?: (effect: EffectOf<"run_command">) => EffectOutcome;
  readonly tokens?: number;
  readonly tookMs?: number;
}

const defaults: Record<Exclude<Role, "integrator">, Record<string, unknown>> = {
  orchestrator: { action: "delegate", reason: "small step", delegateTo: "implementer" },
  planner: { action: "delegate", reason: "small step", delegateTo: "implementer" },
  researcher: { summary: "found it", findings: ["it is flaky"] },
  implementer: { status: "changed", changedFiles: ["src/login.ts"] },
  qa: { verdict: "pass", summary: "fine" },
  verifier: { verdict: "approve", summary: "holds" },
  critic: { verdict: "acceptable", summary: "ok" },
  citation: { verdict: "supported", summary: "ok" },
};

export class Play {
  readonly log: Recorded[] = [];
  readonly artifacts = new Map<string, string>();
  readonly cast: Cast;
  readonly effects: Effect[] = [];
  run: Run;
  now = 1_000;
  readonly #used = new Map<string, number>();

  constructor(create: Partial<CreateRun> = {}, cast: Cast = {}) {
    this.cast = cast;
    const decision = decideCreate(creation(create), "run_test00000001", this.now, world);
    if (!decision.ok) throw new Error(decision.refusal.message);
    this.run = decision.run;
    this.#keep(decision);
  }

  #keep(decision: {
    events: readonly Recorded["event"][];
    artifacts: readonly { ref: ArtifactRef; text: string }[];
  }): void {
    for (const event of decision.events) this.log.push({ seq: this.log.length + 1, at: this.now, event });
    for (const { ref: made, text } of decision.artifacts) this.artifacts.set(made.ref, text);
    const folded = fold(this.log);
    if (folded) this.run = folded;
  }

  /** A command that must be taken. */
  give(command: Exclude<RunCommand, CreateRun>): this {
    this.now += 10;
    const decision = decide(this.run, command, this.now, world);
    if (!decision.ok) throw new Error(`refused: ${decision.refusal.code}: ${decision.refusal.message}`);
    this.#keep(decision);
    return this;
  }

  /** A command that must be refused, and must change nothing. */
  refusal(command: Exclude<RunCommand, CreateRun>): Failure {
    const decision = decide(this.run, command, this.now + 10, world);
    if (decision.ok) throw new Error(`taken: ${decision.events.map(({ type }) => type).join(", ")}`);
    return decision.refusal;
  }

  /** Answers the open gate, with its phrase, as a person at a terminal. */
  answer(
    answer: GateAnswer,
    message?: string,
    more: Partial<Extract<RunCommand, { type: "answer" }>> = {},
  ): this {
    const gate = openGates(this.run)[0];
    if (!gate) throw new Error(`no gate is open; the run is ${this.run.phase.state}`);
    return this.give({
      type: "answer",
      gateId: gate.id,
      subjectSha256: gate.subject.sha256,
      answer,
      message: message ?? gate.phrase ?? "",
      by: { kind: "person", surface: "cli" },
      ...more,
    });
  }

  /** Performs one effect; false when there is none. */
  step(): boolean {
    const effect = next(this.run);
    if (!effect) return false;
    this.effects.push(effect);
    if (effect.kind === "write_directive") {
      const ack = makeAck(this.run.runId, `nonce${this.log.length}xx`);
      const directive = ref("directive", effect.call.callId, JSON.stringify(effect.draft).length);
      this.give({ type: "directive_written", key: effect.key, record: { directive, ack, redactions: 0 } });
      return true;
    }
    if (
      effect.kind === "call_provider" &&
      !("trouble" in this.#peek(effect) && this.#peek(effect).trouble === "not_sent")
    )
      this.give({
        type: "call_posted",
        key: effect.key,
        record: { handle: null, promptSha256: sha256(effect.key), target: effect.call.assignment.assignment },
      });
    this.give({
      type: "effect_done",
      key: effect.key,
      tookMs: this.cast.tookMs ?? 5,
      outcome: this.#outcome(effect),
    });
    return true;
  }

  /** Until nothing is due: a gate, or the end. */
  go(most = 300): this {
    for (let steps = 0; steps < most; steps += 1) if (!this.step()) return this;
    throw new Error(`still going after ${most} steps in ${this.run.phase.state}`);
  }

  /** Goes on and passes every gate of these kinds with approve. */
  through(...kinds: string[]): this {
    for (;;) {
      this.go();
      const gate = openGates(this.run)[0];
      if (!gate || !kinds.includes(gate.kind)) return this;
      this.answer("approve");
    }
  }

  get state(): string {
    return this.run.phase.state;
  }
  get gate(): string | undefined {
    return openGates(this.run)[0]?.kind;
  }
  types(): RunEventType[] {
    return this.log.map(({ event }) => event.type);
  }
  of<T extends RunEventType>(type: T): Extract<Recorded["event"], { type: T }>[] {
    return this.log.flatMap(({ event }) =>
      event.type === type ? [event as Extract<Recorded["event"], { type: T }>] : [],
    );
  }
  json(artifact: ArtifactRef | undefined | null): Record<string, unknown> {
    const text = artifact ? this.artifacts.get(artifact.ref) : undefined;
    if (text === undefined) throw new Error("no such artifact");
    return JSON.parse(text) as Record<string, unknown>;
  }

  #peek(effect: EffectOf<"call_provider"> | EffectOf<"reattach_call">): Reply & { trouble?: string } {
    const { role } = effect.call;
    const list = this.cast.replies?.[role] ?? [];
    const used = this.#used.get(role) ?? 0;
    return (list[Math.min(used, list.length - 1)] ?? { payload: defaults[role] }) as Reply & {
      trouble?: string;
    };
  }

  #outcome(effect: Exclude<Effect, { kind: "write_directive" }>): EffectOutcome {
    switch (effect.kind) {
      case "inspect_repository":
        return {
          kind: effect.kind,
          inspection: {
            findings: null,
            safe: true,
            problems: [],
            git: true,
            head: effect.baseCommit,
            clean: true,
            ...this.cast.inspection,
          },
        };
      case "discover_checks": {
        const base = this.cast.checks ?? [check("npm:test")];
        const checks = effect.variant === "work" ? (this.cast.workChecks ?? base) : base;
        return { kind: effect.kind, plan: { checks: [...checks], findings: [] } };
      }
      case "capture_repo_context": {
        const files =
          this.cast.context?.(effect.paths, effect.previous.length) ??
          effect.paths.map((path) => ({ path, truncated: false }));
        return {
          kind: effect.kind,
          context: { context: ref("context", effect.key), files: [...files], omitted: 0 },
        };
      }
      case "select_remote_context":
        return this.cast.remote ?? { kind: effect.kind, remote: null, reason: "no_github_remote" };
      case "write_transfer_manifest":
        return {
          kind: effect.kind,
          manifest: {
            manifest: ref("transfer_manifest", effect.key),
            destination: { provider: effect.call.assignment.provider, model: effect.call.assignment.model },
            purpose: effect.purpose,
            contentSha256: sha256(effect.key),
            totalBytes: 1_000,
            risk: "repo_context",
            riskReasons: [],
            phrase: effect.phrase,
            ...this.cast.manifest,
          },
        };
      case "call_provider":
      case "reattach_call":
        return this.#answer(effect);
      default:
        return this.#work(effect);
    }
  }

  #answer(effect: EffectOf<"call_provider"> | EffectOf<"reattach_call">): EffectOutcome {
    const reply = this.#peek(effect);
    this.#used.set(effect.call.role, (this.#used.get(effect.call.role) ?? 0) + 1);
    const tokens = this.cast.tokens ?? 10;
    const common = {
      kind: effect.kind,
      usage: { inputTokens: tokens, outputTokens: 0, estimated: false },
      artifacts: [],
    };
    if ("trouble" in reply && reply.trouble) {
      const why = `scripted ${reply.trouble}`;
      switch (reply.trouble) {
        case "refused":
          return {
            ...common,
            outcome: {
              result: "refused",
              refusal: { reason: "schema", message: why, errors: [] },
              ref: ref("agent", `${effect.key} refused`),
            },
          };
        case "failed":
          return { ...common, outcome: { result: "failed", why, timedOut: false } };
        case "not_sent":
          return { ...common, outcome: { result: "not_sent", why, remedy: null } };
        default:
          return { ...common, outcome: { result: "in_doubt", why } };
      }
    }
    const said = reply as Extract<Reply, { payload: unknown }>;
    const reconciling = effect.call.contract === "reconciliation_result";
    const payload = {
      ...(reconciling && said.payload === defaults[effect.call.role] ? { status: "complete" } : said.payload),
      thehoodDirectiveAck: said.ack ?? effect.record.ack.marker,
    };
    const response = {
      contract: effect.call.contract,
      status: said.status ?? "ok",
      summary: said.summary ?? `${effect.call.role} says so`,
      payload,
    } as unknown as RoleResponse;
    const kind = effect.call.contract.endsWith("_decision") ? "plan" : "agent";
    return { ...common, outcome: { result: "answered", response, ref: ref(kind, effect.key) } };
  }

  #work(
    effect: Exclude<
      Effect,
      {
        kind:
          | "write_directive"
          | "inspect_repository"
          | "discover_checks"
          | "capture_repo_context"
          | "select_remote_context"
          | "write_transfer_manifest"
          | "call_provider"
          | "reattach_call";
      }
    >,
  ): EffectOutcome {
    switch (effect.kind) {
      case "capture_patch": {
        const tree = this.cast.tree ? this.cast.tree(effect.pass) : treeOf(effect.pass);
        if (tree === null) return { kind: effect.kind, patch: null, keptRef: null };
        const patch = {
          patch: ref("diff", `${tree} delta`),
          patchSha256: sha256(tree),
          full: ref("diff", `${tree} full`),
          fromTree: effect.fromTree,
          tree,
          changedPaths: ["src/login.ts"],
          workspace: effect.workspace,
          keptRef: null,
        };
        return { kind: effect.kind, patch, keptRef: null };
      }
      case "judge_patch":
        return {
          kind: effect.kind,
          judgement: {
            verdict: "accept",
            reason: "ok",
            message: "",
            paths: effect.patch.changedPaths,
            protectedPaths: [],
            definingPaths: [],
            outsidePaths: [],
            findings: [],
            secretCount: 0,
            signals: [],
            docsOnly: false,
            addedLines: 3,
            removedLines: 1,
            ...this.cast.judge?.(effect.pass),
          },
        };
      case "apply_patch": {
        const tries = Number(effect.key.split(":")[2]);
        const other = this.cast.apply?.(effect.pass, tries);
        if (other) return other;
        return {
          kind: effect.kind,
          integration: {
            report: ref("report", `integration ${effect.pass}`),
            paths: effect.judgement.paths,
            patchSha256: effect.patch.patchSha256,
            tree: effect.patch.tree,
            alreadyApplied: effect.patch.workspace === "direct",
          },
        };
      }
      case "capture_git_evidence":
        return {
          kind: effect.kind,
          evidence: {
            summary: ref("evidence", effect.key),
            status: ref("evidence", "status"),
            diff: ref("evidence", "diff"),
            changedPaths: [],
            ok: true,
            head: "c".repeat(40),
          },
        };
      case "run_check": {
        const result = this.cast.result?.(effect.check.id, effect.variant, effect.pass) ?? "passed";
        return { kind: effect.kind, result: this.#evidence(effect, result) };
      }
      case "run_command":
        return (
          this.cast.command?.(effect) ?? {
            kind: effect.kind,
            command: {
              argv: [...effect.argv],
              cwd: effect.cwd,
              exitCode: 0,
              ended: "exited",
              durationMs: 1,
              stdout: ref("log", effect.key),
              stderr: null,
              permission: { decision: "allowed", class: "read_only", why: "" },
              sandbox: "bubblewrap",
            },
          }
        );
      case "retire_workspace":
        return { kind: effect.kind, keptRefs: ["refs/thehood/keep/x"] };
    }
  }

  #evidence(effect: EffectOf<"run_check">, result: CheckResultOf): CheckEvidence {
    return {
      checkId: effect.check.id,
      kind: effect.check.kind,
      variant: effect.variant,
      tree: effect.tree,
      result,
      argv: effect.check.argv,
      cwd: effect.check.cwd,
      exitCode: result === "passed" || result === "nothing_ran" ? 0 : 1,
      durationMs: 3,
      testsRun: null,
      stdout: ref("log", effect.key),
      stderr: null,
      sandbox: "bubblewrap",
      permission: { decision: "allowed", class: "local_write", why: "" },
      note: null,
    };
  }
}
