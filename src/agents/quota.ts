// When a limit of a provider is over, as the provider itself says it: in a JSON field, as a span, or as a time of day. Only words
// of a refusal are read here, never an answer, and all that follows from them is a wait.

const aboutLimit =
  /\blimits?\b|quota|capacity|too many requests|\b429\b|resource.?exhausted|overloaded|out of (?:extra )?usage|rate_limit|usage_limit/i;

const seconds = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;
const span = String.raw`(?:\d+(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)[\s,]*(?:and\s+)?)+`;
const inSpan = new RegExp(
  String.raw`(?:try again|retry|resets?|again|wait)\b[^.\n]{0,30}?\b(?:in|after|for)\s+(${span})`,
  "i",
);
const spanPart = /(\d+(?:\.\d+)?)\s*([dhms])[a-z]*/gi;

const jsonAt =
  /"?(?:resets?_?(?:at|time)|retry_?at|quotaResetTimeStamp)"?\s*[:=]\s*"?(\d{10,13}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d))/i;
const jsonIn = /"?(?:resets?_in_seconds|retry_?after(?:_?seconds)?)"?\s*[:=]\s*"?(\d+(?:\.\d+)?)/i;
const jsonMs = /"?retry_?after_?(?:ms|millis(?:econds)?)"?\s*[:=]\s*"?(\d+(?:\.\d+)?)/i;
const jsonDelay = /"(?:retryDelay|quotaResetDelay)"\s*:\s*"((?:\d+(?:\.\d+)?[dhms])+)"/i;
const barred = /limit reached\|(\d{10})\b/i;

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const clock = new RegExp(
  String.raw`(?:until|again (?:at|on|after)|resets?(?: at| on)?|available (?:at|after))\s+` +
    String.raw`(?:(\d{4})-(\d\d)-(\d\d)[ T,]+|(${months.join("|")})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?(?:\s+(\d{4}))?,?\s+(?:at\s+)?)?` +
    String.raw`(\d{1,2})(?::(\d\d))?(?::\d\d(?:\.\d+)?)?\s*([ap])?\.?(?:m\b)?\.?\s*` +
    String.raw`(?:\(?((?:UTC|GMT)?\s?[+-]\d{1,2}(?::?\d\d)?\b|[A-Z][A-Za-z]+\/[A-Za-z_/+-]+|Z\b|[A-Z]{2,5}\b)\)?)?`,
  "i",
);

interface Stamp {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** The parts of a moment on the clocks of a zone; of this machine without one. */
function partsIn(at: number, zone: string | undefined): Stamp {
  if (zone === undefined) {
    const here = new Date(at);
    return {
      year: here.getFullYear(),
      month: here.getMonth() + 1,
      day: here.getDate(),
      hour: here.getHours(),
      minute: here.getMinutes(),
    };
  }
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const found = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (name: string) => found.get(name as Intl.DateTimeFormatPartTypes) ?? 0;
  return { year: part("year"), month: part("month"), day: part("day"), hour: part("hour"), minute: part("minute") };
}

const asUtc = ({ year, month, day, hour, minute }: Stamp): number => Date.UTC(year, month - 1, day, hour, minute);

/** The moment at which the clocks of the zone show this. */
function momentOf(stamp: Stamp, zone: string | undefined): number {
  const wanted = asUtc(stamp);
  const first = wanted - (asUtc(partsIn(wanted, zone)) - wanted);
  return first - (asUtc(partsIn(first, zone)) - wanted);
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Short names of zones that providers write. CST and IST mean several zones, so that they name none. */
const shortZones: Readonly<Record<string, string>> = {
  UTC: "UTC",
  GMT: "UTC",
  Z: "UTC",
  PT: "America/Los_Angeles",
  PST: "-08:00",
  PDT: "-07:00",
  MST: "-07:00",
  MDT: "-06:00",
  CDT: "-05:00",
  ET: "America/New_York",
  EST: "-05:00",
  EDT: "-04:00",
  BST: "+01:00",
  CET: "+01:00",
  CEST: "+02:00",
  JST: "+09:00",
};

/** The zone as the runtime knows it; undefined for this machine's own, null for one that is not known. */
function zoneOf(place: string | undefined): string | undefined | null {
  // A small word after the time ("at 3:05 PM or later") is none.
  if (place === undefined || /^[a-z]{2,5}$/.test(place)) return undefined;
  const [, sign, hours = "", minutes = "00"] = /^(?:UTC|GMT)?\s?([+-])(\d{1,2}):?(\d\d)?$/i.exec(place) ?? [];
  const name =
    sign === undefined ? (shortZones[place.toUpperCase()] ?? place) : `${sign}${hours.padStart(2, "0")}:${minutes}`;
  // A name of letters alone that is not in the table is not trusted to what the runtime makes of it.
  if (/^[A-Z]{2,5}$/i.test(name) && name !== "UTC") return null;
  return isZone(name) ? name : null;
}

const halfYear = 183 * 86_400_000;

function byClock(text: string, now: number): number | undefined {
  const found = clock.exec(text);
  if (!found) return undefined;
  const [, year, month, date, name, named, namedYear, hours = "", minutes, half, place] = found;
  const zone = zoneOf(place);
  if (zone === null) return undefined;
  // "resets 3" alone is no time of day.
  if (minutes === undefined && half === undefined) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  if (hour > 23 || Number(minutes ?? 0) > 59) return undefined;
  const today = partsIn(now, zone);
  const monthAt = name === undefined ? undefined : months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  const stamp = {
    year: Number(year ?? namedYear ?? today.year),
    month: Number(month ?? monthAt ?? today.month),
    day: Number(date ?? named ?? today.day),
    hour,
    minute: Number(minutes ?? 0),
  };
  const at = momentOf(stamp, zone);
  if (date !== undefined) return at;
  // A day without its year is one of the months to come.
  if (named !== undefined)
    return namedYear === undefined && at < now - halfYear ? momentOf({ ...stamp, year: stamp.year + 1 }, zone) : at;
  // A time of day that is just over is meant; one that is long over is tomorrow's, by the clocks of its zone.
  return at > now - 120_000 ? at : momentOf({ ...stamp, day: stamp.day + 1 }, zone);
}

/** The end of `2 days 17 hours`. */
function afterSpan(found: string, now: number): number {
  const parts = [...found.matchAll(spanPart)];
  const sum = parts.reduce(
    (all, [, amount, unit]) => all + Number(amount) * seconds[(unit ?? "s").toLowerCase() as keyof typeof seconds],
    0,
  );
  return now + Math.ceil(sum * 1_000);
}

function bySpan(text: string, now: number): number | undefined {
  const found = inSpan.exec(text)?.[1];
  return found === undefined ? undefined : afterSpan(found, now);
}

function byField(text: string, now: number): number | undefined {
  const at = jsonAt.exec(text)?.[1] ?? barred.exec(text)?.[1];
  if (at !== undefined) {
    if (!/^\d+$/.test(at)) return Date.parse(at);
    return Number(at) * (at.length > 11 ? 1 : 1_000);
  }
  const delay = jsonDelay.exec(text)?.[1];
  if (delay !== undefined) return afterSpan(delay, now);
  const inMs = jsonMs.exec(text)?.[1];
  if (inMs !== undefined) return now + Math.ceil(Number(inMs));
  const inSeconds = jsonIn.exec(text)?.[1];
  return inSeconds === undefined ? undefined : now + Math.ceil(Number(inSeconds) * 1_000);
}

/** In milliseconds since 1970; undefined where the text speaks of no limit or names no end. */
export function quotaEnd(text: string, now: number): number | undefined {
  if (!aboutLimit.test(text)) return undefined;
  const end = byField(text, now) ?? bySpan(text, now) ?? byClock(text, now);
  return end === undefined || !Number.isFinite(end) ? undefined : end;
}

/** Lines of a program's event stream that tell about a limit that was reached; a limit that still holds is none. */
export const limitLines = (stream: string): string =>
  stream
    .split("\n")
    .filter((line) =>
      /"status"\s*:\s*"rejected"|"usage_limit_reached"|"RESOURCE_EXHAUSTED"|"rate_limit_error"/.test(line),
    )
    .slice(-3)
    .join("\n");
