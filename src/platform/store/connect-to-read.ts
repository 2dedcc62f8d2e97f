// A connection that only reads, also after a power loss and on a disk that takes no new file.
import { lstatSync } from "node:fs";
import { FailureError } from "../../core/contract/index.ts";
import { connect, type Connect, type Database } from "./database.ts";

/**
 * A reader cannot finish what a writer left half done at a power loss, so a writer opens the file first. On a read-only
 * or full disk, where SQLite cannot make its side files, the file is read as it is, provided that they hold nothing.
 */
export function connectToRead(options: Omit<Connect, "mode">): Database {
  const { file } = options;
  try {
    return connect({ ...options, mode: "read" });
  } catch (error) {
    if (!isDenied(error)) throw error;
  }
  const isWhole = () => !hasContent(`${file}-wal`) && !hasContent(`${file}-journal`);
  try {
    connect({ ...options, mode: "write" }).close();
  } catch (error) {
    if (!isDenied(error) || !isWhole()) throw error;
    return connect({ ...options, mode: "frozen" });
  }
  return connect({ ...options, mode: "read" });
}

/** The disk takes no new file. */
function isDenied(error: unknown): boolean {
  return error instanceof FailureError && ["permission_denied", "store_full"].includes(error.failure.code);
}

function hasContent(path: string): boolean {
  return (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
