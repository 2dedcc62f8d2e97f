// Reads the list of connected integrations: a file of the user in the folder of the gateway. It is read at each use, so a change
// needs no restart.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { integrationList, type Integration } from "../rules/index.ts";

export const integrationsFile = "integrations.json";

export function readIntegrations(folder: string): readonly Integration[] {
  const file = join(folder, integrationsFile);
  if (!existsSync(file)) return [];
  const wrong = (why: string): never =>
    fail("invalid_config", `The list of integrations cannot be used: ${why}.`, { remedy: `Edit ${file}.` });
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return wrong("it is not valid JSON");
  }
  const { success, data, error } = integrationList.safeParse(given);
  if (!success) return wrong(`${error.issues[0]?.path.join(".")} ${error.issues[0]?.message}`);
  return data.integrations;
}
