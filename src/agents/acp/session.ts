// One conversation by the Agent Client Protocol, version 1: greet, open a session, choose mode and model, ask, listen.
import { z } from "zod";
import { type Peer, PeerRefusal } from "./peer.ts";

const protocolVersion = 1;

/** A limit of the agent, for the record. */
export class AgentProblem extends Error {}

const name = z.string().max(1_000);
const greeting = z.looseObject({
  protocolVersion: z.number(),
  authMethods: z
    .array(z.looseObject({ id: name }))
    .max(100)
    .nullish(),
});
const option = z.looseObject({
  id: name,
  category: name.nullish(),
  options: z.array(z.unknown()).max(10_000).nullish(),
});
const opened = z.looseObject({
  sessionId: name,
  modes: z.looseObject({ availableModes: z.array(z.looseObject({ id: name })).max(100) }).nullish(),
  models: z.looseObject({ availableModels: z.array(z.looseObject({ modelId: name })).max(10_000) }).nullish(),
  configOptions: z.array(option).max(1_000).nullish(),
});
type Opened = z.infer<typeof opened>;

interface SessionOptions {
  readonly cwd: string;
  readonly prompt: string;
  /** null leaves the choice to the agent. */
  readonly model: string | null;
  readonly mayEdit: boolean;
  /** How to log in, from the user's configuration. */
  readonly authMethod: string | undefined;
  /** Called as soon as there is something to cancel. */
  onSession(sessionId: string): void;
}

/** The result of `session/prompt`. */
export async function askAgent(peer: Peer, options: SessionOptions): Promise<unknown> {
  const methods = await greet(peer);
  if (options.authMethod !== undefined) await peer.ask("authenticate", { methodId: options.authMethod });
  const session = await open(peer, options, methods);
  const { sessionId } = session;
  options.onSession(sessionId);
  const mode = modeFor(session, options.mayEdit);
  if (mode !== undefined) await peer.ask("session/set_mode", { sessionId, modeId: mode });
  if (options.model !== null) await chooseModel(peer, session, options.model);
  return peer.ask("session/prompt", { sessionId, prompt: [{ type: "text", text: options.prompt }] });
}

async function greet(peer: Peer): Promise<string[]> {
  const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
  const clientInfo = { name: "thehood", title: "TheHood", version: "1" };
  const hello = greeting.safeParse(
    await peer.ask("initialize", { protocolVersion, clientCapabilities, clientInfo }),
  ).data;
  if (!hello) throw new AgentProblem("it did not greet as the Agent Client Protocol says");
  if (hello.protocolVersion !== protocolVersion)
    throw new AgentProblem(
      `it speaks version ${hello.protocolVersion} of the Agent Client Protocol, and we version ${protocolVersion}`,
    );
  return hello.authMethods?.map((method) => method.id) ?? [];
}

const authRequired = -32_000;

async function open(peer: Peer, options: SessionOptions, methods: readonly string[]): Promise<Opened> {
  const answer = await peer.ask("session/new", { cwd: options.cwd, mcpServers: [] }).catch((error: unknown) => {
    if (error instanceof PeerRefusal && error.code === authRequired)
      throw new AgentProblem(
        `not logged in: ${error.message}. Log in with the program itself, or pass its key by passEnv` +
          (methods.length === 0 ? "" : `, or set authMethod to one of ${methods.join(", ")}`),
      );
    throw error;
  });
  const session = opened.safeParse(answer).data;
  if (!session) throw new AgentProblem("it opened no session as the Agent Client Protocol says");
  return session;
}

/** Names under which agents offer a mode that fits, the strictest first. A worker stays in the agent's own default unless
 * there is one that is known to edit in its folder and to ask for the rest. */
const fitting = { reader: ["read-only", "dontAsk", "plan"], worker: ["workspace-write"] } as const;

function modeFor({ modes }: Opened, mayEdit: boolean): string | undefined {
  const offered = modes?.availableModes.map((mode) => mode.id) ?? [];
  return fitting[mayEdit ? "worker" : "reader"].find((mode) => offered.includes(mode));
}

const choice = z.looseObject({ value: name });

async function chooseModel(peer: Peer, session: Opened, model: string): Promise<void> {
  const { sessionId } = session;
  const offered = session.models?.availableModels.map(({ modelId }) => modelId) ?? [];
  if (offered.includes(model)) {
    await peer.ask("session/set_model", { sessionId, modelId: model });
    return;
  }
  const config = session.configOptions?.find(({ category }) => category === "model");
  const values = config?.options?.flatMap((one) => choice.safeParse(one).data?.value ?? []) ?? [];
  if (!config || !values.includes(model)) throw new AgentProblem(notOffered(model, [...offered, ...values]));
  await peer.ask("session/set_config_option", { sessionId, configId: config.id, value: model });
}

const notOffered = (model: string, offered: readonly string[]): string =>
  offered.length === 0
    ? `it offers no choice of models; assign its default, or give the model among its args`
    : `it offers no model "${model}", only ${offered.slice(0, 20).join(", ")}`;
