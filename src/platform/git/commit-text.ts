// The text of a commit, as git stores it. Its hash is the id of the commit, so the text is enough to make the commit again.
import type { NewObject } from "./write-objects.ts";

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Seconds since 1970. */
  readonly at: number;
  readonly message: string;
}

export function printCommit({ tree, parents, at, message }: NewCommit): NewObject {
  const by = `TheHood <thehood@localhost> ${at} +0000`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((id) => `parent ${id}`),
    `author ${by}`,
    `committer ${by}`,
    "",
    message,
  ];
  return { type: "commit", bytes: Buffer.from(lines.join("\n")) };
}

export interface CommitText {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly at: number;
  /** Without the heads. */
  readonly message: string;
}

/** Undefined for a text that is no commit. */
export function parseCommit(bytes: Uint8Array): CommitText | undefined {
  const text = Buffer.from(bytes).toString("utf8");
  const end = text.indexOf("\n\n");
  const heads = end === -1 ? text : text.slice(0, end);
  const [, tree, parents = "", rest = ""] =
    /^tree ([0-9a-f]{40,64})\n((?:parent [0-9a-f]{40,64}\n)*)(.*)$/s.exec(heads) ?? [];
  if (tree === undefined) return undefined;
  return {
    tree,
    parents: parents.split("\n").flatMap((line) => line.slice("parent ".length) || []),
    at: Number(/^committer .*> (-?\d+) [+-]\d{4}$/m.exec(rest)?.[1] ?? 0),
    message: end === -1 ? "" : text.slice(end + 2),
  };
}

/** The first paragraph in one line. */
export const subjectOf = (message: string): string =>
  (message.trimStart().split(/\n\s*\n/)[0] ?? "").trimEnd().replaceAll("\n", " ");
