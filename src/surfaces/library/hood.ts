// The programming interface: the same operations, typed from their literals. The caller is a program: it drives runs in its
// own process, can only tighten the policy of the user, and passes no gate without a person.
import { fail } from "../../core/contract/index.ts";
import { parseFields, type AskedOf, type Operation } from "../../operations/define/index.ts";
import {
  advanceHere,
  operations,
  perform,
  type Context,
  type Person,
  type Ports,
  type Watcher,
} from "../../operations/index.ts";
import type { RunSnapshot, Watched } from "../../operations/run-data/index.ts";

type AnyNamed = (typeof operations)[number];
type InputOf<O> = O extends Operation<infer F, infer _R, infer _C, infer _N> ? AskedOf<F> : never;
/** The input and the result of every operation, by its name. */
type OperationTypes = {
  readonly [O in AnyNamed as O["name"]]: {
    readonly input: InputOf<O>;
    readonly result: Awaited<ReturnType<O["handle"]>>;
  };
};
export type OperationName = keyof OperationTypes;
/** The input of an operation, as its literal defines it. */
export type InputOfOperation<N extends OperationName> = OperationTypes[N]["input"];
/** The result of an operation, as its handler returns it. */
export type ResultOfOperation<N extends OperationName> = OperationTypes[N]["result"];

export interface HoodOptions {
  /** A folder of the repository. */
  readonly repo: string;
  /** The name of the calling program, for the record. */
  readonly name?: string;
  /** Ends waiting and advancing; a run is taken up again later. */
  readonly signal?: AbortSignal;
  /** Puts a question before a person. Without it the program passes no gate. */
  readonly person?: Person;
  /** Hears of a run while it moves. */
  readonly watcher?: Watcher;
  /** A line for people. */
  tell?(line: string): void;
}

export interface Hood {
  /** Has an operation performed by its name. */
  call<N extends OperationName>(name: N, input: InputOfOperation<N>): Promise<ResultOfOperation<N>>;
  /** Starts a run and advances it until it ends, a gate needs a person, or nothing moves. */
  start(input: InputOfOperation<"run">): Promise<RunSnapshot>;
  /** The events of a run as they come. */
  follow(runId?: string, from?: number): Promise<AsyncIterable<Watched>>;
  /** Has the person asked about the open gate that shows exactly this. */
  decide(
    answer: "approve" | "reject",
    gate: { readonly runId: string; readonly gate: string; readonly sha256: string },
  ): Promise<RunSnapshot>;
  /** The status of a run; of the newest one without a name. */
  read(runId?: string): Promise<RunSnapshot>;
}

/** A suggestion is data here: its kind is all a program needs to know of it in a text. */
const spell: Context["spell"] = ({ suggest }) => suggest;

export function createHood(ports: Ports, options: HoodOptions): Hood {
  const { repo, name = "program", person, watcher = {} } = options;
  const signal = options.signal ?? new AbortController().signal;
  const tell = (line: string): void => options.tell?.(line);
  const context: Context = {
    ports,
    folder: repo,
    named: true,
    actor: { kind: "host", surface: "library", name },
    signal,
    spell,
    tell,
    person,
    advance: (runs, runId, how) => advanceHere(runs, runId, how, { signal, watcher, busy: tell }),
  };
  const call: Hood["call"] = async (wanted, input) => {
    const operation = operations.find((candidate) => candidate.name === wanted);
    if (!operation) return fail("not_found", `There is no operation "${wanted}".`);
    const parsed = parseFields(operation.input, input);
    if (!parsed.ok) {
      const [first] = parsed.refusals;
      return fail("invalid_input", `${first?.path.join(".")}: must be ${first?.accepted}.`);
    }
    return (await perform(operation as never, parsed.value, context)) as never;
  };
  return {
    call,
    start: (input) => call("run", input),
    follow: (runId, from) => call("watch", { runId, from }),
    decide: async (answer, gate) =>
      (answer === "approve" ? await call("approve", gate) : await call("reject", gate)).standing,
    async read(runId) {
      const { standing } = await call("status", { runId });
      return standing ?? fail("not_found", "There are no runs here yet.");
    },
  };
}
