// What the checks and agents of a run do at present, for people and programs that look on from another process: in a small
// file while the run moves, without secrets, and gone with the process. The record holds what counts.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Activity,
  type ActivityLine,
  type ActivityNews,
  parseJson,
  plainLine,
  plainText,
} from "../../core/contract/index.ts";
import { systemCode } from "../../platform/system/index.ts";

const mostLines = 40;
/** So often the file is written, at most. */
const everyMs = 250;

/** The last lines that were written, and who does what. */
export interface LiveLook {
  readonly lines: readonly string[];
  readonly activities: readonly Activity[];
}

const fileOf = (stateDir: string, runId: string): string => join(stateDir, "live", `${runId}.json`);

export interface Live extends Disposable {
  add(line: string): void;
  report(news: ActivityNews): void;
}

interface LiveOptions {
  readonly stateDir: string;
  readonly runId: string;
  readonly redact: Redact;
  readonly now: () => number;
  /** Called with each snapshot that is written. */
  readonly seen?: (activities: readonly Activity[]) => void;
}

export function writeLive({ stateDir, runId, redact, now, seen }: LiveOptions): Live {
  const file = fileOf(stateDir, runId);
  const lines: string[] = [];
  let activities: readonly Activity[] = [];
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  // A process that was killed left its last look behind.
  rmSync(file, { force: true });
  const write = async () => {
    timer = undefined;
    const look: LiveLook = {
      lines: (await redact(lines.join("\n"))).split("\n").filter(Boolean),
      activities: await Promise.all(activities.map((one) => shown(one, redact))),
    };
    if (over) return;
    mkdirSync(join(stateDir, "live"), { recursive: true, mode: 0o700 });
    rmSync(`${file}.new`, { force: true });
    writeFileSync(`${file}.new`, JSON.stringify(look), { mode: 0o600, flag: "wx" });
    renameSync(`${file}.new`, file);
    seen?.(look.activities);
  };
  const soon = () => {
    // A full disk must not stop a run for a line of progress.
    timer ??= setTimeout(() => void write().catch(() => undefined), everyMs);
    timer.unref();
  };
  return {
    add(line) {
      lines.push(plainLine(line, 400));
      if (lines.length > mostLines) lines.shift();
      soon();
    },
    report(news) {
      activities = withNews(activities, news, now());
      soon();
    },
    [Symbol.dispose]() {
      over = true;
      clearTimeout(timer);
      rmSync(file, { force: true });
      rmSync(`${file}.new`, { force: true });
    },
  };
}

const nothing: LiveLook = { lines: [], activities: [] };

const isTextOrAbsent = (value: unknown): boolean =>
  value === null ||
  (typeof value === "object" &&
    typeof (value as Partial<ActivityLine>).text === "string" &&
    typeof (value as Partial<ActivityLine>).at === "number");

const isActivity = (value: unknown): value is Activity => {
  if (typeof value !== "object" || value === null) return false;
  const { who, since, does, says } = value as Partial<Activity>;
  return typeof who === "string" && typeof since === "number" && isTextOrAbsent(does) && isTextOrAbsent(says);
};

/** Empty when nothing is under way. An unsandboxed program could have written the file, so its shape is checked. */
export function readLive(stateDir: string, runId: string): LiveLook {
  let text: string;
  try {
    text = readFileSync(fileOf(stateDir, runId), "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return nothing;
    throw error;
  }
  const { lines, activities } = (parseJson(text) ?? nothing) as Partial<LiveLook>;
  return {
    lines: Array.isArray(lines) ? lines.filter((line) => typeof line === "string") : [],
    activities: Array.isArray(activities) ? activities.filter(isActivity) : [],
  };
}

/** More at once than a fan-out can have. */
const most = 16;
/** Far more than is shown, so that a secret in the shown part is whole. */
const held = 8_192;

export function withNews(now: readonly Activity[], news: ActivityNews, at: number): readonly Activity[] {
  const others = now.filter(({ id }) => id !== news.id);
  if (news.over) return others;
  const { id, who, does, says, growing = false, usage } = news;
  const before = now.find((one) => one.id === id);
  return [
    ...others,
    {
      id,
      who,
      since: before?.since ?? at,
      does: does === undefined ? (before?.does ?? null) : { text: does.slice(0, held), at },
      says: says === undefined ? (before?.says ?? null) : { text: says.slice(-held), at, growing },
      usage: usage ?? before?.usage ?? null,
    },
  ].slice(-most);
}

export type Redact = (text: string) => Promise<string>;

const mostShown = 240;

/** Text that still grows ends within a word, which may be the start of a secret. */
const wholeWords = (text: string): string => text.replace(/\S{1,400}$/, "");

/** The end of the text. An answer as JSON is not shown. */
function endOf(redacted: string): string {
  const text = plainText(redacted).trim();
  if (/^(?:```(?:json)?\s*)?[{[]\s*"/.test(text)) return `writes its answer (${text.length} characters)`;
  const last = text.slice(text.lastIndexOf("\n") + 1).trim();
  return last.length <= mostShown ? last : `…${last.slice(1 - mostShown).toWellFormed()}`;
}

export async function shown(activity: Activity, redact: Redact): Promise<Activity> {
  const { does, says } = activity;
  const text = says && endOf(await redact(says.growing ? wholeWords(says.text) : says.text));
  return {
    ...activity,
    who: plainLine(activity.who, 120),
    does: does && { ...does, text: plainLine(await redact(does.text), mostShown) },
    says: says && text !== null && text !== "" ? { ...says, text } : null,
  };
}
