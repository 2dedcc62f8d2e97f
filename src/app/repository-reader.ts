// Opens a folder for reading by a program or a model, with the user's rules on secrets.
import { realpathSync } from "node:fs";
import { type RepositoryReader, readTools } from "../operations/index.ts";
import type { OpenReadTools } from "../core/contract/index.ts";
import { findRepository } from "../platform/git/index.ts";
import { createRepositoryReader, createVeil } from "../workspace/checkout/read/index.ts";
import type { SecretOptions } from "../core/secrets/index.ts";
import type { Environment } from "./environment.ts";
import { userSecrets } from "./configs.ts";

const readerOf = (folder: string, veil: ReturnType<typeof createVeil>): RepositoryReader =>
  createRepositoryReader({ root: realpathSync(folder), repository: findRepository(folder), veil });

export async function openRepositoryReader(folder: string, environment: Environment): Promise<RepositoryReader> {
  return readerOf(folder, createVeil("redact", await userSecrets(environment)));
}

export const readToolsOf =
  (options: () => Promise<SecretOptions>): OpenReadTools =>
  async (top, secrets) => {
    const veil = createVeil(secrets, await options());
    return readTools(readerOf(top, veil), veil.taken);
  };
