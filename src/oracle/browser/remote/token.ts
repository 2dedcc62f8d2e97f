// The token that oracle on another machine must know: made once, in a private file, and never printed.
import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fail } from "../../../core/contract/index.ts";
import { systemCode, writeDurably } from "../../../platform/system/index.ts";
import { privateFolder } from "../process/location.ts";

/** 256 bits as text. */
const form = /^[\w-]{43}$/;

export const tokenPath = (folder: string): string => join(folder, "serve-token");

export function servingToken(folder: string): string {
  const path = tokenPath(folder);
  try {
    const kept = readFileSync(path, "utf8").trim();
    if (form.test(kept)) return kept;
    return fail("invalid_config", `${path} holds no token of oracle.`, {
      remedy: "Remove the file; a new one is made.",
    });
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) throw error;
  }
  const made = randomBytes(32).toString("base64url");
  privateFolder(folder);
  writeDurably(path, `${path}.${process.pid}`, Buffer.from(`${made}\n`));
  chmodSync(path, 0o600);
  return made;
}

export function givenToken(token: string | undefined): string {
  if (token !== undefined && form.test(token.trim())) return token.trim();
  return fail(
    "invalid_input",
    token === undefined ? "The token for --remote is missing." : "ORACLE_REMOTE_TOKEN is no token.",
    {
      remedy:
        "Set ORACLE_REMOTE_TOKEN to the content of ~/.oracle/browser/serve-token of the other machine, " +
        "or come by SSH: --remote ssh://HOST",
    },
  );
}
