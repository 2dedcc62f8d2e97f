// The path of one value of a configuration, as a person writes it.
import { fail } from "../failure.ts";

/** `providers.codex-cli.program`; a name with dots in it stands in quotes. */
export function keyPath(key: string): string[] {
  const parts = [...key.matchAll(/"([^"]+)"|([^."]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  const whole = parts.map((part) => (part.includes(".") ? `"${part}"` : part)).join(".");
  if (parts.length === 0 || whole !== key.replaceAll(/"([^".]+)"/g, "$1"))
    fail("invalid_input", `"${key.slice(0, 100)}" is not the path of a value.`, {
      remedy: "Write it with dots, for example policy.fanoutParallel or providers.codex-cli.program.",
    });
  return parts;
}
