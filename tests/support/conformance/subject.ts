// What a provider brings to the suite: for each thing that can happen, how it is made to happen, or why it cannot.
import type { ProviderCall, ProviderPort } from "../../../src/core/contract/index.ts";

/** Everything that is provoked. A subject that leaves one out does not compile. */
export const sceneNames = [
  /** Answers the call as its role should. */
  "answers",
  /** As a worker: makes `hello.txt` with the one line `hello`. As a reader: tries to. */
  "edits",
  /** The model says no: a refusal, a content filter. */
  "refuses",
  /** Something comes back that is no answer. */
  "garbage",
  /** A well-formed answer to an earlier directive. */
  "staleAck",
  /** More comes back than was allowed. */
  "oversize",
  /** Takes the call and says nothing, ever. */
  "silent",
  /** Ends before it has said a word. */
  "exitsAtOnce",
  /** Ends, or hangs up, before it has read a prompt of two megabytes. */
  "exitsUnread",
  /** Ends badly in the middle of its answer. */
  "crashesMidStream",
  /** Says the beginning of an answer and then nothing more. */
  "stallsMidStream",
  /** The model's server is busy (429) once, then answers. */
  "busyOnce",
  /** The model's server is overloaded (529) once, then answers. */
  "overloadedOnce",
  /** The model's server is busy for ever. */
  "alwaysBusy",
  /** Nobody is logged in; no key is set. */
  "loginMissing",
  /** The program is not there; nobody listens at the address. */
  "absent",
] as const;
export type SceneName = (typeof sceneNames)[number];

/** A provider made to behave in one way. */
export interface Scene {
  readonly provider: ProviderPort;
  readonly model: string;
  readonly options?: unknown;
  /** Settles when the call has reached the other side; without it a short while is taken for that. */
  reached?(): Promise<void>;
  /** How often a model was asked. */
  asked?(): number;
  /** What of the call still goes on: open connections, processes outside of the workspace. Empty when all is quiet. */
  leftRunning?(): Promise<readonly string[]>;
  close?(): Promise<void>;
}

/** Gets the call as it will be sent (but for `model` and `options`), so that a scripted model can answer it. */
export type SceneMaker = (call: ProviderCall) => Scene | Promise<Scene>;

/** A reason that stands in the name of the skipped test. */
export interface Cannot {
  readonly cannot: string;
}

export interface ConformanceSubject {
  readonly scenes: Readonly<Record<SceneName, SceneMaker | Cannot>>;
  /** A model's name with a slip in it, and the name that the remedy must offer. */
  readonly typo: { readonly wrote: string; readonly meant: string } | Cannot;
  /** How long a silent call may take before it is over; long enough that a program has begun. */
  readonly patienceMs?: number;
  /** The longest that a call which does answer may take. */
  readonly timeoutMs?: number;
}
