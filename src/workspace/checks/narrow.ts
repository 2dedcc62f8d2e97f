// The command of a slow check, limited to some test files: for the trials that break the work, the other tests say nothing.
// Only where the runner takes files behind its command and the command names none itself. Pure.
import type { CheckSpec } from "../../core/contract/index.ts";

/** A runner with options only, whose values stand behind a sign of equality. */
const plain =
  /^(?:\w+=\S+\s+)*(?:npx\s+)?(?:node(?:\s+--[\w-]+(?:=\S+)?)*\s+--test|vitest\s+run|vitest\s+--run|jest|pytest|python[\d.]*\s+-m\s+pytest)(?:\s+-{1,2}[\w-]+(?:=\S+)?)*$/;

const managers = /^(?:npm|pnpm|yarn|bun)$/;

/** `script`: the resolved command line. Undefined where it cannot be limited, or no file is left. */
export function narrowedTo(spec: CheckSpec, script: string, tests: readonly string[]): CheckSpec | undefined {
  const below = spec.cwd === "" ? "" : `${spec.cwd}/`;
  const own = tests.filter((path) => path.startsWith(below)).map((path) => path.slice(below.length));
  if (own.length === 0 || own.some((path) => /^-|[\s'"$`\\*?[\](){}]/.test(path))) return undefined;
  const id = `${spec.id}#narrowed`;
  const [program, verb] = spec.argv;
  if (program === "go" && verb === "test" && spec.argv.includes("./...")) {
    if (own.some((path) => !path.endsWith("_test.go"))) return undefined;
    const folders = [...new Set(own.map((path) => `./${path.split("/").slice(0, -1).join("/")}`))];
    const argv = spec.argv.flatMap((word) => (word === "./..." ? folders : [word]));
    return { ...spec, id, argv: argv as [string, ...string[]] };
  }
  if (managers.test(program)) {
    if (verb !== "run" || spec.argv.length !== 3) return undefined;
    const line = script.slice(spec.argv.join(" ").length).trim();
    if (!plain.test(line)) return undefined;
    return { ...spec, id, argv: [...spec.argv, ...(program === "npm" ? ["--"] : []), ...own] };
  }
  return plain.test(spec.argv.join(" ")) ? { ...spec, id, argv: [...spec.argv, ...own] } : undefined;
}
