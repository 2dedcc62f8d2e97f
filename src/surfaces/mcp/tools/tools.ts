// Every operation that a program may ask for, as a tool: its name, its words, its schema and its annotations.
import type { Context } from "../../../operations/index.ts";
import {
  annotationsOf,
  objectSchema,
  outputSchema,
  type Annotations,
  type AnyOperation,
} from "../../../operations/define/index.ts";

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
  readonly annotations: Annotations;
}

type Offered = AnyOperation<Context> & { readonly mcp: NonNullable<AnyOperation<Context>["mcp"]> };

const isTool = (operation: AnyOperation<Context>): operation is Offered => operation.mcp !== undefined;

/** The meaning of this is said once, in the server's instructions. */
const repoPath = { type: "string" } as const;

/** Every tool also says which of the served folders it is about. */
function schemaOf({ input, mcp }: Offered): object {
  const fixed = mcp.fixed ?? {};
  const said = Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(fixed, name)));
  const schema = objectSchema(said);
  return { ...schema, properties: { repo_path: repoPath, ...(schema["properties"] as object) } };
}

/** A decision is offered only where the user lets programs carry a person's answers. */
export function toolsOf(operations: readonly AnyOperation<Context>[], mayDecide: boolean): Tool[] {
  return operations
    .filter(isTool)
    .filter(({ effect }) => mayDecide || effect !== "decides")
    .map((operation) => ({
      name: operation.mcp.tool,
      title: operation.mcp.title,
      description: operation.mcp.description,
      inputSchema: schemaOf(operation),
      outputSchema: outputSchema(operation.mcp.output),
      annotations: annotationsOf(operation as AnyOperation),
    }));
}

/** Names of tools in similar servers; they are found and not listed. */
const otherNames: Readonly<Record<string, string>> = { thehood_pro_access: "thehood_model_access" };

export const findTool = (operations: readonly AnyOperation<Context>[], name: string): Offered | undefined =>
  operations
    .filter(isTool)
    .find(({ mcp }) => mcp.tool === (Object.hasOwn(otherNames, name) ? otherNames[name] : name));
