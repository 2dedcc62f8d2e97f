// Plays a run on the machine alone: a cast answers every effect, so that any course of events can be told in a test.
import {
  type ArtifactRef,
  type CreateRun,
  type DirectiveDraft,
  type Effect,
  type EffectOf,
  type Failure,
  type GateAnswer,
  type Recorded,
  type RunCommand,
  type RunEventType,
  makeAck,
} from "../../src/core/contract/index.ts";
import { type Run, type MachineDeps, decide, decideCreate, due, openGates } from "../../src/core/machine/index.ts";
import { creation, ref, sha256, deps } from "./parts.ts";
import { type Cast, Players } from "./players.ts";

export * from "./parts.ts";
export type { Cast, Reply } from "./players.ts";

/** The bytes of the diff that stand in a directive, as the runtime records them. */
function diffIn({ attachments }: DirectiveDraft): { given: number; total: number } | undefined {
  const diff = attachments.find(({ name }) => name === "diff");
  if (!diff) return undefined;
  const {
    ref: { bytes: total },
    maxBytes,
    part,
  } = diff;
  if (total <= maxBytes || !part) return { given: Math.min(total, maxBytes), total };
  const edge = (index: number) => Math.floor((total * index) / part.of);
  return { given: edge(part.index + 1) - edge(part.index), total };
}

export class Play {
  readonly log: Recorded[] = [];
  readonly artifacts = new Map<string, string>();
  readonly cast: Cast;
  readonly effects: Effect[] = [];
  run: Run;
  now = 1_000;
  readonly #players: Players;

  /** The dependencies decide which flags the run records. */
  constructor(create: Partial<CreateRun> = {}, cast: Cast = {}, from: MachineDeps = deps) {
    this.cast = cast;
    this.#players = new Players(cast, ref);
    const decision = decideCreate(creation(create), "run_test00000001", this.now, from);
    if (!decision.ok) throw new Error(decision.refusal.message);
    this.run = decision.run;
    this.#keep(decision);
  }

  #keep(decision: {
    events: readonly Recorded["event"][];
    artifacts: readonly { ref: ArtifactRef; text: string }[];
    run: Run;
  }): void {
    for (const event of decision.events) this.log.push({ seq: this.log.length + 1, at: this.now, event });
    this.run = decision.run;
    for (const { ref: made, text } of decision.artifacts) this.artifacts.set(made.ref, text);
  }

  /** A command that must be taken. */
  give(command: Exclude<RunCommand, CreateRun>): this {
    this.now += 10;
    const decision = decide(this.run, command, this.now, deps);
    if (!decision.ok) throw new Error(`refused: ${decision.refusal.code}: ${decision.refusal.message}`);
    this.#keep(decision);
    return this;
  }

  /** A command that must be refused, and must change nothing. */
  refusal(command: Exclude<RunCommand, CreateRun>): Failure {
    const decision = decide(this.run, command, this.now + 10, deps);
    if (decision.ok) throw new Error(`taken: ${decision.events.map(({ type }) => type).join(", ")}`);
    return decision.refusal;
  }

  /** Answers the open gate, with its phrase, as a person at a terminal. */
  answer(answer: GateAnswer, message?: string, more: Partial<Extract<RunCommand, { type: "answer" }>> = {}): this {
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

  /** Sends the call that is on its way out, and leaves it out; false when there is none. */
  send(): boolean {
    const effect = due(this.run).find(({ kind }) => kind === "call_provider");
    if (effect?.kind !== "call_provider" || this.#players.unreachable(effect)) return false;
    this.effects.push(effect);
    this.#post(effect);
    return true;
  }

  /** Sends all that may be out at once. */
  sendAll(): this {
    while (this.send() || this.#write()) continue;
    return this;
  }

  /** Writes the directive that is due, if one is. */
  #write(): boolean {
    const place = due(this.run).findIndex(({ kind }) => kind === "write_directive");
    return place >= 0 && this.step(place);
  }

  #post(effect: EffectOf<"call_provider">): void {
    const { key, call } = effect;
    const record = { handle: null, promptSha256: sha256(key), target: call.assignment.assignment };
    this.give({ type: "call_posted", key, record });
  }

  /** Performs one of the effects that are due; false when there is none. */
  step(which = 0): boolean {
    const effects = due(this.run);
    const effect = effects[which % Math.max(1, effects.length)];
    if (!effect) return false;
    this.effects.push(effect);
    if (effect.kind === "write_directive") {
      const ack = makeAck(this.run.runId, `nonce${this.log.length}xx`);
      const directive = ref("directive", effect.call.callId, JSON.stringify(effect.draft).length);
      const diff = diffIn(effect.draft);
      const record = { directive, ack, redactions: 0, ...(diff ? { diff } : {}) };
      this.give({ type: "directive_written", key: effect.key, record });
      return true;
    }
    if (effect.kind === "call_provider" && !this.#players.unreachable(effect)) this.#post(effect);
    if (effect.kind === "run_command" && effect.allowed && !effect.begun)
      this.give({ type: "command_begun", key: effect.key });
    this.give({
      type: "effect_done",
      key: effect.key,
      tookMs: this.cast.tookMs ?? 5,
      outcome: this.#players.outcome(effect),
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
}
