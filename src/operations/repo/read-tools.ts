// The looks at a checkout as tools of a model: the operations that a program calls over MCP, with their results as text.
import { FailureError, type ReadResult, type ReadTool, type ReadTools } from "../../core/contract/index.ts";
import type { Context, RepositoryReader } from "../context/index.ts";
import { type AnyOperation, fromMcp, mcpName, objectSchema, parseFields, type FieldRefusal } from "../define/index.ts";
import { gitDiff, gitStatus } from "./git.ts";
import { repoReadFile, repoSearch, repoTree } from "./files.ts";

const looks: readonly AnyOperation<Context>[] = [repoTree, repoSearch, repoReadFile, gitStatus, gitDiff];

const nameOf = ({ mcp }: AnyOperation<Context>): string => (mcp?.tool ?? "").replace(/^thehood_/, "");

const tools: readonly ReadTool[] = looks.map((look) => ({
  name: nameOf(look),
  description: look.mcp?.description ?? look.summary,
  parameters: objectSchema(look.input),
}));

const refused = (text: string): ReadResult => ({ ok: false, text, redactions: 0 });

/** Fields have no fields of their own here, so the first part of the path names the field. */
function mistake({ input }: AnyOperation<Context>, { path: [name], problem, accepted }: FieldRefusal): string {
  const field = input[String(name)];
  if (problem !== "unknown") return `${field ? mcpName(String(name), field) : "The input"} must be ${accepted}.`;
  const names = Object.entries(input).map(([own, one]) => mcpName(own, one));
  return `There is no field ${JSON.stringify(String(name).replaceAll('"', "").slice(0, 60))}. There are: ${names.join(", ")}.`;
}

/** A text that was read is printed unchanged below the facts about it. */
function textOf(result: unknown): string {
  if (typeof result !== "object" || result === null || !("content" in result)) return JSON.stringify(result);
  const { content, ...facts } = result;
  return `${JSON.stringify(facts)}\n${String(content)}`;
}

/** `taken` counts the places that the look has taken out so far because they looked like secrets. */
export function readTools(look: RepositoryReader, taken: () => number): ReadTools {
  return {
    tools,
    async use(name, given, signal) {
      const operation = looks.find((one) => nameOf(one) === name);
      if (!operation) return refused(`There is no tool of that name. There are: ${looks.map(nameOf).join(", ")}.`);
      const parsed = parseFields(operation.input, fromMcp(operation.input, given ?? {}));
      if (!parsed.ok) return refused(parsed.refusals.map((one) => mistake(operation, one)).join(" "));
      // The looks ask nothing else of their context.
      const context = { ports: { look: async () => look }, folder: "", signal } as unknown as Context;
      const before = taken();
      try {
        const text = textOf(await operation.handle(parsed.value as never, context));
        return { ok: true, text, redactions: taken() - before };
      } catch (error) {
        if (error instanceof FailureError) return refused(error.failure.message);
        throw error;
      }
    },
  };
}
