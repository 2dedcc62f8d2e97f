// Runs and artifacts as resources: the same operations as the tools, under addresses.
import type { Asking } from "../../operations/index.ts";
import { FailureError } from "../../contract/index.ts";
import type { Spelling } from "./spell.ts";
import { codes, RpcError } from "./wire/message.ts";

const scheme = "thehood://";
export const mostListed = 20;

const runTemplate = {
  name: "run",
  title: "A run",
  description: "Where a run stands.",
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

const operations = () => import("../../operations/runs/index.ts");

interface Row {
  readonly runId: string;
  readonly goal: string;
  readonly state: string;
}

async function rows(asking: Asking): Promise<readonly Row[]> {
  const { runs } = await operations();
  return ((await runs.handle({ limit: mostListed }, asking)) as { runs: readonly Row[] }).runs;
}

export async function listResources(asking: Asking) {
  const found = await rows(asking);
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

async function report(id: string, asking: Asking) {
  const { readArtifact } = await operations();
  await using desk = await asking.given.runs(asking.repo);
  const runId = await desk.find(id);
  const ref = (await desk.report(runId))?.markdown.ref;
  if (ref === undefined) return undefined;
  return (await readArtifact.handle({ runId, ref, offset: 0, maxBytes: 100_000 }, asking)) as {
    content?: string;
  };
}

async function contents(
  uri: string,
  asking: Asking,
  spelling: Spelling,
): Promise<{ text: string; mimeType: string } | undefined> {
  const json = (value: unknown) => ({
    text: JSON.stringify(spelling.result(value)),
    mimeType: "application/json",
  });
  const { status, runs, readArtifact } = await operations();
  const parts = uri.slice(scheme.length).split("/");
  const [room, id = "", ref = ""] = parts;
  if (room === "runs" && parts.length === 1) return json(await runs.handle({ limit: mostListed }, asking));
  if (room === "runs" && parts.length === 2 && id !== "")
    return json(await status.handle({ runId: id, detail: "summary", offset: 0 }, asking));
  if (room === "runs" && parts.length === 3 && ref === "report") {
    const found = await report(id, asking);
    return found?.content === undefined ? undefined : { text: found.content, mimeType: "text/markdown" };
  }
  if (room === "artifacts" && parts.length === 3) {
    const page = (await readArtifact.handle({ runId: id, ref, offset: 0, maxBytes: 20_000 }, asking)) as {
      content?: string;
      mediaType: string;
    };
    return page.content === undefined ? json(page) : { text: page.content, mimeType: page.mediaType };
  }
  return undefined;
}

/** The protocol's own code for a resource that is not there. */
const notFound = -32_002;

export async function readResource(
  params: Readonly<Record<string, unknown>>,
  asking: Asking,
  spelling: Spelling,
) {
  const { uri } = params;
  if (typeof uri !== "string" || uri.length > 500) throw new RpcError(codes.params, "uri: must be a string.");
  try {
    const found = uri.startsWith(scheme) ? await contents(uri, asking, spelling) : undefined;
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
export async function completeRun(typed: string, asking: Asking): Promise<string[]> {
  return (await rows(asking)).map(({ runId }) => runId).filter((id) => id.startsWith(typed));
}
