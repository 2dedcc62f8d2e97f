// Runs and artifacts as resources: the same operations as the tools, under addresses.
import { operations, type Context } from "../../operations/index.ts";
import { FailureError } from "../../core/contract/index.ts";
import type { Spelling } from "./spell.ts";
import { findTool } from "./tools/tools.ts";
import { codes, RpcError } from "./wire/message.ts";

const scheme = "thehood://";
export const mostListed = 20;

const runTemplate = {
  name: "run",
  title: "A run",
  description: "The status of a run.",
  uriTemplate: `${scheme}runs/{id}`,
  mimeType: "application/json",
};
export const resourceTemplates = {
  resourceTemplates: [
    runTemplate,
    {
      name: "report",
      title: "The report of a run",
      description: "What is proven and what is not.",
      uriTemplate: `${scheme}runs/{id}/report`,
      mimeType: "text/markdown",
    },
    {
      name: "artifact",
      title: "An artifact",
      description: "The first page of an artifact of a run, redacted.",
      uriTemplate: `${scheme}artifacts/{id}/{ref}`,
      mimeType: "text/plain",
    },
  ],
};

/** The answer of a tool, as a program gets it. */
async function ask<T>(tool: string, args: object, context: Context): Promise<T> {
  const { toolAnswer } = await import("./tools/call.ts");
  const operation = findTool(operations, tool);
  if (!operation) throw new TypeError(`there is no tool ${tool}`);
  return (await toolAnswer(operation, args as Record<string, unknown>, context)) as T;
}

interface Row {
  readonly runId: string;
  readonly goal: string;
  readonly state: string;
}

async function rows(context: Context): Promise<readonly Row[]> {
  const { runs } = await ask<{ runs: readonly Row[] }>("thehood_runs", { limit: mostListed }, context);
  return runs;
}

export async function listResources(context: Context) {
  const found = await rows(context);
  return {
    resources: [
      {
        uri: `${scheme}runs`,
        name: "runs",
        title: "Runs",
        description: "The newest runs.",
        mimeType: "application/json",
      },
      ...found.map(({ runId, goal, state }) => ({
        uri: `${scheme}runs/${runId}`,
        name: runId,
        title: goal,
        description: state,
        mimeType: "application/json",
      })),
    ],
  };
}

interface Page {
  readonly content?: string;
  readonly mediaType: string;
}

const page = (id: string, ref: string, bytes: number, context: Context): Promise<Page> =>
  ask("thehood_read_artifact", { run_id: id, ref, max_bytes: bytes }, context);

async function report(id: string, context: Context): Promise<Page | undefined> {
  await using runs = await context.ports.runs(context.folder);
  const runId = await runs.find(id);
  const ref = (await runs.report(runId))?.markdown.ref;
  return ref === undefined ? undefined : page(runId, ref, 100_000, context);
}

async function contents(
  uri: string,
  context: Context,
  spelling: Spelling,
): Promise<{ text: string; mimeType: string } | undefined> {
  const json = (value: unknown) => ({
    text: JSON.stringify(spelling.result(value)),
    mimeType: "application/json",
  });
  const parts = uri.slice(scheme.length).split("/");
  const [room, id = "", ref = ""] = parts;
  if (room === "runs" && parts.length === 1) return json(await ask("thehood_runs", { limit: mostListed }, context));
  if (room === "runs" && parts.length === 2 && id !== "")
    return json(await ask("thehood_status", { run_id: id }, context));
  if (room === "runs" && parts.length === 3 && ref === "report") {
    const found = await report(id, context);
    return found?.content === undefined ? undefined : { text: found.content, mimeType: "text/markdown" };
  }
  if (room === "artifacts" && parts.length === 3) {
    const found = await page(id, ref, 20_000, context);
    return found.content === undefined ? json(found) : { text: found.content, mimeType: found.mediaType };
  }
  return undefined;
}

/** The protocol's own code for a resource that is not there. */
const notFound = -32_002;

export async function readResource(params: Readonly<Record<string, unknown>>, context: Context, spelling: Spelling) {
  const { uri } = params;
  if (typeof uri !== "string" || uri.length > 500) throw new RpcError(codes.params, "uri: must be a string.");
  try {
    const found = uri.startsWith(scheme) ? await contents(uri, context, spelling) : undefined;
    if (found) return { contents: [{ uri, ...found }] };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    throw new RpcError(notFound, `${error.failure.code}: ${error.failure.message}`, {
      uri,
      remedy: spelling.remedy(error.failure),
    });
  }
  throw new RpcError(notFound, "There is no such resource.", { uri });
}

/** Run ids that begin like what was typed. */
export async function completeRun(typed: string, context: Context): Promise<string[]> {
  return (await rows(context)).map(({ runId }) => runId).filter((id) => id.startsWith(typed));
}
