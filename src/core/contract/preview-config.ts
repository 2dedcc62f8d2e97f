// The configuration file of the public preview of `thehood`: it has the name of a file of ours and another form.
import { isRecord } from "./json.ts";

const hasObject = (value: unknown, keys: readonly string[]): boolean =>
  isRecord(value) && Object.values(value).some((one) => isRecord(one) && keys.some((key) => Object.hasOwn(one, key)));

/** Agents of roles are objects there and texts here; providers and preferences are in no file of a repository here. */
export function isPreviewConfig(value: unknown): boolean {
  if (!isRecord(value) || "policy" in value) return false;
  return (
    hasObject(value["roles"], ["provider", "model"]) ||
    hasObject(value["providers"], ["models", "accessModes", "defaultAccessMode"]) ||
    (isRecord(value["preferences"]) && "chatGptProRoute" in value["preferences"])
  );
}
