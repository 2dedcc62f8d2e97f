// A cast that answers every effect of a run: what each role says, what checks and patches come to.
import type {
  ArtifactKind,
  ArtifactRef,
  BlindTests,
  CheckEvidence,
  CheckSpec,
  CheckoutState,
  Doubt,
  Effect,
  EffectOf,
  EffectOutcome,
  Role,
  RoleResponse,
} from "../../src/core/contract/index.ts";
import { check, sha256, treeOf } from "./parts.ts";

/** What a role answers: a payload without the marker, or what goes wrong instead. */
export type Reply =
  | {
      readonly status?: "ok" | "blocked" | "failed";
      readonly summary?: string;
      readonly payload: Record<string, unknown>;
      readonly ack?: string;
    }
  | { readonly trouble: "refused" | "failed" | "not_sent" | "in_doubt"; readonly until?: number };

type CheckResultOf = CheckEvidence["result"];

type PlayedManifest = Partial<Extract<EffectOutcome, { kind: "write_transfer_manifest" }>["manifest"]>;

export interface Cast {
  /** Answers by role, used in order; the last one stays. */
  readonly replies?: Partial<Record<Role, readonly Reply[]>>;
  readonly checks?: readonly CheckSpec[];
  readonly workChecks?: readonly CheckSpec[];
  readonly result?: (checkId: string, variant: CheckEvidence["variant"], pass: number) => CheckResultOf;
  readonly testsRun?: (variant: CheckEvidence["variant"]) => number | null;
  /** Checks before the first call take longer than they may. */
  readonly cut?: boolean;
  /** The doubts that a check of this variant records. */
  readonly doubts?: (variant: CheckEvidence["variant"]) => readonly Doubt[];
  /** Why a check is no plain pass or failure. */
  readonly note?: string;
  /** Null: the worker left no change in this pass. A tree name otherwise. */
  readonly tree?: (pass: number) => string | null;
  readonly judge?: (pass: number) => Partial<Extract<EffectOutcome, { kind: "judge_patch" }>["judgement"]>;
  readonly apply?: (pass: number, tries: number) => EffectOutcome | undefined;
  /** The tree that a look at the checkout finds; undefined for the expected one. */
  readonly look?: (moment: CheckoutState["moment"], pass: number) => string | undefined;
  readonly rebuild?: (effect: EffectOf<"rebuild_candidate">) => EffectOutcome;
  readonly context?: (paths: readonly string[], index: number) => readonly { path: string; truncated: boolean }[];
  readonly inspection?: Partial<Extract<EffectOutcome, { kind: "inspect_repository" }>["inspection"]>;
  readonly remote?: Extract<EffectOutcome, { kind: "select_remote_context" }>;
  readonly manifest?: PlayedManifest | ((effect: EffectOf<"write_transfer_manifest">) => PlayedManifest);
  readonly command?: (effect: EffectOf<"run_command">) => EffectOutcome | undefined;
  /** The sandbox that checks run in. */
  readonly sandbox?: string;
  readonly takeOut?: (effect: EffectOf<"take_out_work">) => EffectOutcome | undefined;
  /** The answer with blind tests; two files in one answer where it gives none. */
  readonly tester?: Reply;
  /** The result of the blind tests in a pass. */
  readonly blind?: (pass: number) => Partial<BlindTests>;
  readonly tokens?: number;
  readonly costUsd?: number;
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

const written = { summary: "written", tests: [{ path: "test/blind.test.js", content: "test('x', () => {});" }] };

/** Where what the cast makes is kept: a made-up name, or a real store. */
export type Keep = (kind: ArtifactKind, name: string) => ArtifactRef;

export class Players {
  readonly cast: Cast;
  readonly #keep: Keep;
  readonly #used = new Map<string, number>();
  readonly #byOrdinal: boolean;

  /** By ordinal: the answer depends on the call alone, so that a second process plays on where the first one died. */
  constructor(cast: Cast, keep: Keep, byOrdinal = false) {
    this.cast = cast;
    this.#byOrdinal = byOrdinal;
    this.#keep = keep;
  }

  /** Whether this call would not even be sent. */
  unreachable(effect: EffectOf<"call_provider">): boolean {
    return this.#peek(effect).trouble === "not_sent";
  }

  #peek(effect: EffectOf<"call_provider"> | EffectOf<"reattach_call">): Reply & { trouble?: string } {
    const { role, purpose } = effect.call;
    if (purpose === "blind_tests") return this.cast.tester ?? { payload: written };
    const list = this.cast.replies?.[role] ?? [];
    const used = this.#byOrdinal ? effect.call.ordinal - 1 : (this.#used.get(role) ?? 0);
    return (list[Math.min(used, list.length - 1)] ?? { payload: defaults[role] }) as Reply & {
      trouble?: string;
    };
  }

  outcome(effect: Exclude<Effect, { kind: "write_directive" }>): EffectOutcome {
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
          context: { context: this.#keep("context", effect.key), files: [...files], omitted: 0 },
        };
      }
      case "select_remote_context":
        return this.cast.remote ?? { kind: effect.kind, remote: null, reason: "no_github_remote" };
      case "write_transfer_manifest":
        return {
          kind: effect.kind,
          manifest: {
            manifest: this.#keep("transfer_manifest", effect.key),
            destination: { provider: effect.call.assignment.provider, model: effect.call.assignment.model },
            purpose: effect.purpose,
            contentSha256: sha256(effect.key),
            totalBytes: 1_000,
            risk: "repo_context",
            riskReasons: [],
            phrase: effect.phrase,
            ...(typeof this.cast.manifest === "function" ? this.cast.manifest(effect) : this.cast.manifest),
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
    if (effect.call.purpose !== "blind_tests")
      this.#used.set(effect.call.role, (this.#used.get(effect.call.role) ?? 0) + 1);
    const tokens = this.cast.tokens ?? 10;
    const common = {
      kind: effect.kind,
      usage: {
        inputTokens: tokens,
        outputTokens: 0,
        estimated: false,
        ...(this.cast.costUsd === undefined ? {} : { costUsd: this.cast.costUsd }),
      },
      artifacts: [],
    };
    if ("trouble" in reply && reply.trouble) {
      const why = `scripted ${reply.trouble}`;
      const { until } = reply as Extract<Reply, { trouble: unknown }>;
      const limit = until === undefined ? {} : { until };
      switch (reply.trouble) {
        case "refused":
          return {
            ...common,
            outcome: {
              result: "refused",
              refusal: { reason: "schema", message: why, errors: [] },
              ref: this.#keep("agent", `${effect.key} refused`),
            },
          };
        case "failed":
          return { ...common, outcome: { result: "failed", why, timedOut: false, ...limit } };
        case "not_sent":
          return { ...common, outcome: { result: "not_sent", why, remedy: null, ...limit } };
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
    return { ...common, outcome: { result: "answered", response, ref: this.#keep(kind, effect.key) } };
  }

  /** Two blind tests that prove the work, unless the cast decides otherwise. */
  #blind({ tree, baseTree, author, pass }: EffectOf<"run_blind_tests">): BlindTests {
    const plain = { ran: 2, proving: 2, idle: 0, failing: 0, failingNames: [], unused: [] };
    const text = this.#keep("evidence", "blind tests");
    return { ...plain, tree, baseTree, author, files: ["test/blind.test.js"], text, ...this.cast.blind?.(pass) };
  }

  /** The checkout as the cast sees it; as expected where it says nothing. */
  #look({ moment, expected, pass }: EffectOf<"look_at_checkout">): CheckoutState {
    const tree = this.cast.look?.(moment, pass) ?? expected;
    return {
      moment,
      head: null,
      tree,
      whole: tree,
      expected,
      paths: tree === expected ? [] : ["src/other.ts"],
    };
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
      case "wait_for_provider":
        return { kind: effect.kind };
      case "capture_patch": {
        const tree = this.cast.tree ? this.cast.tree(effect.pass) : treeOf(effect.pass);
        if (tree === null) return { kind: effect.kind, patch: null, keptRef: null };
        const patch = {
          patch: this.#keep("diff", `${tree} delta`),
          patchSha256: sha256(tree),
          full: this.#keep("diff", `${tree} full`),
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
            report: this.#keep("report", `integration ${effect.pass}`),
            paths: effect.judgement.paths,
            patchSha256: effect.patch.patchSha256,
            tree: effect.patch.tree,
            alreadyApplied: effect.patch.workspace === "direct",
          },
        };
      }
      case "look_at_checkout":
        return { kind: effect.kind, look: this.#look(effect) };
      case "rebuild_candidate":
        return this.cast.rebuild?.(effect) ?? { kind: "effect_failed", code: "x", message: "x", remedy: null };
      case "capture_git_evidence":
        return {
          kind: effect.kind,
          evidence: {
            summary: this.#keep("evidence", effect.key),
            status: this.#keep("evidence", "status"),
            diff: this.#keep("evidence", "diff"),
            changedPaths: [],
            ok: true,
            head: "c".repeat(40),
          },
        };
      case "run_check": {
        const result = this.cast.result?.(effect.check.id, effect.variant, effect.pass) ?? "passed";
        return { kind: effect.kind, result: this.#evidence(effect, result) };
      }
      case "run_blind_tests":
        return { kind: effect.kind, tests: this.#blind(effect) };
      case "keep_blind_tests":
        return { kind: effect.kind, kept: { paths: [...effect.files], left: [] } };
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
              stdout: this.#keep("log", effect.key),
              stderr: null,
              permission: { decision: "allowed", class: "read_only", why: "" },
              sandbox: "bubblewrap",
            },
          }
        );
      case "retire_workspace":
        return { kind: effect.kind, keptRefs: ["refs/thehood/keep/x"] };
      case "take_out_work": {
        const { fromTree: tree, paths } = effect.placed;
        const taken = { tree, paths: [...paths], gone: [], committed: [], keptRef: "refs/thehood/keep/x" };
        return this.cast.takeOut?.(effect) ?? { kind: effect.kind, taken };
      }
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
      testsRun: this.cast.testsRun?.(effect.variant) ?? null,
      stdout: this.#keep("log", effect.key),
      stderr: null,
      sandbox: this.cast.sandbox ?? "bubblewrap",
      permission: { decision: "allowed", class: "local_write", why: "" },
      note: this.cast.note ?? null,
      ...(this.cast.doubts ? { doubts: [...this.cast.doubts(effect.variant)] } : {}),
      ...(this.cast.cut && effect.early ? { cut: true as const } : {}),
    };
  }
}
