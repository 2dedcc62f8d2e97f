// The line-end settings of the user's own git, which their checkout was written with. Reading a setting runs nothing.
import { execFileSync } from "node:child_process";
import type { Override } from "./neutralise.ts";

/** Variables that point git at another repository or add settings of a caller. */
const steering = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+|PARAMETERS))$/;

type Variables = Readonly<Record<string, string | undefined>>;

/** Without them nothing of the user is known, and bytes are left as they are. */
let variables: Variables | undefined;

/** The variables of the user, by which git finds their settings. */
export function useUserVariables(given: Variables): void {
  variables = given;
  known.clear();
}

const known = new Map<string, readonly Override[]>();

function readLineEnds(git: string, top: string): Override[] {
  if (!variables) return [];
  const env = Object.fromEntries(Object.entries(variables).filter(([name]) => !steering.test(name)));
  const args = ["config", "-z", "--get-regexp", "^core\\.(autocrlf|eol)$"];
  try {
    const stdout = execFileSync(git, args, { cwd: top, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return stdout.split("\0").flatMap((record) => {
      const [, key, value = "true"] = /^([^\n]+)(?:\n([^]*))?$/.exec(record) ?? [];
      return key === undefined ? [] : [[key, value] as const];
    });
  } catch (error) {
    // git ends with 1 where none is set. A git that cannot read its settings leaves bytes as they are.
    if (error instanceof Error && "status" in error) return [];
    throw error;
  }
}

/** In git's order: the last one counts. Read once for each checkout. */
export function userLineEnds(git: string, top: string): readonly Override[] {
  const found = known.get(top) ?? readLineEnds(git, top);
  known.set(top, found);
  return found;
}
