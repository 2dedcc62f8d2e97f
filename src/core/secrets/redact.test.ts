// Redaction whole and as a stream, the users' own rules and their allowed findings.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsLaws } from "../../../tests/support/secrets/laws.ts";
import { hostileText } from "../../../tests/support/secrets/pieces.ts";
import { compileUserRules, createRedactor, findSecrets, marker, redact } from "./index.ts";

const rows = readFileSync(join(import.meta.dirname, "../../../tests/corpus/secrets.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { id: string; file: string; text_parts: string[]; spans: [number, number][] })
  .map((row) => ({ ...row, text: row.text_parts.join("") }));
const token = `gh${"p_"}A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8`;
const keyOf = (lines: number) =>
  ["BEGIN", "END"]
    .map((edge) => `-----${edge} PRIVATE ${"KEY"}-----`)
    .join(`\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n".repeat(lines)}`);

describe("redaction of a stream", () => {
  it("[T-24] gives the same for every split point of every row of the corpus", () => {
    for (const { text, file } of rows) {
      const whole = redact(text, { file }).text;
      const step = text.length > 1000 ? 37 : 1;
      for (let cut = 0; cut <= text.length; cut += step) {
        const redactor = createRedactor({ file });
        expect(redactor.push(text.slice(0, cut)) + redactor.push(text.slice(cut)) + redactor.end()).toBe(whole);
      }
    }
  });

  it("finds a secret that crosses the border of two blocks, wherever the border falls", () => {
    const text = rows.map((row) => row.text).join("\n\n");
    const whole = redact(text).text;
    for (const size of [1, 64, 257, 1000, 4096]) {
      const redactor = createRedactor({}, size);
      expect(redactor.push(text) + redactor.end()).toBe(whole);
    }
  });

  it("holds its laws for generated texts", () => {
    fc.assert(fc.property(hostileText, fc.array(fc.nat(2000), { maxLength: 6 }), holdsLaws), {
      numRuns: 1500,
    });
  });

  it("finds a secret at each place around the border of blocks of the usual size", () => {
    for (const offset of [-40, -39, -20, -1, 0, 1, 15_000, 16_384, 20_000]) {
      const text = `${"x ".repeat(131_072 + offset / 2)}${token} tail`;
      expect(redact(text).text.endsWith(`${marker} tail`)).toBe(true);
    }
  });

  it("takes a private key out whole that is longer than anything it holds", () => {
    const text = `before\n${keyOf(12_000)}\nafter`;
    const redactor = createRedactor();
    let streamed = "";
    for (let at = 0; at < text.length; at += 10_007) streamed += redactor.push(text.slice(at, at + 10_007));
    expect(streamed + redactor.end()).toBe(`before\n${marker}\nafter`);
    expect(redact(text).text).toBe(`before\n${marker}\nafter`);
  });

  it("holds no more than a block and its margins", () => {
    const redactor = createRedactor();
    let given = 0;
    let taken = 0;
    let most = 0;
    for (let index = 0; index < 400; index += 1) {
      const chunk = "const value = compute(input); // nothing to hide here\n".repeat(100);
      given += chunk.length;
      taken += redactor.push(chunk).length;
      most = Math.max(most, given - taken);
    }
    expect(given).toBeGreaterThan(2_000_000);
    expect(most).toBeLessThan(320_000);
    expect(taken + redactor.end().length).toBe(given);
  });

  it("gives complete lines to a person who is watching, but never part of an open key", () => {
    const redactor = createRedactor();
    expect(redactor.push(`token ${token}\nnext`)).toBe("");
    expect(redactor.flush()).toBe(`token ${marker}\n`);
    expect(redactor.push(` line\n${keyOf(3).slice(0, 120)}`) + redactor.flush()).toBe("next line\n");
    expect(redactor.push(`${keyOf(3).slice(120)}\ndone\n`) + redactor.end()).toBe(`${marker}\ndone\n`);
    expect(redactor.labels()).toEqual(["github_pat", "private_key"]);
  });

  it("does not tear a pair of surrogates apart", () => {
    const text = "😀".repeat(300_000);
    const redactor = createRedactor();
    const pieces = [redactor.push(text), redactor.end()];
    expect(pieces.join("")).toBe(text);
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
  });
});

describe("what users add", () => {
  const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest("hex");

  it("runs their rules and takes the first group where there is one", async () => {
    const rules = await compileUserRules([{ label: "internal_ticket", pattern: String.raw`ticket=(\w{4}-\d{4})` }]);
    expect(findSecrets("ticket=ABCD-1234;", { rules })).toEqual([{ label: "internal_ticket", start: 7, end: 16 }]);
    expect(redact("ticket=ABCD-1234;", { rules }).text).toBe(`ticket=${marker};`);
  });

  it("runs a pattern that would hold a backtracking engine for hours", async () => {
    const rules = await compileUserRules([{ label: "evil", pattern: "(a+)+$" }]);
    expect(findSecrets(`${"a".repeat(5000)}!`, { rules })).toEqual([]);
  });

  it("refuses a pattern or a label that is not valid, and says why", async () => {
    await expect(compileUserRules([{ label: "bad", pattern: "(" }])).rejects.toThrow(/pattern of secret rule "bad"/);
    await expect(compileUserRules([{ label: "Bad Label", pattern: "x" }])).rejects.toThrow(/lower_snake/);
  });

  it("leaves a finding alone whose hash is allowed, and only that one", () => {
    const other = token.replaceAll("A1b2", "Z9y8");
    const allow = { sha256, hashes: new Set([sha256(token)]) };
    expect(redact(`${token} ${other}`, { allow }).text).toBe(`${token} ${marker}`);
  });
});
