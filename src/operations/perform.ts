// The one way in: every surface of both programs has an operation performed here, with its input parsed.
import { fail, type Actor, type Judges } from "../core/contract/index.ts";
import type { AnyOperation } from "./define/index.ts";

/** The facts about a call that decide whether it may be performed. The context of every program has them. */
export interface Caller {
  readonly actor: Actor;
  readonly ports: {
    /** Whether an agent or a check of a run started this process, where no sandbox holds them. */
    startedByRun(): Promise<boolean>;
    /** Without it the program searches its texts itself: `oracle` scans a request with its files before it sends it. */
    readonly judges?: Pick<Judges, "secrets">;
  };
  /** A line for the person or the program that waits. */
  tell?(line: string): void;
  /** The program that a person types; `thehood` without. */
  readonly program?: string;
}

/**
 * A program decides nothing. Where it may carry a person's decision, the operation is a tool that puts the question
 * before them; every other decision is a person's own, in a terminal.
 */
export async function perform<C extends Caller>(
  operation: AnyOperation<C>,
  input: object,
  context: C,
): Promise<unknown> {
  const { effect, mcp, name } = operation;
  const { keepSecrets, ...given } = input as { readonly keepSecrets?: unknown };
  const asksPerson = effect === "decides" && mcp !== undefined;
  const decides = effect === "decides" || keepSecrets === true || operation.decides?.(input as never) === true;
  if (decides || loosens(operation, given)) {
    const command = `${context.program ?? "thehood"} ${name}`.trimEnd();
    if (decides && !asksPerson && context.actor.kind !== "person")
      fail("permission_denied", `Only a person decides this: ${name || command}.`, {
        remedy: `A person types it in a terminal: ${command}`,
      });
    if (await context.ports.startedByRun())
      fail("permission_denied", "An agent or a check of a run started this process, so it decides nothing.", {
        remedy: `Type it yourself, in a terminal of your own: ${command}`,
      });
  }
  if (keepSecrets === true || !Object.values(given).some(holdsText)) return operation.handle(given as never, context);
  const { withoutSecrets } = await import("./secrets-in-input.ts");
  return operation.handle((await withoutSecrets(operation, given, context)) as never, context);
}

const loosens = <C>({ input }: AnyOperation<C>, given: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(given).some(([name, value]) => value !== undefined && input[name]?.loosens?.(value as never) === true);

/** Most calls name at most a run: for those nothing more is loaded. A shorter text holds no secret. */
function holdsText(value: unknown): boolean {
  if (typeof value === "string") return value.length >= 8 && !/^run_[0-9a-z]{1,30}$/.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) ? value.some(holdsText) : Object.entries(value).some(entryHoldsText);
}

const entryHoldsText = ([key, value]: [string, unknown]): boolean => holdsText(key) || holdsText(value);
