// Says whether a file of a workspace holds a secret, for names that are no proof. No link is followed.
import type { KnownWorkspace } from "../../core/commands/index.ts";
import { FailureError } from "../../core/contract/index.ts";
import { readUnder } from "../../platform/paths/index.ts";
import { findSecrets } from "../../core/secrets/index.ts";
import { systemCode } from "../../platform/system/index.ts";

const maxBytes = 1 << 20;
/** A login that is written out, also where it is too plain for the judge of secrets. */
const plainLogin =
  /^\s*["']?\w*(password|passwd|secret|token)["']?\s*[:=]\s*["']?(?![\s"']|$|<%|\$|%|ENV|env|os\.|null|nil|~)\S/im;

export const contentOf =
  (root: string): NonNullable<KnownWorkspace["content"]> =>
  (path) => {
    try {
      const text = readUnder(root, path, { maxBytes }).toString("utf8");
      return plainLogin.test(text) || findSecrets(text, { file: path }).length > 0 ? "secret" : "clean";
    } catch (error) {
      if (error instanceof FailureError || systemCode(error) !== undefined) return "unknown";
      throw error;
    }
  };
