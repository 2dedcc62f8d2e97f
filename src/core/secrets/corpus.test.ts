// Every row of the corpus: found whole, redacted without a trace, the same twice; clean rows untouched.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findSecrets, marker, redact } from "./index.ts";

interface Row {
  id: string;
  label: "secret" | "clean";
  type: string;
  tier: "core" | "extended" | "evasion" | "negative";
  file: string;
  text_parts: string[];
  spans: [number, number][];
}

const rows = readFileSync(join(import.meta.dirname, "../../../tests/corpus/secrets.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row)
  .map((row) => ({ ...row, text: row.text_parts.join("") }));
const secrets = rows.filter(({ label }) => label === "secret");

describe("the corpus of secrets", () => {
  it.each(secrets)("[T-23] $id: $type is found with its whole value", ({ text, file, spans }) => {
    const found = findSecrets(text, { file });
    const covered = spans.every(([start, end]) => found.some((one) => one.start <= start && one.end >= end));
    expect(covered).toBe(true);
  });

  it.each(secrets)(
    "[T-24] $id: redacting $type leaves no piece of the value and is idempotent",
    ({ text, file, spans }) => {
      const once = redact(text, { file }).text;
      expect(once).toContain(marker);
      for (const [start, end] of spans) {
        for (let at = start; at + 8 <= end; at += 1) expect(once).not.toContain(text.slice(at, at + 8));
      }
      expect(redact(once, { file }).text).toBe(once);
    },
  );

  it.each(rows.filter(({ label }) => label === "clean"))(
    "$id: $type is clean and comes out unchanged",
    ({ text, file }) => {
      expect(redact(text, { file })).toEqual({ text, matches: [] });
    },
  );

  it("finds every row without knowing the file's name too", () => {
    const missed = secrets.filter(({ text, spans }) => {
      const found = findSecrets(text);
      return !spans.every(([start, end]) => found.some((one) => one.start <= start && one.end >= end));
    });
    expect(missed.map(({ id }) => id)).toEqual([]);
  });

  it("finds them all when they stand in one long file", () => {
    const parts: { start: number; end: number }[] = [];
    let text = "";
    for (const row of secrets) {
      for (const [start, end] of row.spans) parts.push({ start: text.length + start, end: text.length + end });
      text += `${row.text}\n\n`;
    }
    const found = findSecrets(text);
    expect(parts.filter((part) => !found.some((one) => one.start <= part.start && one.end >= part.end))).toEqual([]);
  });
});
