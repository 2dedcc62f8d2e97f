// What an operation is to a surface: the shape of its input, and what is done with it.
import type { z } from "zod";
import type { Actor } from "../contract/index.ts";
import type { Given } from "./given.ts";

/** Who asks, where, and how long they listen. */
export interface Asking {
  readonly given: Given;
  /** The folder it is about. */
  readonly repo: string;
  readonly by: Actor;
  /** Ends waiting. It never ends a run. */
  readonly signal: AbortSignal;
  /** A line for whoever waits. */
  say(line: string): void;
  /** The person behind a program, where it can put a question before them. */
  readonly person?: Person | undefined;
}

/** Exactly what a gate shows, and what can be answered. */
export interface Question {
  readonly title: string;
  readonly text: string;
  readonly sha256: string;
  readonly answers: readonly string[];
  /** What the answer's message must say. */
  readonly phrase: string | null;
}

export type Spoken =
  | { readonly kind: "answered"; readonly answer: string; readonly message: string }
  | { readonly kind: "declined" | "cancelled" | "no_answer"; readonly why: string };

export interface Person {
  ask(question: Question): Promise<Spoken>;
}

export interface Operation<I = unknown> {
  readonly input: z.ZodType<I>;
  handle(input: I, asking: Asking): Promise<unknown>;
}

/** Any of them, for a table. Its input is parsed before it is handed in. */
export interface AnyOperation {
  readonly input: z.ZodType;
  handle(input: never, asking: Asking): Promise<unknown>;
}

/** Ties a handler to the schema of its input. */
export function operation<S extends z.ZodType>(
  input: S,
  handle: (input: z.output<S>, asking: Asking) => Promise<unknown>,
): Operation<z.output<S>> {
  return { input: input as unknown as z.ZodType<z.output<S>>, handle };
}
