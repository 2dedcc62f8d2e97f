// Reading what git prints with -z: records end in NUL, paths are bytes.

/** A path as a byte string (one unit a byte), the only form that survives names that are not UTF-8. */
export type BytePath = string;

export const toBytePath = (path: string): BytePath => Buffer.from(path, "utf8").toString("latin1");
export const fromBytePath = (path: BytePath): string => Buffer.from(path, "latin1").toString("utf8");
export const isUtf8 = (path: BytePath): boolean => toBytePath(fromBytePath(path)) === path;

export function splitRecords(output: Buffer): BytePath[] {
  const records = output.toString("latin1").split("\0");
  if (records.at(-1) === "") records.pop();
  return records;
}

export function joinRecords(paths: Iterable<BytePath>): Buffer {
  return Buffer.from([...paths].map((path) => `${path}\0`).join(""), "latin1");
}

export interface RawChange {
  readonly path: BytePath;
  /** A added, M modified, D deleted, T type changed. */
  readonly status: string;
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldId: string;
  readonly newId: string;
}

/** `--raw -z` without renames: `:mode mode id id status`, then the path. */
export function parseRaw(output: Buffer): RawChange[] {
  const records = splitRecords(output);
  const changes: RawChange[] = [];
  for (let index = 0; index + 1 < records.length; index += 2) {
    const [oldMode = "", newMode = "", oldId = "", newId = "", status = ""] = (records[index] ?? "")
      .slice(1)
      .split(" ");
    changes.push({
      path: records[index + 1] ?? "",
      status: status.slice(0, 1),
      oldMode,
      newMode,
      oldId,
      newId,
    });
  }
  return changes;
}
