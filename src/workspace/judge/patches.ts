// The way of a patch file to a verdict and into a checkout, for the commands `check patch`, `patch check` and `patch apply`.
import { CheckoutView, applyPatch, checkPatch, checkoutReader, heldAlready } from "../checkout/apply/index.ts";
import type { PatchApplied, PatchCheckOptions, PatchVerdict } from "../../core/contract/index.ts";
import { requireRepository } from "../../platform/git/index.ts";
import {
  type CountSecrets,
  type PatchOptions,
  judgePatch,
  parsePatch,
  readPatchOptions,
} from "../../core/patch/index.ts";
import { diffOfAnswer } from "../../core/patch/convert/index.ts";
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

interface Given {
  readonly patch: Uint8Array;
  readonly converted: Pick<PatchVerdict, "converted">;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

/** The patch of an answer in any form that models write, or the verdict that refuses it. A patch stays as it is. */
function patchOfAnswer(
  given: Uint8Array | string,
  { repo, restrictPathPrefix }: PatchCheckOptions,
): Given | PatchVerdict {
  const bytes = typeof given === "string" ? Buffer.from(given, "utf8") : given;
  if (parsePatch(bytes).problems.length === 0) return { patch: bytes, converted: {} };
  const tree = repo === undefined ? undefined : checkoutReader(new CheckoutView(requireRepository(repo)));
  const diff = diffOfAnswer(textOf(bytes), {
    tree,
    ...(restrictPathPrefix === undefined ? {} : { restrictPathPrefix }),
  });
  const { valid, patch, reason, message, paths, conversion } = diff;
  if (!valid || patch === null)
    return { verdict: "reject", reason, message, paths, findings: [{ reason, verdict: "reject", message }] };
  return { patch, converted: conversion === null ? {} : { converted: { from: conversion, patch: textOf(patch) } } };
}

const judgement = ({ verdict, reason, message, paths, findings }: PatchVerdict): PatchVerdict => ({
  verdict,
  reason,
  message,
  paths,
  findings,
});

/** Without a repository the patch is judged by its letters alone. */
export async function checkPatchFile(
  given: Uint8Array | string,
  { repo, ...own }: PatchCheckOptions,
  secrets: UserSecrets,
): Promise<PatchVerdict> {
  const found = own.convert === true ? patchOfAnswer(given, { repo, ...own }) : { patch: given, converted: {} };
  if (!("patch" in found)) return found;
  const { patch, converted } = found;
  const options = patchOptions(own);
  const countSecrets = await counterOf(secrets);
  if (repo === undefined) return { ...judgement(judgePatch(patch, options, undefined, countSecrets)), ...converted };
  const bytes = typeof patch === "string" ? Buffer.from(patch, "utf8") : patch;
  return {
    ...judgement(await checkPatch(requireRepository(repo), { patch: bytes, options, countSecrets })),
    ...converted,
  };
}

export async function applyPatchFile(
  given: Uint8Array,
  { repo, ...own }: PatchCheckOptions & { readonly repo: string },
  secrets: UserSecrets,
): Promise<PatchApplied> {
  const found = own.convert === true ? patchOfAnswer(given, { repo, ...own }) : { patch: given, converted: {} };
  if (!("patch" in found)) return { applied: false, verdict: found, changed: [] };
  const request = { patch: found.patch, options: patchOptions(own), countSecrets: await counterOf(secrets) };
  const result = await applyPatch(requireRepository(repo), request);
  const verdict = { ...judgement(result.verdict), ...found.converted };
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
