// Tries a site's data on its live page, stores what it found, and makes a data file of it for the user to edit.
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { FailureError, fail } from "../../core/contract/index.ts";
import {
  sites,
  type BrowserHooks,
  type Site,
  type SiteCheck,
  type SiteDataDraft,
} from "../../core/contract/transport/index.ts";
import { systemCode } from "../../platform/system/index.ts";
import type { BrowserDeps } from "./deps.ts";
import { leaseTab } from "./lease.ts";
import { privateFolder } from "./process/location.ts";
import { maskText } from "./report.ts";
import type { Marks } from "./marks.ts";
import type { Suggestion } from "./shapes.ts";
import { loadSite, type SiteFiles } from "./sites/load.ts";
import { snapshotPage, type Drive } from "./steps/context.ts";
import { openPage, untilReady } from "./steps/ready.ts";

/** The parts that a new conversation must show; the other parts appear only in use. */
const needed: ReadonlySet<keyof Marks> = new Set(["composer", "loggedIn", "modelButton"]);

/** What a stored check must hold to be made into a data file. */
const storedCheck = z.object({
  at: z.iso.datetime(),
  check: z.object({
    url: z.url(),
    parts: z.array(z.object({ name: z.string(), found: z.string().nullable(), holds: z.boolean() })),
  }),
  suggestions: z.array(z.object({ name: z.string(), selectors: z.array(z.string()) })),
});

interface StoredCheck {
  readonly at: string;
  readonly check: SiteCheck;
  readonly suggestions: readonly Suggestion[];
}

const reportsIn = (folder: string): string => join(folder, "reports");
const checkFile = (folder: string, site: Site): string => join(reportsIn(folder), `check-${site}.json`);

/** A page that has changed is what a check is for: it goes on to the single parts. */
async function untilReadyOrChanged(drive: Drive): Promise<void> {
  try {
    await untilReady(drive);
  } catch (error) {
    if (!(error instanceof FailureError) || !["page_changed", "page_blocked"].includes(error.failure.code)) throw error;
    drive.log("the page does not show a usable composer");
  }
}

/** Tries every selector on the live page: nothing is typed, pressed or sent. */
export async function checkSite(deps: BrowserDeps, site: Site, hooks: BrowserHooks): Promise<SiteCheck> {
  const data = loadSite(site, deps);
  const { tab } = await leaseTab(deps, `check-${site}`, hooks.signal, hooks.log);
  const drive: Drive = { tab, site: data, signal: hooks.signal, log: hooks.log, mode: deps.mode };
  try {
    await openPage(drive, data.url);
    await untilReadyOrChanged(drive);
    const { url, model } = await snapshotPage(drive);
    const probes = await tab.page("probe", data.marks);
    const parts = probes.map((probe) => {
      const must = needed.has(probe.name as keyof Marks);
      return { ...probe, needed: must, holds: !must || probe.visible };
    });
    const { version, date, override } = data;
    const check = { site, version, date, override, url, model, parts, ok: parts.every(({ holds }) => holds) };
    const stored: StoredCheck = {
      at: new Date().toISOString(),
      check,
      suggestions: await tab.page("suggest", data.marks),
    };
    privateFolder(reportsIn(deps.folder));
    writeFileSync(checkFile(deps.folder, site), `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
    const html = maskText(deps.redact(await tab.page("snapshot")));
    writeFileSync(checkFile(deps.folder, site).replace(/json$/, "html"), html, { mode: 0o600 });
    return check;
  } finally {
    await tab.close();
  }
}

/** Null also where a file is there that no check of ours wrote. */
function readCheck(folder: string, site: Site): z.infer<typeof storedCheck> | null {
  try {
    return storedCheck.safeParse(JSON.parse(readFileSync(checkFile(folder, site), "utf8"))).data ?? null;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "") || error instanceof SyntaxError) return null;
    throw error;
  }
}

function newestCheck(folder: string): Site {
  const checked = sites
    .filter((site) => readdirSync(reportsIn(folder), { encoding: "utf8" }).includes(`check-${site}.json`))
    .sort((left, right) => statSync(checkFile(folder, right)).mtimeMs - statSync(checkFile(folder, left)).mtimeMs);
  return checked[0] ?? noCheck("chatgpt");
}

const noCheck = (site: string): never =>
  fail("not_found", "There is no check of a site to make a data file of.", {
    remedy: `Check the live page first: oracle browser check ${site}`,
  });

/** The parts that the check did not find, with guesses in front of the old selectors. */
export function draftData(deps: SiteFiles, named: string | null): SiteDataDraft {
  const known = sites.find((site) => site === named);
  if (named !== null && known === undefined)
    return fail("invalid_input", `"${named}" is not a site.`, {
      remedy: `Name one of: ${sites.join(", ")}, e.g. oracle browser report chatgpt --as-data`,
    });
  privateFolder(reportsIn(deps.folder));
  const site = known ?? newestCheck(deps.folder);
  const { at, check, suggestions } = readCheck(deps.folder, site) ?? noCheck(site);
  const data = loadSite(site, deps);
  const absent = check.parts.filter(({ holds, found }) => !holds || found === null).map(({ name }) => name);
  const guessed = suggestions.filter(({ name }) => absent.includes(name));
  const marks = Object.fromEntries(
    guessed.map(({ name, selectors }) => [name, [...selectors, ...(data.marks[name as keyof Marks] ?? [])]]),
  );
  const path = join(reportsIn(deps.folder), `${site}.json`);
  const draft = {
    site,
    version: data.version + 1,
    date: at.slice(0, 10),
    sources: { M: `your own check of ${new URL(check.url).host}, ${at.slice(0, 10)}` },
    evidence: Object.fromEntries(guessed.map(({ name }) => [name, "M"])),
    marks,
  };
  writeFileSync(path, `${JSON.stringify(draft, null, 2)}\n`, { mode: 0o600 });
  const missing = check.parts.filter(({ name, holds }) => !holds && !(name in marks)).map(({ name }) => name);
  return { site, data: path, checkedAt: at, changed: Object.keys(marks), missing };
}
