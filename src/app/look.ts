// Opens a folder for a guest's eyes, with the user's own rules about secrets.
import { realpathSync } from "node:fs";
import type { RepoLook } from "../operations/index.ts";
import { findRepository } from "../git/index.ts";
import { createLook, createVeil } from "../checkout/look/index.ts";
import type { Environment } from "./environment.ts";
import { userSecrets } from "./secret-options.ts";

export async function openLook(folder: string, environment: Environment): Promise<RepoLook> {
  const options = await userSecrets(environment);
  return createLook({
    root: realpathSync(folder),
    repository: findRepository(folder),
    veil: createVeil("redact", options),
  });
}
