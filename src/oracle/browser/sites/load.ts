// The data of a site: its schema, the shipped data, and the changes of the user's own file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fail, nearest } from "../../../core/contract/index.ts";
import { pageTools, reasoningEfforts, sites, type Site } from "../../../core/contract/transport/index.ts";
import { systemCode } from "../../../platform/system/index.ts";

const list = z.array(z.string());

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "i").source !== "";
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const pattern = z.string().refine(isPattern, "no regular expression");
const patterns = z.array(pattern);

const marksSchema = z.object({
  composer: list,
  send: list,
  stop: list,
  stopExcept: list,
  turn: list,
  turnKey: list,
  user: list,
  assistant: list,
  body: list,
  userText: list,
  done: list,
  idle: list,
  busy: list,
  placeholder: patterns,
  copy: list,
  collapsed: list,
  codeNoise: list,
  madePicture: list,
  madeFile: list,
  turnModel: list,
  turnModelAttr: list,
  fileInput: list,
  attachOpener: list,
  attachItem: list,
  chip: list,
  chipScope: list,
  chipBusy: list,
  uploadError: list,
  modelButton: list,
  modelOption: list,
  modelLabel: list,
  modelSubmenu: list,
  modelView: list,
  effortControl: list,
  effortButton: list,
  toolOpener: list,
  toolItem: list,
  toolChosen: list,
  composerNoise: list,
  reportFrame: patterns,
  reportDone: patterns,
  reportNoise: patterns,
  modeOption: list,
  modeButton: list,
  modeTarget: list,
  modeWanted: patterns,
  modeUnwanted: patterns,
  loggedIn: list,
  loggedOut: list,
  challenge: list,
  challengeTitle: patterns,
  dialog: list,
  throttleText: patterns,
  announcement: list,
  announcementClose: list,
  errorBanner: list,
  notice: list,
  errorText: patterns,
  preamble: patterns,
});

const ms = z.number().int().positive();

const timesSchema = z.object({
  /** Between two snapshots. */
  pollMs: ms,
  /** So many snapshots in a row must show the finished marks. */
  holds: ms,
  /** The answer must not change for this long. */
  stableMs: ms,
  composerMs: ms,
  uploadMs: ms,
  /** All files of a message must be shown and not busy for this long. */
  chipStableMs: ms,
  sendMs: ms,
  /** A press of the send button without any effect may be repeated after this long. */
  swallowedMs: ms,
  modelMs: ms,
  copyMs: ms,
  /** An answer whose request is open and received data within this time is not finished. */
  flowMs: ms,
  /** After a broken stream the page has this long to recover. */
  brokenMs: ms,
  /** A short text whose end is not certain is looked at this long before the site is asked for it again. */
  settleMs: ms,
  /** After the press on a file, until it begins to come. */
  fileMs: ms,
});

/** A list is short for `any`. */
const choiceSchema = z.object({
  /** Test ids of the option, the same in every language. */
  ids: list.optional(),
  /** Labels that name the whole choice. */
  any: list.optional(),
  /** Labels of the model, where the effort is chosen apart. */
  model: list.optional(),
  effort: z.enum(reasoningEfforts).optional(),
});

const siteSchema = z.object({
  site: z.enum(sites),
  version: z.number().int().positive(),
  date: z.iso.date(),
  name: z.string(),
  url: z.url(),
  /** The path of one conversation, as a regular expression. */
  conversation: pattern,
  /** URLs that mean the login was lost, as regular expressions. */
  login: patterns,
  /** Names a caller may use, and what to choose for them in the page. */
  models: z.record(z.string(), z.union([list, choiceSchema])),
  /** The page's labels for how long the model thinks, in its languages. */
  efforts: z.partialRecord(z.enum(reasoningEfforts), list),
  /** The page's labels for its tools, in its languages. */
  tools: z.partialRecord(z.enum(pageTools), list),
  /** Hosts beside the page's own whose requests carry the answer, as regular expressions. */
  trafficHosts: patterns,
  /** Paths of pages where a message starts a task, as regular expressions. */
  otherPages: patterns,
  /** An answer with fewer characters may be a status. */
  shortText: ms,
  /** Where the entries come from: a letter and its source with a date. */
  sources: z.record(z.string(), z.string()),
  /** For each entry the letters of its sources. */
  evidence: z.record(z.string(), z.string()),
  maxFiles: ms,
  /** File name ends that reach the model; empty where all do. Others are sent with `.txt` added. */
  textEnds: list,
  /** File name ends that the page does not take. */
  refused: list,
  marks: marksSchema,
  times: timesSchema,
});
export type SiteData = z.infer<typeof siteSchema>;

const overrideSchema = siteSchema
  .partial()
  .extend({ marks: marksSchema.partial().strict().optional(), times: timesSchema.partial().strict().optional() });

import chatgpt from "./chatgpt.json" with { type: "json" };
import copilot from "./copilot.json" with { type: "json" };
import gemini from "./gemini.json" with { type: "json" };

const shipped: Readonly<Record<Site, unknown>> = { chatgpt, copilot, gemini };

export interface LoadedSite extends SiteData {
  /** The user's file, when there is one. */
  readonly override: string | null;
}

export interface SiteFiles {
  /** The browser's own folder: `sites/SITE.json` in it changes entries. */
  readonly folder: string;
  /** A data file that the user points to; it wins over the one in the folder. */
  readonly siteData?: string | undefined;
}

/** The names that an entry of the user's file can have. */
const namesIn: Readonly<Record<string, readonly string[]>> = {
  marks: Object.keys(marksSchema.shape),
  times: Object.keys(timesSchema.shape),
};

function refuseOwn(path: string, issue: z.core.$ZodIssue | undefined): never {
  const remedy = "Correct it or remove it; the shipped data is then used.";
  const at = issue?.path.join(".") ?? "";
  if (issue?.code !== "unrecognized_keys")
    return fail("invalid_config", `${path}: ${at}: ${issue?.message ?? "not accepted"}.`, { remedy });
  const [key = ""] = issue.keys;
  const meant = nearest(key, namesIn[at] ?? []);
  return fail("invalid_config", `${path}: there is no entry ${at}.${key}.`, {
    remedy: `${meant === undefined ? "" : `Did you mean ${meant}? `}${remedy}`,
  });
}

/** The file that the user points to may be for another site. */
function pointedTo(site: Site, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const text = readOwn(path);
  if (text === undefined)
    return fail("invalid_config", `ORACLE_BROWSER_DATA names ${path}, and there is no such file.`, {
      remedy: "Correct or unset ORACLE_BROWSER_DATA.",
    });
  const named = parseJson(text, path);
  const other = sites.find((one) => one === (named as { site?: unknown } | null)?.site);
  if (other === undefined)
    return fail("invalid_config", `${path} does not say for which site it is.`, {
      remedy: `Begin it with { "site": "${site}", …`,
    });
  return other === site ? text : undefined;
}

export function loadSite(site: Site, { folder, siteData }: SiteFiles): LoadedSite {
  const data = siteSchema.parse(shipped[site]);
  const pointed = pointedTo(site, siteData);
  const path = pointed === undefined ? join(folder, "sites", `${site}.json`) : (siteData ?? "");
  const text = pointed ?? readOwn(path);
  if (text === undefined) return { ...data, override: null };
  const parsed = overrideSchema.safeParse(parseJson(text, path));
  if (!parsed.success) return refuseOwn(path, parsed.error.issues[0]);
  const { marks, times, sources, evidence, ...rest } = parsed.data;
  const merged = {
    marks: { ...data.marks, ...marks },
    times: { ...data.times, ...times },
    sources: { ...data.sources, ...sources },
    evidence: { ...data.evidence, ...evidence },
  };
  return siteFrom({ ...data, ...rest, ...merged }, path);
}

const siteFrom = (merged: unknown, override: string): LoadedSite => ({
  ...siteSchema.parse(merged),
  override,
});

function readOwn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail("invalid_config", `${path} is no JSON: ${error instanceof Error ? error.message : String(error)}.`, {
      remedy: "Correct it or remove it; the shipped data is then used.",
    });
  }
}
