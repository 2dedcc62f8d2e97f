// The data of a site: ours, with what the user's own file changes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../../core/contract/index.ts";
import type { Site } from "../../../core/contract/transport/index.ts";
import { systemCode } from "../../../platform/system/index.ts";
import chatgpt from "./chatgpt.json" with { type: "json" };
import copilot from "./copilot.json" with { type: "json" };
import gemini from "./gemini.json" with { type: "json" };
import { type SiteData, overrideSchema, siteSchema } from "./schema.ts";

const shipped: Readonly<Record<Site, unknown>> = { chatgpt, copilot, gemini };

export interface LoadedSite extends SiteData {
  /** The user's file, when there is one. */
  readonly override: string | null;
}

export function loadSite(site: Site, folder: string): LoadedSite {
  const data = siteSchema.parse(shipped[site]);
  const path = join(folder, "sites", `${site}.json`);
  const text = readOwn(path);
  if (text === undefined) return { ...data, override: null };
  const parsed = overrideSchema.safeParse(parseJson(text, path));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail(
      "invalid_config",
      `${path}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not accepted"}.`,
      {
        remedy: "Correct it or remove it; the shipped data is then used.",
      },
    );
  }
  const { marks, times, ...rest } = parsed.data;
  return siteFrom(
    { ...data, ...rest, marks: { ...data.marks, ...marks }, times: { ...data.times, ...times } },
    path,
  );
}

const siteFrom = (merged: unknown, override: string): LoadedSite => ({
  ...siteSchema.parse(merged),
  override,
});

function readOwn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail(
      "invalid_config",
      `${path} is no JSON: ${error instanceof Error ? error.message : String(error)}.`,
      {
        remedy: "Correct it or remove it; the shipped data is then used.",
      },
    );
  }
}
