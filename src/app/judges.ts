// The judges as operations are given them. Each room is imported when its judge is first asked.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandJudge } from "../commands/index.ts";
import { fail } from "../contract/index.ts";
import type { Judges } from "../operations/index.ts";
import { once } from "./once.ts";

/** The grammar lies beside the bundled program; in a checkout that is not built, where npm put it. */
function wasm(file: string, fromPackage: string): Uint8Array {
  const places = [
    join(import.meta.dirname, file),
    join(import.meta.dirname, "..", file),
    join(import.meta.dirname, "../../node_modules", fromPackage, file),
  ];
  for (const place of places) {
    try {
      return readFileSync(place);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
  throw new Error(`${file} is missing from this installation; reinstall the package`);
}

/** One parser a process: it is shared by everything that judges commands. */
export const commandJudge = once(async (): Promise<CommandJudge> => {
  const { loadCommandJudge } = await import("../commands/index.ts");
  return loadCommandJudge({
    parserWasm: wasm("web-tree-sitter.wasm", "web-tree-sitter"),
    bashWasm: wasm("tree-sitter-bash.wasm", "tree-sitter-bash"),
  });
});

const pathOps = ["read", "write", "segment"] as const;

export function createJudges(): Judges {
  return {
    command: async (line) => (await commandJudge()).classify(line),
    patch: async (patch, { repo, restrictPathPrefix, approveProtected, allowBinary, more }) => {
      const { judgePatch } = await import("../patch/index.ts");
      const options = {
        ...more,
        ...(restrictPathPrefix === undefined ? {} : { restrictPathPrefix }),
        ...(approveProtected === undefined ? {} : { approveProtected }),
        ...(allowBinary === undefined ? {} : { allowBinary }),
      };
      if (repo === undefined) return judgePatch(patch, options);
      const { readTree } = await import("../workspace/apply/index.ts");
      return judgePatch(patch, options, await readTree(repo));
    },
    reply: async (answer) => (await import("../patch/index.ts")).extractReply(answer),
    secrets: async (text, file) => {
      const { redact } = await import("../secrets/index.ts");
      const found = redact(text, file === undefined ? {} : { file });
      return { matches: found.matches, redacted: found.text };
    },
    path: async (root, path, op) => {
      const known = pathOps.find((candidate) => candidate === op);
      if (!known)
        fail("invalid_input", `A path cannot be judged for "${op}".`, {
          remedy: `Use one of: ${pathOps.join(", ")}`,
        });
      const { judgePath } = await import("../workspace/paths/index.ts");
      return judgePath(root, path, known);
    },
    repository: async (folder) =>
      (await import("../workspace/repo-check/index.ts")).inspectRepository(folder),
  };
}
