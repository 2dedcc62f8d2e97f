// `gateway secrets`: the values that a configuration keeps. They go in and are never shown.
import { fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { optional, source, text } from "../define/index.ts";

export const gatewaySecrets = define({
  name: "gateway secrets",
  group: "Connect",
  summary: "List the names of kept values of a configuration; keep one with --set, forget one with --remove",
  examples: [
    "thehood gateway secrets conf_0mx",
    'printf %s "$KEY" | thehood gateway secrets conf_0mx --set STRIPE_KEY',
  ],
  effect: "decides",
  input: {
    configurationId: text("a configuration", { min: 1, max: 100, cli: { value: "configuration" } }),
    set: optional(
      text("keep this variable; its value is read from standard input", { max: 200, cli: { value: "KEY" } }),
    ),
    remove: optional(text("forget this variable", { max: 200, cli: { value: "KEY" } })),
    value: optional(source("a file with the value, instead of standard input")),
  },
  async handle({ configurationId, set, remove, value }, { ports, lines }) {
    const base = `/api/configurations/${encodeURIComponent(configurationId)}/secrets`;
    if (set !== undefined) {
      const text = value ? new TextDecoder().decode(await value.bytes()) : await whole(lines);
      if (text === "")
        fail("invalid_input", "There is no value.", { remedy: "Pipe it in, or name a file with --value." });
      await ports.gateway.ask("PUT", `${base}/${encodeURIComponent(set)}`, {
        value: text.replace(/\n$/, ""),
      });
    }
    if (remove !== undefined) await ports.gateway.ask("DELETE", `${base}/${encodeURIComponent(remove)}`);
    return (await ports.gateway.ask("GET", base)) as { secrets: { key: string; updatedAt: number }[] };
  },
  cli: { words: ["configurationId"] },
});

async function whole(lines: (() => AsyncIterable<string>) | undefined): Promise<string> {
  const all: string[] = [];
  for await (const line of lines?.() ?? []) all.push(line);
  return all.join("\n");
}
