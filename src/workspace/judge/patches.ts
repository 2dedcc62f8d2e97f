// The way of a patch file to a verdict and into a checkout, for the commands `check patch`, `patch check` and `patch apply`.
import { applyPatch, checkPatch, heldAlready } from "../checkout/apply/index.ts";
import type { PatchApplied, PatchCheckOptions, PatchVerdict } from "../../core/contract/index.ts";
import { requireRepository } from "../../platform/git/index.ts";
import { type CountSecrets, type PatchOptions, judgePatch, readPatchOptions } from "../../core/patch/index.ts";
import { binaryTools } from "../../platform/system/index.ts";
import { type SecretOptions, findSecrets } from "../../core/secrets/index.ts";

export type UserSecrets = () => Promise<SecretOptions>;

/** A caller's own words for the options, and the flags of the command over them. */
function patchOptions(own: Omit<PatchCheckOptions, "repo">): PatchOptions {
  const { restrictPathPrefix, approveProtected, approvedPaths, allowBinary, more } = own;
  return {
    ...readPatchOptions({ ...more, ...(allowBinary === undefined ? {} : { allowBinary }) }, binaryTools),
    ...(restrictPathPrefix === undefined ? {} : { restrictPathPrefix }),
    ...(approveProtected === undefined ? {} : { approveProtected }),
    ...(approvedPaths === undefined ? {} : { approvedPaths }),
  };
}

const counterOf = async (secrets: UserSecrets): Promise<CountSecrets> => {
  const options = await secrets();
  return (text) => findSecrets(text, options).length;
};

const judgement = ({ verdict, reason, message, paths, findings }: PatchVerdict): PatchVerdict => ({
  verdict,
  reason,
  message,
  paths,
  findings,
});

/** Without a repository the patch is judged by its letters alone. */
export async function checkPatchFile(
  patch: Uint8Array | string,
  { repo, ...own }: PatchCheckOptions,
  secrets: UserSecrets,
): Promise<PatchVerdict> {
  const options = patchOptions(own);
  const countSecrets = await counterOf(secrets);
  if (repo === undefined) return judgement(judgePatch(patch, options, undefined, countSecrets));
  const bytes = typeof patch === "string" ? Buffer.from(patch, "utf8") : patch;
  return judgement(await checkPatch(requireRepository(repo), { patch: bytes, options, countSecrets }));
}

export async function applyPatchFile(
  patch: Uint8Array,
  { repo, ...own }: PatchCheckOptions & { readonly repo: string },
  secrets: UserSecrets,
): Promise<PatchApplied> {
  const request = { patch, options: patchOptions(own), countSecrets: await counterOf(secrets) };
  const result = await applyPatch(requireRepository(repo), request);
  const verdict = judgement(result.verdict);
  switch (result.outcome) {
    case "applied":
      return { applied: true, verdict, changed: result.paths };
    case "already_applied":
      return { applied: true, verdict: { ...verdict, message: heldAlready }, changed: [] };
    case "refused":
      return { applied: false, verdict, changed: [] };
    case "blocked":
    case "conflict": {
      const reason = result.outcome === "blocked" ? result.reason : "conflict";
      const refused = { ...verdict, verdict: "reject" as const, reason, message: result.message };
      return { applied: false, verdict: refused, changed: [] };
    }
  }
}
