// The one way in: every surface of both programs has an operation performed here, with its input parsed.
import { fail, type Actor } from "../core/contract/index.ts";
import type { AnyOperation } from "./define/index.ts";

/** The facts about a call that decide whether it may be performed. The context of every program has them. */
export interface Caller {
  readonly actor: Actor;
  readonly ports: {
    /** Whether an agent or a check of a run started this process, where no sandbox holds them. */
    startedByRun(): Promise<boolean>;
  };
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
  const asksPerson = effect === "decides" && mcp !== undefined;
  if (effect === "decides" || operation.decides?.(input as never) === true) {
    const command = `${context.program ?? "thehood"} ${name}`.trimEnd();
    if (!asksPerson && context.actor.kind !== "person")
      fail("permission_denied", `Only a person decides this: ${name || command}.`, {
        remedy: `A person types it in a terminal: ${command}`,
      });
    if (await context.ports.startedByRun())
      fail("permission_denied", "An agent or a check of a run started this process, so it decides nothing.", {
        remedy: `Type it yourself, in a terminal of your own: ${command}`,
      });
  }
  return operation.handle(input as never, context);
}
