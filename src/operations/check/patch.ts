// The judge of patches, and applying a patch that it accepts.
import { exitCodes, type PatchVerdict, fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { file, jsonl, judgedLines, patchFields } from "./fields.ts";

const exits = {
  accept: exitCodes.ok,
  approval: exitCodes.approvalRequired,
  reject: exitCodes.permissionDenied,
} as const;

export const patchExit = (verdict: PatchVerdict | undefined): number =>
  verdict ? exits[verdict.verdict] : exitCodes.ok;

export const checkPatch = define({
  name: "check patch",
  group: "Judge",
  summary: "Tell whether a patch is accepted, needs approval or is refused",
  effect: "reads",
  input: { file, jsonl, ...patchFields },
  async handle({ file: patch, jsonl: stream, ...options }, context) {
    if (stream) return { lines: judgedLines("patch", context) };
    const repo = context.named ? context.folder : undefined;
    return { verdict: await context.ports.judges.patch(await patch.bytes(), { ...options, repo }) };
  },
  cli: { args: ["file"], exit: ({ verdict }) => patchExit(verdict) },
});

export const patchCheck = define({
  name: "patch check",
  group: "Judge",
  summary: "Judge the patch against this repository",
  effect: "reads",
  input: { file, ...patchFields },
  async handle({ file: patch, ...options }, { ports, folder }) {
    return { verdict: await ports.judges.patch(await patch.bytes(), { ...options, repo: folder }) };
  },
  cli: {
    args: ["file"],
    nowIn: { command: "check patch", option: "here" },
    exit: ({ verdict }) => patchExit(verdict),
  },
});

export const patchApply = define({
  name: "patch apply",
  group: "Judge",
  summary: "Judge a patch and apply it to the checkout, all or nothing",
  effect: "decides",
  input: { file, ...patchFields },
  async handle({ file: patch, ...options }, { ports, folder }) {
    if (!patch.given) fail("invalid_input", "No patch was given.", { remedy: "Give a file, or - for standard input." });
    return ports.applyPatch(await patch.bytes(), { ...options, repo: folder });
  },
  cli: {
    args: ["file"],
    exit: ({ applied, verdict }) => (applied ? exitCodes.ok : patchExit(verdict) || exitCodes.failure),
  },
});
