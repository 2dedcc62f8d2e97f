import { describe, expect, it } from "vitest";
import { limitLines, quotaEnd } from "./quota.ts";

const now = Date.parse("2026-11-19T10:00:00Z");
const minutes = (count: number): number => now + count * 60_000;

describe("[B-39] the end of a limit", () => {
  it.each([
    ['{"error":{"type":"usage_limit_reached","resets_at":1795086000,"resets_in_seconds":13872}}', 1_795_086_000_000],
    ['{"error":{"type":"usage_limit_reached","resets_in_seconds":120}}', minutes(2)],
    ['{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1795086000}}', 1_795_086_000_000],
    ['"status": "RESOURCE_EXHAUSTED", "retryDelay": "90s"', minutes(1.5)],
    ['429 {"retry_after_ms": 1500}', now + 1_500],
    ['RESOURCE_EXHAUSTED "quotaResetDelay":"1h2m3.5s"', minutes(62) + 3_500],
    ['quota "quotaResetTimeStamp": "2026-11-19T12:00:00Z"', minutes(120)],
    ['rate limit; "retry_at":"2026-11-19T12:00:00Z"', minutes(120)],
  ])("is read from a JSON field: %s", (text, end) => {
    expect(quotaEnd(text, now)).toBe(end);
  });

  it.each([
    ["Claude AI usage limit reached|1795086000", 1_795_086_000_000],
    ["You've hit your usage limit. Upgrade to Pro or try again in 2 days 17 hours 14 minutes.", minutes(3_914)],
    ["You have exhausted your capacity on this model. Your quota will reset after 12h34m16s.", minutes(754) + 16_000],
    ["Rate limit reached. Please try again in 1.5s.", now + 1_500],
    ["You've hit your limit · resets 1:30pm (Asia/Dhaka)", Date.parse("2026-11-20T07:30:00Z")],
    ["You've hit your session limit · resets 8pm (Asia/Dhaka)", Date.parse("2026-11-19T14:00:00Z")],
    ["You're out of extra usage · resets 5pm (America/Los_Angeles)", Date.parse("2026-11-20T01:00:00Z")],
    ["weekly limit reached, resets Nov 21, 3pm (UTC)", Date.parse("2026-11-21T15:00:00Z")],
    ["You've hit your usage limit, or try again at Nov 20th, 2026 3:05 PM UTC", Date.parse("2026-11-20T15:05:00Z")],
    ["limit until 2026-11-19 15:00 UTC", Date.parse("2026-11-19T15:00:00Z")],
    ["limit until 15:00 UTC", Date.parse("2026-11-19T15:00:00Z")],
    ["limit until 2026-11-19T15:00:00.250+02:00", Date.parse("2026-11-19T13:00:00Z")],
    ["limit until 15:00 UTC+2", Date.parse("2026-11-19T13:00:00Z")],
    ["limit until 15:00 GMT-07:00", Date.parse("2026-11-19T22:00:00Z")],
    ["usage limit reached, resets 3pm PST", Date.parse("2026-11-19T23:00:00Z")],
    ["usage limit reached, resets at 9:30 AM (PT)", Date.parse("2026-11-19T17:30:00Z")],
    ["usage limit reached, resets Jan 2, 3pm (UTC)", Date.parse("2027-01-02T15:00:00Z")],
    ["usage limit reached, resets Nov 18, 3pm (UTC)", Date.parse("2026-11-18T15:00:00Z")],
    ["limit until 09:59 UTC", now - 60_000],
  ])("is read from a sentence: %s", (text, end) => {
    expect(quotaEnd(text, now)).toBe(end);
  });

  it.each([
    // Berlin leaves summer time in the night to 2026-10-25, New York in the night to 2026-11-01; both begin it in March.
    ["2026-10-24T16:00:00+02:00", "limit, resets 3pm (Europe/Berlin)", "2026-10-25T15:00:00+01:00"],
    ["2026-03-28T16:00:00+01:00", "limit, resets 3pm (Europe/Berlin)", "2026-03-29T15:00:00+02:00"],
    ["2026-10-31T16:00:00-04:00", "limit, resets at 15:00 ET", "2026-11-01T15:00:00-05:00"],
    ["2026-12-31T23:30:00Z", "limit until 00:15 UTC", "2027-01-01T00:15:00Z"],
  ])("is by the clocks of its zone, also where they are changed before it: at %s, %s", (at, text, end) => {
    expect(quotaEnd(text, Date.parse(at))).toBe(Date.parse(end));
  });

  it("without a zone is meant by the clocks of this machine", () => {
    expect(quotaEnd("Limit reached, try again at 3:00 PM or later", now)).toBe(quotaEnd("limit until 15:00", now));
    const end = quotaEnd("Usage limit until 15:00", now) ?? 0;
    expect([new Date(end).getHours(), new Date(end).getMinutes()]).toEqual([15, 0]);
    expect(end).toBeGreaterThan(now - 120_000);
  });

  it.each([
    "You exceeded your current quota, please check your plan and billing details.",
    "connection reset by peer after 5s",
    "The meeting is until 15:00.",
    "You've hit your limit · resets 3",
    "You've hit your limit · resets 25:00",
    "You've hit your limit · resets 3pm (Nowhere/Atlantis)",
    "You've hit your limit · resets 3pm XYZ",
    "You've hit your limit · resets 3pm IST",
    "context limit of 200000 tokens",
  ])("is unknown where nothing names it: %s", (text) => {
    expect(quotaEnd(text, now)).toBeUndefined();
  });

  it("in an event stream is that of a limit which was reached", () => {
    const allowed = '{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","resetsAt":1795086000}}';
    expect(limitLines(`${allowed}\n{"type":"text","text":"\\"status\\":\\"rejected\\""}`)).toBe("");
    expect(limitLines(`${allowed}\n${allowed.replace("allowed", "rejected")}`)).toContain("rejected");
  });
});
