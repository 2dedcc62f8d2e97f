// The input schema of a tool, derived from its operation once.
import { z } from "zod";
import type { Operation } from "../../../operations/index.ts";
import { outsideSchema } from "./names.ts";
import type { Tool } from "./table.ts";

type Schema = Parameters<typeof outsideSchema>[0];

export interface Loaded {
  readonly operation: Operation;
  /** With the operation's own names. */
  readonly schema: Schema;
}

const loaded = new Map<string, Promise<Loaded>>();

export function load(tool: Tool): Promise<Loaded> {
  let found = loaded.get(tool.name);
  if (!found) loaded.set(tool.name, (found = read(tool)));
  return found;
}

async function read(tool: Tool): Promise<Loaded> {
  const operation = (await tool.load()) as unknown as Operation;
  const { $schema: _, ...schema } = z.toJSONSchema(operation.input, { io: "input" }) as Schema & {
    $schema?: string;
  };
  return { operation, schema };
}

/** What it means is said once, in the server's instructions. */
const repoPath = { type: "string" } as const;

/** Every tool also says which of the served folders it is about. */
export async function inputSchema(tool: Tool): Promise<object> {
  const { schema } = await load(tool);
  const shown = outsideSchema(lean(schema) as Schema, tool.names);
  return { ...shown, type: "object", properties: { repo_path: repoPath, ...shown.properties } };
}

/** Without what a client does not need to call it well: its bytes are in every conversation. */
function lean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lean);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name, inner]) =>
      name !== "propertyNames" &&
      name !== "pattern" &&
      name !== "minLength" &&
      !(name === "default" && (inner === "" || (Array.isArray(inner) && inner.length === 0))) &&
      !((name === "maximum" || name === "minimum") && Math.abs(Number(inner)) >= Number.MAX_SAFE_INTEGER),
  );
  return Object.fromEntries(entries.map(([name, inner]) => [name, lean(inner)]));
}
