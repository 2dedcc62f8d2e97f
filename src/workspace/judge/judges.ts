// The judges as operations are given them. Each room is imported when its judge is first asked.
import { readFileSync } from "node:fs";
import type { CommandJudge } from "../../core/commands/index.ts";
import { fail, type Judges, type PatchApplied } from "../../core/contract/index.ts";
import type { UserSecrets } from "./patches.ts";
import { installedFile, once } from "../../platform/system/index.ts";

const wasm = (file: string, sourceFolder: string): Uint8Array =>
  readFileSync(installedFile(file, `${sourceFolder}/${file}`));

/** One parser a process: it is shared by everything that judges commands. */
export const commandJudge: () => Promise<CommandJudge> = once(async () => {
  const { loadCommandJudge } = await import("../../core/commands/index.ts");
  return loadCommandJudge({
    parserWasm: wasm("web-tree-sitter.wasm", "node_modules/web-tree-sitter"),
    bashWasm: wasm("tree-sitter-bash.wasm", "vendor/tree-sitter-bash"),
  });
});

/** Loaded late: it looks into the repository, and `status` judges nothing. */
export const workspaceOf = async (folder: string, cwd?: string) =>
  (await import("./workspace.ts")).workspaceOf(folder, cwd);

const pathOps = ["read", "write", "segment"] as const;

/** `secrets` gives the user's own rules and exceptions, as they are now. */
export function createJudges(secrets: UserSecrets): Judges {
  return {
    command: async (line, folder, where = "machine") =>
      (await commandJudge()).classify(line, { ...(folder === undefined ? {} : await workspaceOf(folder)), where }),
    patch: async (patch, options) => (await import("./patches.ts")).checkPatchFile(patch, options, secrets),
    reply: async (answer, options) => (await import("../../core/patch/reply/index.ts")).extractReply(answer, options),
    secrets: async (text, file, use = "transfer") => {
      const { redact } = await import("../../core/secrets/index.ts");
      const found = redact(text, { ...(await secrets()), use, ...(file === undefined ? {} : { file }) });
      return { matches: found.matches, redacted: found.text };
    },
    path: async (root, path, op) => {
      const known = pathOps.find((candidate) => candidate === op);
      if (!known)
        fail("invalid_input", `A path cannot be judged for "${op}".`, {
          remedy: `Use one of: ${pathOps.join(", ")}`,
        });
      const { judgePath } = await import("../../platform/paths/index.ts");
      return judgePath(root, path, known);
    },
    repository: async (folder) => {
      const { inspectRepository } = await import("../inspect/index.ts");
      const { top, findings, seen, isGit, safe } = inspectRepository(folder);
      const notes = [`${seen} entries looked at${isGit ? "" : "; not a git repository"}; nothing was run`];
      if (!safe) notes.push("TheHood does not work here until the blocking findings are gone");
      return { folder: top, findings, notes };
    },
  };
}

/** The way of a patch file into a checkout, or the verdict that keeps it out. */
export const applyPatchFile = async (
  ...args: Parameters<typeof import("./patches.ts").applyPatchFile>
): Promise<PatchApplied> => (await import("./patches.ts")).applyPatchFile(...args);
