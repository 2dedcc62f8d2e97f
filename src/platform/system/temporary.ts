// The folder for temporary files. A TMPDIR that is not there, or cannot be written, is no reason to stop.
import { accessSync, constants, statSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { fail } from "../../core/contract/index.ts";
import { systemCode } from "./codes.ts";

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

export function temporaryRoot(): string {
  const usual = process.platform === "win32" ? [] : ["/tmp", "/var/tmp"];
  return (
    [tmpdir(), ...usual].find(isUsable) ??
    fail(
      "permission_denied",
      `Temporary files cannot be written: ${tmpdir()} is no folder that we may use.`,
      {
        remedy: "Set TMPDIR to a folder that is there and can be written, then continue.",
      },
    )
  );
}
