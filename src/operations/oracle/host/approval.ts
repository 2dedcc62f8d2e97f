// What a person runs to approve a change that an MCP client asked for: the same diff, with the same options.
import type { RunOutcome, SessionView } from "../../../core/contract/transport/index.ts";

/** A client cannot approve; a person can, with the stored answer. */
export function approvalCommand({ record, result }: RunOutcome | SessionView): string | null {
  if (result?.status !== "apply_failed") return null;
  const path = result.approvalPath;
  if (path === null) return null;
  const { git, diff, cwd } = record.options;
  const words = [
    "oracle",
    "apply",
    record.id,
    "--apply-mode",
    git.applyMode,
    ...(diff.strict ? ["--strict-diff"] : []),
    ...(diff.restrictPrefix === null ? [] : ["--restrict-path-prefix", diff.restrictPrefix]),
    ...(git.branch === null ? [] : ["--branch", git.branch]),
    ...(git.commitMessage === null ? [] : ["--commit-message", git.commitMessage]),
    ...(git.push ? ["--push"] : []),
    "--approve-path",
    path,
  ];
  return `cd ${shellWord(git.root ?? cwd)} && ${words.map(shellWord).join(" ")}`;
}

const shellWord = (text: string): string =>
  /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
