// What the commands for one session do: they ask the gateway that runs.
import type {
  Context,
  GatewayPort,
  SessionConfig,
  SessionEventRow,
  SessionRow,
  ShownActions,
  ShownEvidence,
  ShownSnapshots,
} from "../context/index.ts";
import { decoded, type Source } from "../define/index.ts";
import { fail } from "../../core/contract/index.ts";
import { pathOf } from "./work.ts";

interface SendInput {
  readonly sessionId: string;
  readonly message: string | undefined;
  readonly file: Source | undefined;
  readonly wait: boolean;
  /** In seconds. */
  readonly timeout: number;
}

interface EvidenceInput {
  readonly sessionId: string;
  readonly out: string | undefined;
  readonly ref: string | undefined;
}

interface SnapshotsInput {
  readonly sessionId: string;
  readonly message: string | undefined;
  readonly restore: string | undefined;
}

export async function send(
  { sessionId: id, message, file, wait, timeout }: SendInput,
  { ports: { gateway, judges }, signal, tell }: Context,
): Promise<{ readonly sessionId: string; readonly accepted: true; readonly answer: string | null }> {
  const written = message ?? (file?.given ? decoded(await file.bytes()).trim() : "");
  // The text of a file has not been searched before.
  const { redacted: content, matches } = await judges.secrets(written);
  if (matches.length > 0) tell("A secret in the message was replaced by ***REDACTED*** before it was sent.");
  if (content === "")
    fail("invalid_input", "There is no message.", { remedy: 'Write it: thehood gateway send SESSION "…"' });
  const after = wait ? await lastSeq(gateway, id) : 0;
  await gateway.ask("POST", `${pathOf(id)}/message`, { content });
  if (!wait) return { sessionId: id, accepted: true, answer: null };
  const limit = AbortSignal.timeout(timeout * 1_000);
  const answer = await answerAfter(gateway, id, after, AbortSignal.any([signal, limit]));
  if (limit.aborted && answer === undefined)
    fail("timeout", `The agent's turn did not end in ${timeout} s. The agent goes on.`, {
      remedy: "Follow it with thehood gateway logs SESSION --follow, or end it with thehood gateway stop SESSION.",
    });
  return { sessionId: id, accepted: true, answer: answer ?? "" };
}

async function lastSeq(gateway: GatewayPort, id: string): Promise<number> {
  const { events } = (await gateway.ask("GET", `${pathOf(id)}/history`)) as { events: SessionEventRow[] };
  return events.at(-1)?.seq ?? 0;
}

/** The messages of the agent until its turn or its session ends; undefined when the signal fires before that. */
async function answerAfter(
  gateway: GatewayPort,
  id: string,
  after: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const messages: string[] = [];
  for await (const { type, data } of gateway.events(id, after, signal) as AsyncIterable<SessionEventRow>) {
    if (type === "message" && data["role"] === "assistant") messages.push(String(data["text"]));
    if (type === "error") messages.push(String(data["message"]));
    const ended = type === "status" && /stopped|failed/.test(String(data["status"]));
    if (ended || type === "message_complete") return messages.join("\n\n");
  }
  return undefined;
}

export async function evidence(
  { sessionId: id, out, ref }: EvidenceInput,
  { ports: { gateway } }: Context,
): Promise<ShownEvidence> {
  const path = `${pathOf(id)}/evidence`;
  const read = async (of: string) =>
    (await gateway.ask("GET", `${path}/${encodeURIComponent(of)}`)) as NonNullable<ShownEvidence["file"]>;
  const { evidence: all } = (await gateway.ask("GET", path)) as Pick<ShownEvidence, "evidence">;
  const shown = { sessionId: id, evidence: all, file: ref === undefined ? null : await read(ref) };
  if (out === undefined) return { ...shown, written: null };
  const files = all.flatMap(({ prefix, files: of }) =>
    of.map((file) => ({ ...file, path: `${prefix.split("/").at(-1)?.slice(0, 12)}/${file.path}` })),
  );
  const written = await gateway.saveFiles(
    out,
    files.map(({ path: to, ref: of }) => ({ path: to, base64: async () => (await read(of)).base64 })),
  );
  return { ...shown, written };
}

export async function snapshots(
  { sessionId: id, message, restore }: SnapshotsInput,
  { ports: { gateway }, tell }: Context,
): Promise<ShownSnapshots> {
  const path = pathOf(id);
  if (message !== undefined && restore !== undefined)
    fail("invalid_input", "--save and --restore cannot be combined.", {
      remedy: "--restore saves the present state by itself.",
    });
  const saved =
    message === undefined
      ? null
      : ((await gateway.ask("POST", `${path}/snapshots`, { message })) as ShownSnapshots["saved"]);
  if (restore !== undefined) tell("· saving the present state, then starting from the snapshot");
  const restored =
    restore === undefined
      ? null
      : ((await gateway.ask("POST", `${path}/restore`, { snapshotId: restore })) as ShownSnapshots["restored"]);
  const listed = (await gateway.ask("GET", `${path}/snapshots`)) as Pick<ShownSnapshots, "snapshots">;
  return { sessionId: id, snapshots: listed.snapshots, saved, restored };
}

export async function config(
  { sessionId: id }: Pick<SendInput, "sessionId">,
  { ports: { gateway } }: Context,
): Promise<SessionConfig> {
  const session = (await gateway.ask("GET", pathOf(id))) as SessionRow & {
    readonly configurationId: string | null;
    readonly systemPrompt: string | null;
    readonly tools: readonly string[] | null;
    readonly snapshotId: string | null;
  };
  const { configurationId, systemPrompt, tools, snapshotId, kind, model } = session;
  const own = { sessionId: id, kind, model, tools, systemPrompt, snapshotId };
  if (configurationId === null) return { ...own, configuration: null, secrets: [] };
  const at = `/api/configurations/${encodeURIComponent(configurationId)}`;
  const configuration = (await gateway.ask("GET", at)) as SessionConfig["configuration"];
  const { secrets } = (await gateway.ask("GET", `${at}/secrets`)) as Pick<SessionConfig, "secrets">;
  return { ...own, configuration, secrets };
}

/** Each decision is sent first; the list shows the state after it. */
export async function actions(
  {
    sessionId: id,
    approve,
    deny,
  }: { readonly sessionId: string; readonly approve: string | undefined; readonly deny: string | undefined },
  { ports: { gateway } }: Context,
): Promise<ShownActions> {
  const path = `/proliferate/${encodeURIComponent(id)}/actions`;
  const decide = async (of: string | undefined, answer: "approve" | "deny") =>
    of === undefined
      ? undefined
      : ((await gateway.ask("POST", `${path}/invocations/${encodeURIComponent(of)}/${answer}`)) as {
          readonly invocation: ShownActions["pending"][number];
        });
  const decided = (await decide(approve, "approve")) ?? (await decide(deny, "deny"));
  const available = (await gateway.ask("GET", `${path}/available`)) as Pick<ShownActions, "integrations">;
  const { invocations } = (await gateway.ask("GET", `${path}/invocations`)) as {
    readonly invocations: ShownActions["pending"];
  };
  return { sessionId: id, ...available, pending: invocations, decided: decided?.invocation ?? null };
}
