// A secret in an option that is no written text (a path, a name, an address): another value would be another request, so the
// request is refused before anything is stored or sent. Written text has its secrets replaced (T-24).
import { fail } from "../../../core/contract/index.ts";
import { runOptions, type OptionName, type Options } from "../../../core/contract/transport/index.ts";
import type { OracleRunDeps } from "../ports.ts";

const written = new Set<string>(["prompt", "followupPrompt", "commitMessage", "slug", "next"] satisfies OptionName[]);

export function refuseSecrets(options: Options, redact: OracleRunDeps["redact"]): void {
  const found = Object.entries(options).flatMap(([name, value]) => {
    const texts: readonly unknown[] = written.has(name) || !Object.hasOwn(runOptions, name) ? [] : [value].flat();
    const labels = texts.flatMap((text) => (typeof text === "string" ? redact(text).labels : []));
    return labels.length === 0 ? [] : [`${name} (${[...new Set(labels)].join(", ")})`];
  });
  if (found.length === 0) return;
  fail("invalid_input", `There is a secret in ${found.join(", ")}. Nothing was stored or sent.`, {
    remedy: "Give the file, branch or folder another name; a key belongs in its environment variable.",
  });
}
