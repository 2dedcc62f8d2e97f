// The diff in a worker's answer: found by the reply room, tried against the files it is meant for.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { FailureError, type ProviderCall, readResponse } from "../core/contract/index.ts";
import { type TreeReader, judgePatch } from "../core/patch/index.ts";
import { selectDiff } from "../core/patch/reply/index.ts";
import { readUnder } from "../platform/paths/index.ts";

type FoundDiff =
  | { readonly kind: "patch"; readonly patch: Uint8Array }
  /** The answer claims no change, or is one that the runtime will refuse anyway. */
  | { readonly kind: "none" }
  /** A change is claimed, and its diff cannot be used. */
  | { readonly kind: "unusable"; readonly why: string };

export function diffIn(text: string, call: ProviderCall): FoundDiff {
  const read = readResponse("implementation_result", text, call.ack);
  if (!read.ok || read.response.status !== "ok" || read.response.payload.status !== "changed")
    return { kind: "none" };
  const inMarkdown = selectDiff(read.response.payload.markdown ?? "");
  const found = inMarkdown.found ? inMarkdown : selectDiff(text);
  if (!found.valid || found.patch === null)
    return {
      kind: "unusable",
      why: `${inMarkdown.found ? inMarkdown.message : "there is no fenced diff in the markdown field"}.`,
    };
  const { dir } = call.workspace;
  const judged = judgePatch(
    found.patch,
    { approveProtected: true },
    dir === null ? undefined : filesBelow(dir, found.paths),
  );
  return judged.verdict === "reject"
    ? { kind: "unusable", why: `${judged.reason}: ${judged.message}` }
    : { kind: "patch", patch: found.patch };
}

/** The worktree as it lies there. Only a first look: the runtime judges the patch itself before it lays it. */
function filesBelow(dir: string, paths: readonly string[]): TreeReader {
  const entry = (path: string) => lstatSync(join(dir, path), { throwIfNoEntry: false });
  return {
    kind(path) {
      const found = entry(path);
      if (!found) return undefined;
      if (found.isDirectory()) return "directory";
      if (found.isSymbolicLink()) return "symlink";
      if (!found.isFile()) return "other";
      return (found.mode & 0o100) === 0 ? "file" : "executable";
    },
    content(path) {
      if (entry(path)?.isFile() !== true) return undefined;
      try {
        return readUnder(dir, path, { trusted: true });
      } catch (error) {
        if (error instanceof FailureError) return undefined;
        throw error;
      }
    },
    dirty: () => false,
    paths: () => paths.filter((path) => entry(path) !== undefined),
  };
}
