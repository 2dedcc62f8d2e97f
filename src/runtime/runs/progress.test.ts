// The present work of a run as others see it: short, redacted, live, and gone with the process.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Activity } from "../../core/contract/index.ts";
import { redact } from "../../core/secrets/index.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { readLive, shown, withNews, writeLive } from "./progress.ts";

const clean = async (text: string) => redact(text).text;
const key = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
const says = (text: string, growing = false): Activity => ({
  id: "c",
  who: "verifier (x:y)",
  since: 0,
  does: null,
  says: { text, at: 0, growing },
  usage: null,
});
const wordsOf = async (text: string, growing = false) => (await shown(says(text, growing), clean)).says?.text ?? null;

describe("the present work of a run", () => {
  it("news are folded for each call alone, and a call that is over is gone", () => {
    let now = withNews([], { id: "a", who: "qa", does: "$ npm test" }, 1);
    now = withNews(now, { id: "b", who: "critic", says: "Hm" }, 2);
    now = withNews(now, { id: "a", who: "qa", usage: { inputTokens: 7, outputTokens: 1 } }, 3);
    expect(now).toMatchObject([
      { id: "b", does: null, says: { text: "Hm", at: 2 }, since: 2 },
      { id: "a", does: { text: "$ npm test", at: 1 }, usage: { inputTokens: 7 }, since: 1 },
    ]);
    expect(withNews(now, { id: "a", over: true }, 4).map(({ id }) => id)).toEqual(["b"]);
    const [long] = withNews([], { id: "l", who: "x", says: "y".repeat(1e6), does: "z".repeat(1e6) }, 1);
    expect([long?.says?.text.length, long?.does?.text.length]).toEqual([8_192, 8_192]);
    for (let n = 0; n < 100; n += 1) now = withNews(now, { id: `${n}`, who: "x" }, n);
    expect(now).toHaveLength(16);
  });

  it("[S-3] no secret is shown, whole, cut short, or while it is still being written", async () => {
    expect(await wordsOf(`The key is ${key} here`)).not.toContain("ghp_a1");
    expect(await wordsOf(`${"x ".repeat(400)}${key} ${"y ".repeat(100)}`)).not.toMatch(/[A-Za-z0-9]{12}/);
    for (let at = 1; at <= key.length; at += 1)
      expect(await wordsOf(`The key is ${key.slice(0, at)}`, true)).toBe("The key is");
    const pem = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n".repeat(8)}`;
    expect(await wordsOf(pem, true)).not.toContain("MIIE");
    const does = await shown({ ...says(""), does: { text: `$ curl -H 'token: ${key}' x`, at: 0 } }, clean);
    expect(does.does?.text).not.toContain("ghp_a1");
  });

  it("the last line is shown, short, on one line, without what repaints a screen; an answer in JSON is only named", async () => {
    expect(await wordsOf("first\nlast\u001b[2J line\n")).toBe("last line");
    expect((await wordsOf("z".repeat(3) + " abc".repeat(500)))?.length).toBeLessThanOrEqual(240);
    expect(await wordsOf('{"status":"complete","summary":"x')).toMatch(/^writes its answer \(\d+ characters\)$/);
    expect(await wordsOf("   \n ")).toBeNull();
  });

  it("it is in a file of the user's own while the run moves, is never older than the process, and a broken one is nothing", async () => {
    const stateDir = tempFolder("thehood-live-");
    const file = join(stateDir, "live/run_1.json");
    mkdirSync(join(stateDir, "live"));
    writeFileSync(file, JSON.stringify({ lines: ["of a dead process"], activities: [] }));
    const seen: unknown[] = [];
    const options = { stateDir, runId: "run_1", redact: clean, now: () => 5 };
    {
      using live = writeLive({ ...options, seen: (one) => seen.push(one) });
      expect(readLive(stateDir, "run_1").lines).toEqual([]);
      live.add(`line ${key}`);
      live.report({ id: "c", who: "qa", does: "reads a.js" });
      for (const until = Date.now() + 120_000; !existsSync(file) && Date.now() < until;) await sleep(10);
      expect(readLive(stateDir, "run_1").activities).toMatchObject([
        { who: "qa", does: { text: "reads a.js", at: 5 } },
      ]);
      expect(readFileSync(file, "utf8")).not.toContain(key);
      expect(seen).toHaveLength(1);
    }
    expect(existsSync(file)).toBe(false);
    const odd = {
      lines: [1, "a"],
      activities: [null, 7, { who: 1 }, { who: "x", since: 1, does: "no", says: null }],
    };
    for (const text of ['{"lines":[', "null", "[]", '"x"', JSON.stringify(odd)]) {
      writeFileSync(file, text);
      const { lines, activities } = readLive(stateDir, "run_1");
      expect([lines.filter((line) => line !== "a"), activities]).toEqual([[], []]);
    }
  });
});
