// A failed step as a bug report and a test page: the facts that a maintainer needs, without text of the conversation.
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import { sites, type BrowserReport } from "../../core/contract/transport/index.ts";
import { systemCode } from "../../platform/system/index.ts";
import { loadSite, type SiteFiles } from "./sites/load.ts";

/** Letters and digits between tags become x; tags and the attributes that selectors use stay. E-mail addresses are replaced. */
export const maskText = (html: string): string =>
  html
    .replaceAll(/>([^<]*)</g, (_, text: string) => `>${text.replaceAll(/[\p{L}\p{N}]/gu, "x")}<`)
    .replaceAll(/[\w.+-]+@[\w.-]+\.\w+/g, "name@example.invalid");

function newestFailure(sessions: string, named: string | null): { session: string; html: string } {
  const names = named === null ? folders(sessions) : [basename(named)].filter((name) => name === named);
  const found = names.flatMap((session) =>
    folders(join(sessions, session))
      .filter((name) => /^failure-.*\.html$/.test(name))
      .map((name) => ({ session, html: join(sessions, session, name) })),
  );
  const [first] = found.sort((left, right) => statSync(right.html).mtimeMs - statSync(left.html).mtimeMs);
  return (
    first ??
    fail(
      "not_found",
      named === null ? "No session has a failed step in a page." : `Session "${named}" has no failed step in a page.`,
      {
        remedy: "Steps that fail leave a snapshot; see: oracle status",
      },
    )
  );
}

function folders(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return [];
    throw error;
  }
}

interface ReportFolders extends SiteFiles {
  /** The folder of the sessions. */
  readonly sessions: string;
}

const recordSchema = z.object({
  options: z.object({ browser: z.object({ site: z.enum(sites) }).nullish() }).nullish(),
  error: z.object({ code: z.string(), message: z.string() }).nullish(),
});

/** Null where a crash or somebody else left something that cannot be read. */
function recordOf(folder: string): z.infer<typeof recordSchema> | null {
  try {
    return recordSchema.safeParse(JSON.parse(readFileSync(join(folder, "session.json"), "utf8"))).data ?? null;
  } catch (error) {
    if (["ENOENT", "EISDIR"].includes(systemCode(error) ?? "") || error instanceof SyntaxError) return null;
    throw error;
  }
}

export function makeReport(folders: ReportFolders, named: string | null): BrowserReport {
  const { sessions, folder: home } = folders;
  const { session, html } = newestFailure(sessions, named);
  const record = recordOf(join(sessions, session));
  const site = record?.options?.browser?.site ?? "chatgpt";
  const { version, date, override } = loadSite(site, folders);
  const out = join(home, "reports", session);
  mkdirSync(out, { recursive: true, mode: 0o700 });
  const page = join(out, basename(html).replace("failure-", `${site}-`));
  writeFileSync(page, maskText(readFileSync(html, "utf8")), { mode: 0o600 });
  const report = join(out, "report.md");
  const lines = [
    `# ${site}: ${record?.error?.code ?? "a step failed"}`,
    "",
    `- step: ${basename(html, ".html").replace("failure-", "")}`,
    `- message: ${record === null ? "the record of the session cannot be read" : (record.error?.message ?? "").replace(/ Saved: .*$/s, "")}`,
    `- data of the site: version ${version} of ${date}${override === null ? "" : ", with own changes"}`,
    `- page: ${basename(page)} (every word of it is made unreadable)`,
    "",
    "The page can stand in `tests/sites/` as a test of the next version of the data.",
    "",
  ];
  writeFileSync(report, lines.join("\n"), { mode: 0o600 });
  return { session, report, page };
}
