// Collects the values for a request of an agent, submits them and tells the agent.
import type { Context, RequestedRow, SessionRow } from "../context/index.ts";
import { decoded, type Source } from "../define/index.ts";
import { fail } from "../../core/contract/index.ts";
import { pathOf } from "./work.ts";

interface AnswerInput {
  readonly sessionId: string;
  readonly values: readonly string[];
  readonly value: Source | undefined;
  readonly file: Source | undefined;
  readonly stored: readonly string[];
  readonly keep: boolean;
  readonly decline: boolean;
  readonly message: string;
}

interface Given {
  readonly key: string;
  readonly value: string | undefined;
}

const keyShape = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;

/** `KEY=value` or `KEY`. */
function givenOf(word: string): Given {
  const at = word.indexOf("=");
  const key = at < 0 ? word : word.slice(0, at);
  // The word may hold a value: it is not repeated.
  if (!keyShape.test(key))
    fail("invalid_input", "A value has no variable name before it.", { remedy: "Write KEY, or KEY=value." });
  return { key, value: at < 0 ? undefined : word.slice(at + 1) };
}

/** The lines of an env file. Quotes around a whole value are taken away. */
function fromEnvFile(content: string): Given[] {
  const lines = content.split(/\r?\n/).map((line) => line.trim().replace(/^export\s+/, ""));
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const { key, value = "" } = givenOf(line);
      const [, , inner] = /^(["'])(.*)\1$/.exec(value) ?? [];
      return { key, value: inner ?? value };
    });
}

interface Sources {
  /** The content of --value. */
  readonly single: string | undefined;
  readonly requested: readonly RequestedRow[];
  readonly context: Pick<Context, "askSecret" | "lines">;
}

const questionFor = (key: string, asked: RequestedRow | undefined): string => {
  const about = asked?.description === undefined ? "" : ` (${asked.description})`;
  return `${key}${about}${asked && asked.required === false ? ", optional" : ""}: `;
};

async function filled(given: readonly Given[], { single, requested, context }: Sources): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  const open = given.filter(({ value }) => value === undefined);
  if (single !== undefined && open.length !== 1)
    fail("invalid_input", "--value is the value of one variable.", { remedy: "Name one KEY without a value." });
  for (const { key, value } of given) {
    const asked = requested.find((one) => one.key === key);
    const found = value ?? single ?? (await context.askSecret?.(questionFor(key, asked))) ?? undefined;
    if (found !== undefined) values.set(key, found);
    else if (!context.askSecret && open.length === 1) values.set(key, await allInput(context));
    else if (!context.askSecret)
      fail("invalid_input", `There is no value for ${key}, and this is no terminal to ask at.`, {
        remedy: "Name a file with --file or --value, or a stored value with --stored KEY.",
      });
  }
  // An empty line at the terminal leaves a value out.
  for (const [key, value] of values) if (value === "") values.delete(key);
  return values;
}

async function allInput({ lines }: Pick<Context, "lines">): Promise<string> {
  const all: string[] = [];
  for await (const line of lines?.() ?? []) all.push(line);
  return all.join("\n");
}

export interface AnsweredRequest {
  readonly sessionId: string;
  readonly submitted: readonly string[];
  /** Stored in the configuration for later sessions. */
  readonly kept: readonly string[];
  /** The values that the agent still waits for. */
  readonly waitsFor: readonly string[];
  /** The agent got the message. */
  readonly agentInformed: boolean;
}

export async function answer(input: AnswerInput, context: Context): Promise<AnsweredRequest> {
  const { sessionId: id, values, value, file, stored, keep, decline, message } = input;
  const { gateway } = context.ports;
  const path = pathOf(id);
  const session = (await gateway.ask("GET", path)) as SessionRow & { readonly agentSession: string | null };
  const requested = session.requested ?? [];
  const inform = async (content: string): Promise<boolean> => {
    if (content === "" || session.agentSession === null) return false;
    await gateway.ask("POST", `${path}/message`, { content });
    return true;
  };
  const none = { sessionId: id, submitted: [], kept: [], waitsFor: [] };
  if (decline) {
    await gateway.ask("POST", `${path}/env/decline`);
    return { ...none, agentInformed: await inform("The user gives no values for this request. Go on without them.") };
  }
  const typed = [...values.map(givenOf), ...(file?.given ? fromEnvFile(decoded(await file.bytes())) : [])];
  const wanted = typed.length + stored.length > 0 ? typed : requested.map(({ key }) => ({ key, value: undefined }));
  if (wanted.length + stored.length === 0)
    fail("invalid_input", "The agent of this session waits for no values.", {
      remedy: "Name the variables to give it some anyway: thehood gateway answer SESSION KEY",
    });
  const single = value?.given ? decoded(await value.bytes()).replace(/\n$/, "") : undefined;
  const found = await filled(wanted, { single, requested, context });
  if (found.size + stored.length === 0) fail("invalid_input", "No value was given; nothing was sent.");
  const plain = new Set(requested.filter(({ type }) => type === "env").map(({ key }) => key));
  const pairs = [...found].map(([key, text]) => ({ key, value: text }));
  const { results } = (await gateway.ask("POST", `${path}/env`, {
    secrets: pairs.filter(({ key }) => !plain.has(key)),
    envVars: pairs.filter(({ key }) => plain.has(key)),
    stored,
    saveToConfiguration: keep,
  })) as { results: { key: string; persisted: boolean }[] };
  const { requested: left = [] } = (await gateway.ask("GET", path)) as SessionRow;
  return {
    sessionId: id,
    submitted: [...found.keys(), ...stored],
    kept: results.filter(({ persisted }) => persisted).map(({ key }) => key),
    waitsFor: left.map(({ key }) => key),
    agentInformed: left.length === 0 && (await inform(message)),
  };
}
