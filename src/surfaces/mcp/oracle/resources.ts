// Sessions as resources: their states, answers and diffs under addresses. A tool reads the same; nothing is sent or changed.
import { FailureError } from "../../../core/contract/index.ts";
import type { ListedSession, Transport } from "../../../core/contract/transport/index.ts";
import { codes, RpcError } from "../wire/message.ts";

const scheme = "oracle://sessions";
const mostListed = 20;
const mostChars = 200_000;
const json = "application/json";
const parts = { answer: "text/markdown", diff: "text/x-diff" } as const;

export const resourceTemplates = {
  resourceTemplates: [
    { name: "session", title: "A session", uriTemplate: `${scheme}/{id}`, mimeType: json },
    { name: "answer", title: "The answer of a session", uriTemplate: `${scheme}/{id}/answer`, mimeType: parts.answer },
    { name: "diff", title: "The checked diff of a session", uriTemplate: `${scheme}/{id}/diff`, mimeType: parts.diff },
  ],
};

const stateOf = ({ id, view, upstream }: ListedSession) => ({
  id,
  status: view?.record.status ?? (upstream === null ? "unreadable" : "upstream"),
  createdAt: (view?.record ?? upstream)?.createdAt ?? null,
  model: (view?.record ?? upstream)?.model ?? null,
  prompt: (view?.record ?? upstream)?.promptPreview ?? null,
});

const newest = async (transport: Transport) => (await transport.list()).slice(0, mostListed).map(stateOf);

export async function listResources(transport: Transport) {
  const sessions = await newest(transport);
  return {
    resources: [
      { uri: scheme, name: "sessions", title: "Sessions", description: "The newest sessions.", mimeType: json },
      ...sessions.map(({ id, status, prompt }) => ({
        uri: `${scheme}/${id}`,
        name: id,
        title: prompt ?? id,
        description: status,
        mimeType: json,
      })),
    ],
  };
}

async function contents(uri: string, transport: Transport): Promise<{ text: string; mimeType: string } | undefined> {
  if (uri === scheme) return { text: JSON.stringify(await newest(transport)), mimeType: json };
  const [id = "", part, ...rest] = uri.slice(scheme.length + 1).split("/");
  if (!uri.startsWith(`${scheme}/`) || rest.length > 0) return undefined;
  const { record, result } = await transport.view(id);
  if (part === undefined) {
    const { status, createdAt, endedAt, model, promptPreview } = record;
    return {
      text: JSON.stringify({ id, status, createdAt, endedAt, model, prompt: promptPreview, result }),
      mimeType: json,
    };
  }
  if ((part !== "answer" && part !== "diff") || result === null) return undefined;
  const text = (await transport.outcome(id))[part];
  return text === null ? undefined : { text: text.slice(0, mostChars), mimeType: parts[part] };
}

/** The protocol's own code for a resource that is not there. */
const notFound = -32_002;

export async function readResource({ uri }: Readonly<Record<string, unknown>>, transport: Transport) {
  if (typeof uri !== "string" || uri.length > 500) throw new RpcError(codes.params, "uri: must be a string.");
  try {
    const found = await contents(uri, transport);
    if (found) return { contents: [{ uri, ...found }] };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    throw new RpcError(notFound, `${error.failure.code}: ${error.failure.message}`, { uri });
  }
  throw new RpcError(notFound, "There is no such resource.", { uri });
}
