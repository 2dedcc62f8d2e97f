// The door for secrets: every text of a call is searched before the operation gets it, on every surface. In text that is
// written for people and models a secret is replaced. In any other text (a command, a path, a name) another value would be
// another request, so the call is refused. A person who wants a secret kept uses --keep-secrets.
import { fail, type Judges } from "../core/contract/index.ts";
import type { AnyOperation } from "./define/index.ts";
import type { Caller } from "./perform.ts";

type FindSecrets = Judges["secrets"];

/** Fields of written text, and text that is only looked up: a replaced secret leaves them usable. */
const written = new Set(
  "goal constraints acceptanceCriteria forbiddenChanges message reason brief persona title query search line".split(
    " ",
  ),
);

/** Fields whose content is a secret by its nature; none of them is put into a run's log. A stub script plays a model. */
const ownSecrets: Readonly<Record<string, readonly string[]>> = {
  web: ["webhook"],
  "gateway answer": ["values"],
  "store copy": ["from", "to"],
};

/** A shorter text holds no secret that differs from a word. */
const shortest = 8;

interface Finding {
  readonly field: string;
  readonly labels: readonly string[];
}

class Search {
  readonly replaced: Finding[] = [];
  readonly refused: Finding[] = [];
  readonly #find: FindSecrets;
  constructor(find: FindSecrets) {
    this.#find = find;
  }

  async value(field: string, value: unknown): Promise<unknown> {
    if (typeof value === "string") return this.#text(field, value);
    if (Array.isArray(value)) return this.#list(field, value);
    // The content of a file is read by the handler, which judges it.
    if (typeof value !== "object" || value === null || "bytes" in value) return value;
    const entries: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(value)) {
      const clean = await this.value(key, inner);
      entries.push([(await this.#text(key, key)) as string, clean]);
    }
    return Object.fromEntries(entries);
  }

  async #list(field: string, list: readonly unknown[]): Promise<unknown> {
    const clean: unknown[] = [];
    for (const item of list) clean.push(await this.value(field, item));
    // An option and its value can be two words of a command.
    const words = list.filter((item) => typeof item === "string");
    if (words.length > 1 && !written.has(field)) await this.#text(field, words.join(" "));
    return clean;
  }

  async #text(field: string, text: string): Promise<string> {
    if (text.length < shortest) return text;
    const { matches, redacted } = await this.#find(text);
    if (matches.length === 0) return text;
    const labels = [...new Set(matches.map(({ label }) => label))].sort();
    (written.has(field) ? this.replaced : this.refused).push({ field, labels });
    return redacted;
  }
}

const describeFindings = (findings: readonly Finding[]): string => {
  const lines = findings.map(({ field, labels }) => `${field} (${labels.join(", ")})`);
  return [...new Set(lines)].join(", ");
};

/** The input without secrets. The caller learns which were replaced. */
export async function withoutSecrets<C extends Caller>(
  operation: Pick<AnyOperation<C>, "name" | "input">,
  input: object,
  { ports: { judges }, tell }: C,
): Promise<object> {
  if (!judges) return input;
  const search = new Search((text) => judges.secrets(text));
  const own = ownSecrets[operation.name] ?? [];
  const entries: [string, unknown][] = [];
  for (const [field, value] of Object.entries(input)) {
    const searched = field !== "stubScript" && !own.includes(field);
    entries.push([field, searched ? await search.value(field, value) : value]);
  }
  const keeps = "keepSecrets" in operation.input;
  if (search.refused.length > 0)
    fail(
      "invalid_input",
      `There is a secret in ${describeFindings(search.refused)}. Nothing was stored, run or sent.`,
      {
        remedy: `Put it into a file or a variable that the program reads itself${keeps ? ", or repeat with --keep-secrets: it is then stored and shown as it is" : ""}.`,
      },
    );
  if (search.replaced.length === 0) return input;
  const replaced = `A secret was replaced by ***REDACTED*** before anything was stored or sent: ${describeFindings(search.replaced)}.`;
  tell?.(`${replaced}${keeps ? " A person who wants it kept repeats this with --keep-secrets." : ""}`);
  return Object.fromEntries(entries);
}
