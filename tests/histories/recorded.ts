// The recorded histories: a folder for each released version, a file for each story, each line one event as written.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Recorded } from "../../src/core/contract/index.ts";
import { readRunEvent } from "../../src/core/machine/index.ts";

export const versions = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

export const histories = versions.flatMap((version) =>
  readdirSync(join(import.meta.dirname, version))
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => ({
      version,
      name: file.replace(".jsonl", ""),
      file: join(import.meta.dirname, version, file),
    })),
);

/** As the engine reads them from the log. */
export function readHistory(file: string): Recorded[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { seq, at, event } = JSON.parse(line) as Recorded;
    const read = readRunEvent(event, file, seq);
    if (!read.ok) throw new Error(read.failure.message);
    return { seq, at, event: read.event };
  });
}
