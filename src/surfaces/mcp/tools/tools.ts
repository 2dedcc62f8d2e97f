// Every operation that a program may call, as a tool: its name, its description, its schemas and its annotations.
import type { Context } from "../../../operations/index.ts";
import {
  annotationsOf,
  objectSchema,
  outputSchema,
  type Annotations,
  type AnyOperation,
} from "../../../operations/define/index.ts";

import { detailSchema, takesDetail } from "./detail.ts";

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
  readonly annotations: Annotations;
}

type Offered<C> = AnyOperation<C> & { readonly mcp: NonNullable<AnyOperation<C>["mcp"]> };

const isTool = <C>(operation: AnyOperation<C>): operation is Offered<C> => operation.mcp !== undefined;

function schemaOf<C>({ input, mcp }: Offered<C>, common: object): object {
  const fixed = mcp.fixed ?? {};
  const given = Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(fixed, name)));
  const schema = objectSchema(given);
  const detail = takesDetail({ input, mcp }) ? { detail: detailSchema } : {};
  return { ...schema, properties: { ...common, ...(schema["properties"] as object), ...detail } };
}

async function toolOf<C>(operation: Offered<C>, common: object): Promise<Tool> {
  const { tool, title, description, output } = operation.mcp;
  return {
    name: tool,
    title,
    description,
    inputSchema: schemaOf(operation, common),
    outputSchema: typeof output === "function" ? await output() : outputSchema(output),
    annotations: annotationsOf(operation as AnyOperation),
  };
}

/** The tools among operations; `common` are the schemas of arguments that every tool takes. */
export const listedTools = <C>(operations: readonly AnyOperation<C>[], common: object = {}): Promise<Tool[]> =>
  Promise.all(operations.filter(isTool<C>).map((operation) => toolOf(operation, common)));

/** The meaning of this is said once, in the server's instructions. */
const repoPath = { type: "string" } as const;

interface Offer {
  /** The user lets programs carry a person's answers; only then a decision is offered. */
  readonly mayDecide: boolean;
  /** All tools, not only the main ones. */
  readonly all: boolean;
}

/** The tools that `thehood mcp` offers. The others can be called too. */
export const toolsOf = (operations: readonly AnyOperation<Context>[], { mayDecide, all }: Offer): Promise<Tool[]> =>
  listedTools(
    operations.filter(({ effect, mcp }) => (mayDecide || effect !== "decides") && (all || mcp?.main === true)),
    { repo_path: repoPath },
  );

/** Names of tools in similar servers; they are found and not listed. */
const otherNames: Readonly<Record<string, string>> = { thehood_pro_access: "thehood_model_access" };

export const findTool = <C>(operations: readonly AnyOperation<C>[], name: string): Offered<C> | undefined =>
  operations
    .filter(isTool<C>)
    .find(({ mcp }) => mcp.tool === (Object.hasOwn(otherNames, name) ? otherNames[name] : name));
