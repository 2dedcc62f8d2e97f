// An endpoint reads within its allowance of questions and bytes, whatever it asks for.
import { describe, expect, it } from "vitest";
import type { ReadTools } from "../../../core/contract/index.ts";
import { startReading } from "./reading.ts";

const signal = new AbortController().signal;
const shown = (text: string): ReadTools =>
  ({ tools: [], use: () => Promise.resolve({ ok: true, text, redactions: 0 }) }) as unknown as ReadTools;
const ask = { id: "1", name: "read_file", input: "{}" };
/** The text of the repository in an answer, without our own words about the cut. */
const taken = (text: string) => text.replace(/\n\[cut: .*\]$/s, "");

describe("[R-65] the reads of an endpoint", () => {
  it("show at most the bytes that the manifest said, and say that they were cut", async () => {
    const reading = startReading(shown("é".repeat(100)), { calls: 9, bytes: 51 }, signal);
    const { text } = await reading.use(ask);
    expect(Buffer.byteLength(taken(text))).toBeLessThanOrEqual(51);
    expect(taken(text)).toBe("é".repeat(25));
    expect(text).toContain("nothing more can be read");
  });

  it("count together: what earlier ones showed is taken from later ones, and nothing is shown when it is used up", async () => {
    const reading = startReading(shown("x".repeat(40)), { calls: 9, bytes: 100 }, signal);
    const answers = [await reading.use(ask), await reading.use(ask), await reading.use(ask), await reading.use(ask)];
    const sum = answers.slice(0, 3).reduce((bytes, { text }) => bytes + taken(text).length, 0);
    expect(sum).toBeLessThanOrEqual(100);
    expect(reading.spent()).toBe(true);
    expect(answers[3]).toMatchObject({ ok: false });
    expect(answers[3]?.text).not.toContain("x".repeat(10));
  });

  it("are at most as many as allowed, refused and broken ones included", async () => {
    const reading = startReading(shown("a"), { calls: 2, bytes: 1_000 }, signal);
    expect((await reading.use({ ...ask, input: "no json" })).ok).toBe(false);
    expect((await reading.use(ask)).ok).toBe(true);
    expect(reading.spent()).toBe(true);
    expect((await reading.use(ask)).text).toContain("Nothing more");
    expect(reading.records).toHaveLength(2);
  });
});
