// The JSON Schemas of the configuration files and the page about them, derived from the schemas that the code checks by.
import { z } from "zod";
import { repoConfig, sharedConfig, userConfig } from "../../src/core/contract/index.ts";
import { defaultPolicy } from "../../src/core/machine/policy/index.ts";
import { configWords } from "./config-words.ts";

type Json = Record<string, unknown> & { properties?: Record<string, Json>; description?: string };

const files = [
  {
    name: "config",
    schema: userConfig,
    title: "Your own file",
    place:
      "`$THEHOOD_HOME/config.json`, else `$XDG_CONFIG_HOME/thehood/config.json`, else `~/.config/thehood/config.json`",
    about:
      "It may say anything. `thehood config set KEY VALUE` and `thehood config unset KEY` change it and keep your comments.",
  },
  {
    name: "repository",
    schema: repoConfig,
    title: "The private file of a repository",
    place: "`.thehood/config.json`",
    about:
      "For one repository, on this machine only; git ignores it, and a repository that tracks it is refused. It can only tighten your own file: a looser wish is not followed, and `thehood config` says so.",
  },
  {
    name: "thehood",
    schema: sharedConfig,
    title: "The shared file of a repository",
    place: "`thehood.json`, at the top, committed",
    about:
      "For everybody who works on the repository. It can add checks and protect paths, and nothing else. A change of it by a run is a protected change: it needs an approval of its own. `thehood checks add --shared` writes it.",
  },
] as const;

/** Keys whose inner keys have words of their own are opened; all others stand as one. */
function leaves(schema: Json, path: readonly string[] = []): { readonly key: string; readonly schema: Json }[] {
  const key = path.join(".");
  const inner = Object.entries(schema.properties ?? {});
  const opened = inner.length > 0 && !(key in configWords);
  return opened ? inner.flatMap(([name, one]) => leaves(one, [...path, name])) : [{ key, schema }];
}

const asJson = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: "input", reused: "inline" }) as Json;

/** A schema for editors: each key with its sentence. */
export function configSchema(name: (typeof files)[number]["name"]): Json {
  const file = files.find((one) => one.name === name) ?? files[0];
  const schema = asJson(file.schema);
  for (const { key, schema: inner } of leaves(schema)) inner.description = wordsOf(key).about;
  return { ...schema, title: `${file.title} of thehood` };
}

export const schemaFiles = files.map(({ name }) => ({ name, file: `docs/schemas/${name}.schema.json` }));

function wordsOf(key: string): (typeof configWords)[string] {
  // A key that was added a moment ago has no words yet: its schema says what it takes.
  return configWords[key] ?? { about: "See the schema." };
}

const valueAt = (from: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], from);

function accepts(schema: Json): string {
  const choices = schema["enum"];
  if (Array.isArray(choices)) return choices.map((one) => `\`${String(one)}\``).join(", ");
  const several = schema["anyOf"];
  if (Array.isArray(several)) return [...new Set(several.map((one) => accepts(one as Json)))].join(" or ");
  const least = schema["minimum"] ?? schema["exclusiveMinimum"];
  const [low, high] = [least, schema["maximum"]].map((one) => (typeof one === "number" ? one : undefined));
  const range = low !== undefined && high !== undefined && high < 1e9 ? `, ${low} to ${high}` : "";
  const kind = "const" in schema ? JSON.stringify(schema["const"]) : String(schema["type"] ?? "any");
  return `${kind.replace("array", "list").replace("string", "text").replace("integer", "whole number")}${range}`;
}

function row({ key, schema }: { readonly key: string; readonly schema: Json }): string {
  const { about, example } = wordsOf(key);
  const [top, ...rest] = key.split(".");
  const standard = top === "policy" ? valueAt(defaultPolicy, rest) : undefined;
  const cell = (value: unknown) => (value === undefined ? "" : `\`${JSON.stringify(value)}\``);
  return `| \`${key}\` | ${accepts(schema)} | ${cell(standard)} | ${about}${example === undefined ? "" : ` Example: ${cell(example)}`} |`;
}

const made =
  "<!-- Made from src/core/contract/config.ts and scripts/reference/config-words.ts by node scripts/reference.mjs. -->";

export function configPage(): string {
  const sections = files.map(({ name, title, place, about, schema }) => {
    const rows = leaves(asJson(schema)).map(row);
    return `## ${title}\n\n${place}\n\n${about} Schema: [${name}.schema.json](../schemas/${name}.schema.json).\n\n| key | accepts | default | meaning |\n|---|---|---|---|\n${rows.join("\n")}`;
  });
  const intro = `Three files, read in this order; a later one can only tighten an earlier one. All are JSON, and comments are allowed.
Files that we write name their schema in \`$schema\`, so that editors complete and check them.

\`\`\`sh
thehood config --origin                     # every value in force, with the file and line that set it
thehood config get policy.approvals         # one value
thehood config set policy.budgets.checkTimeoutMs 1200000
\`\`\`

Variables: \`THEHOOD_HOME\` (the folder of your own file and state), \`THEHOOD_DATABASE_URL\` (a shared store), \`NO_COLOR\`,
\`FORCE_COLOR\`, \`XDG_CONFIG_HOME\`, \`XDG_STATE_HOME\`, \`XDG_CACHE_HOME\`.`;
  return `# Configuration\n\n${made}\n\n${intro}\n\n${sections.join("\n\n")}\n`;
}
