// The judges as operations are given them. Each room is imported when its judge is first asked.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandJudge } from "../commands/index.ts";
import { fail, type PatchVerdict } from "../contract/index.ts";
import type { Judges, PatchApplied, PatchCheckOptions } from "../operations/index.ts";
import type { PatchOptions } from "../patch/index.ts";
import type { Repository } from "../git/index.ts";
import { once } from "../system/index.ts";

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

async function repositoryOf(folder: string): Promise<Repository> {
  const { requireRepository } = await import("../git/index.ts");
  return requireRepository(folder);
}

/** A caller's own words for the options, and the flags of the command over them. */
async function patchOptions({
  restrictPathPrefix,
  approveProtected,
  allowBinary,
  more,
}: Omit<PatchCheckOptions, "repo">): Promise<PatchOptions> {
  const { readPatchOptions } = await import("../patch/index.ts");
  return {
    ...readPatchOptions(more ?? {}),
    ...(restrictPathPrefix === undefined ? {} : { restrictPathPrefix }),
    ...(approveProtected === undefined ? {} : { approveProtected }),
    ...(allowBinary === undefined ? {} : { allowBinary }),
  };
}

const judgement = ({ verdict, reason, message, paths, findings }: PatchVerdict): PatchVerdict => ({
  verdict,
  reason,
  message,
  paths,
  findings,
});

export async function applyToCheckout(
  patch: Uint8Array,
  { repo, ...own }: PatchCheckOptions & { readonly repo: string },
): Promise<PatchApplied> {
  const { applyPatch, recoverApplies } = await import("../checkout/apply/index.ts");
  const repository = await repositoryOf(repo);
  await recoverApplies(repository);
  const result = await applyPatch(repository, { patch, options: await patchOptions(own) });
  const verdict = judgement(result.verdict);
  if (result.outcome === "applied") return { applied: true, verdict, changed: result.paths };
  if (result.outcome === "already_applied") return { applied: true, verdict, changed: [] };
  if (result.outcome === "refused") return { applied: false, verdict, changed: [] };
  const reason = result.outcome === "blocked" ? result.reason : "conflict";
  return {
    applied: false,
    verdict: { ...verdict, verdict: "reject", reason, message: result.message },
    changed: [],
  };
}

export function createJudges(configDir: () => string): Judges {
  const userOptions = once(async () => {
    const { readUserConfig } = await import("../config/index.ts");
    const { secretOptions } = await import("./secret-options.ts");
    return secretOptions(readUserConfig(configDir()).secrets);
  });
  return {
    command: async (line) => (await commandJudge()).classify(line),
    patch: async (patch, { repo, more, ...own }) => {
      const { judgePatch } = await import("../patch/index.ts");
      const options = await patchOptions({ ...own, more });
      if (repo === undefined) return judgement(judgePatch(patch, options));
      const { checkPatch } = await import("../checkout/apply/index.ts");
      const bytes = typeof patch === "string" ? Buffer.from(patch, "utf8") : patch;
      return judgement(await checkPatch(await repositoryOf(repo), { patch: bytes, options }));
    },
    reply: async (answer, options) => (await import("../patch/reply/index.ts")).extractReply(answer, options),
    secrets: async (text, file) => {
      const { redact } = await import("../secrets/index.ts");
      const found = redact(text, { ...(await userOptions()), ...(file === undefined ? {} : { file }) });
      return { matches: found.matches, redacted: found.text };
    },
    path: async (root, path, op) => {
      const known = pathOps.find((candidate) => candidate === op);
      if (!known)
        fail("invalid_input", `A path cannot be judged for "${op}".`, {
          remedy: `Use one of: ${pathOps.join(", ")}`,
        });
      const { judgePath } = await import("../paths/index.ts");
      return judgePath(root, path, known);
    },
    repository: async (folder) => {
      const { inspectRepository } = await import("../stranger/index.ts");
      const { top, findings, seen, isGit, safe } = inspectRepository(folder);
      const notes = [`${seen} entries looked at${isGit ? "" : "; not a git repository"}; nothing was run`];
      if (!safe) notes.push("TheHood does not work here until the blocking findings are gone");
      return { folder: top, findings, notes };
    },
  };
}
