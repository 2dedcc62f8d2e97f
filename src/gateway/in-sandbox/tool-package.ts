// The package that every tool file of a sandbox imports: it turns a definition into the object that OpenCode discovers.
import { z } from "zod";
import { callGateway, type CallbackResult } from "./callback.ts";
import { sandboxDeps } from "./runtime.ts";

interface Definition {
  readonly name: string;
  readonly performedBy: "gateway" | "sandbox";
  readonly keyArgument: string | null;
  readonly description: string;
  readonly schema: { readonly properties?: Record<string, object>; readonly required?: readonly string[] };
}

interface ToolContext {
  readonly messageID?: string;
  readonly callID?: string;
  readonly abort: AbortSignal;
}

type Args = Readonly<Record<string, unknown>>;

/** The id of the agent's call is the same in the ledger and in the events of the session. */
function callIdOf({ keyArgument }: Definition, args: Args, { messageID, callID }: ToolContext): string {
  const own = keyArgument === null ? undefined : args[keyArgument];
  if (typeof own === "string" && own !== "") return own;
  return messageID && callID ? `${messageID}:${callID}` : crypto.randomUUID();
}

/** `request_env_variables`: the user sees the call in the stream of events. */
function requested(args: Args): CallbackResult {
  const keys = (args["keys"] as readonly { key: string }[]).map(({ key }) => key).join(", ");
  return {
    success: true,
    result: `Asked the user for: ${keys}. Wait for their message, then read single keys: jq -r '.KEY' /tmp/.proliferate_env.json`,
  };
}

export function gatewayTool(definition: Definition) {
  const { properties = {}, required = [] } = definition.schema;
  const args = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const parsed = z.fromJSONSchema(schema as never);
      return [name, required.includes(name) ? parsed : parsed.optional()];
    }),
  );
  return {
    description: definition.description,
    args,
    async execute(given: Args, context: ToolContext) {
      const checked = z.object(args).safeParse(given);
      const { success, result, data } = checked.success
        ? definition.performedBy === "sandbox"
          ? requested(given)
          : await callGateway(definition.name, callIdOf(definition, given, context), given, context.abort, sandboxDeps)
        : { success: false, result: `Invalid arguments: ${z.prettifyError(checked.error)}`, data: undefined };
      return {
        title: success ? definition.name : `${definition.name} failed`,
        output: result || (success ? "Done." : "The gateway gave no reason for the failure."),
        metadata: { success, data: data ?? null },
      };
    },
  };
}
