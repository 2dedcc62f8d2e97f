// The one way in: every surface has an operation performed here, with its input parsed.
import { fail } from "../core/contract/index.ts";
import type { AnyOperation } from "./define/index.ts";
import type { Context } from "./context/index.ts";

/**
 * A program decides nothing. Where it may carry a person's decision, the operation is a tool that puts the question
 * before them; every other decision is a person's own, in a terminal.
 */
export async function perform(
  operation: AnyOperation<Context>,
  input: object,
  context: Context,
): Promise<unknown> {
  if (operation.effect === "decides" && operation.mcp === undefined && context.actor.kind !== "person")
    fail("permission_denied", `Only a person decides this: ${operation.name}.`, {
      remedy: `A person types it in a terminal: thehood ${operation.name}`,
    });
  if (operation.effect === "decides" && (await context.ports.startedByRun()))
    fail("permission_denied", "An agent or a check of a run started this process, so it decides nothing.", {
      remedy: `Type it yourself, in a terminal of your own: thehood ${operation.name}`,
    });
  return operation.handle(input as never, context);
}
