// Opens a folder for a guest's eyes, with the user's own rules about secrets.
import { realpathSync } from "node:fs";
import type { RepoLook } from "../operations/repo/index.ts";
import { findRepository } from "../git/index.ts";
import { createLook, createVeil } from "../checkout/look/index.ts";
import { configsOf } from "./configs.ts";
import type { Environment } from "./environment.ts";
import { secretOptions } from "./secret-options.ts";

export async function openLook(folder: string, environment: Environment): Promise<RepoLook> {
  const options = await secretOptions(configsOf(environment).user().secrets);
  return createLook({
    root: realpathSync(folder),
    repository: findRepository(folder),
    veil: createVeil("redact", options),
  });
}
