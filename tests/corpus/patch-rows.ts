// Test only: the rows of the patch corpus, their bytes, and how a result is written down in them.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Setup } from "./patch-repository.ts";

export interface Row {
  readonly id: string;
  readonly title: string;
  readonly setup: readonly Setup[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly expect: "accept" | "reject" | "approval";
  readonly reason: string;
  readonly patch?: string;
  readonly patch_b64?: string;
  readonly gen?: {
    readonly kind: string;
    readonly path?: string;
    readonly bytes?: number;
    readonly patch?: string;
  };
  readonly after?: Readonly<Record<string, string | null>>;
}

const folder = import.meta.dirname;
export const fixture = JSON.parse(readFileSync(join(folder, "patches_fixture.json"), "utf8")) as Record<string, string>;
const rowsOf = (file: string): Row[] =>
  readFileSync(join(folder, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);

const newFile = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;

export function bytesOf(row: Row): Buffer {
  if (row.patch_b64 !== undefined) return Buffer.from(row.patch_b64, "base64");
  if (row.patch !== undefined) return Buffer.from(row.patch, "utf8");
  const { kind = "", path = "x.txt", bytes = 0, patch = "" } = row.gen ?? {};
  if (kind === "literal") return Buffer.from(patch, "utf8");
  if (kind === "new_file_one_line") return Buffer.from(newFile(path, "x".repeat(bytes)));
  if (kind === "long_path") return Buffer.from(newFile("d/".repeat(bytes / 2 - 1) + "ff", "x"));
  if (kind === "long_component") return Buffer.from(newFile(`src/${"c".repeat(bytes)}`, "x"));
  throw new Error(`Unknown generator ${kind}`);
}

export const shape = (kind: string | undefined, bytes: Buffer): string => {
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (kind === "symlink") return `link:${bytes.toString("utf8")}`;
  return kind === "executable" ? `${hash}:x` : hash;
};

export const rows = [...rowsOf("patches.jsonl"), ...rowsOf("patches_own.jsonl")];
