// Many values of every kind: found whole, and taken out without a trace.
import { describe, expect, it } from "vitest";
import { cleanLines } from "../../../tests/support/secrets/clean.ts";
import {
  drawFor,
  encryptedKinds,
  hiddenKinds,
  type Kind,
  namedKinds,
  shapedKinds,
  uuid,
} from "../../../tests/support/secrets/kinds.ts";
import type { SecretUse } from "../contract/index.ts";
import { findSecrets, redact } from "./index.ts";
import { serviceNames } from "./rules/service-names.ts";

const draws = 100;

/** How many of the drawn values were not covered from their first character to their last. */
function missed([name, before, value, after, file]: Kind, use: SecretUse = "transfer"): string[] {
  drawFor(name);
  return Array.from({ length: draws }, value).filter((drawn) => {
    let reached = before.length;
    for (const { start, end } of findSecrets(before + drawn + after, { file, use })) {
      if (start <= reached) reached = Math.max(reached, end);
    }
    return reached < before.length + drawn.length;
  });
}

describe("the kinds of secrets", () => {
  it.each(shapedKinds)("[T-23] %s: every value is found", (...kind) => {
    expect(missed(kind)).toEqual([]);
  });

  it.each(encryptedKinds)("[S-2] %s: it is not printed, and may leave the machine", (...kind) => {
    expect(missed(kind, "print")).toEqual([]);
    expect(missed(kind)).toHaveLength(draws);
  });

  it.each(hiddenKinds)("[T-23] %s: every hidden value is found", (...kind) => {
    expect(missed(kind)).toEqual([]);
  });

  it.each(namedKinds)("[T-23] %s: at most one value in twenty looks too much like words", (...kind) => {
    expect(missed(kind).length).toBeLessThanOrEqual(draws / 20);
  });

  it("finds 99 of 100 values that only their name gives away", () => {
    const misses = namedKinds.flatMap((kind) => missed(kind));
    expect(misses.length / (namedKinds.length * draws)).toBeLessThan(0.01);
  });

  it("[T-23] finds a key beside the name of every service", () => {
    const names = serviceNames.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    drawFor("services");
    const missedNames = names.filter((name) => findSecrets(`${name}_api_key: ${uuid()}`).length === 0);
    expect(missedNames).toEqual([]);
  });

  it("labels each of the kinds the contract names", () => {
    const labels = new Set(
      [...shapedKinds, ...namedKinds].flatMap(([, before, value, after, file]) =>
        findSecrets(before + value() + after, { file }).map(({ label }) => label),
      ),
    );
    for (const label of [
      "openai_api_key",
      "aws_access_key_id",
      "bearer_token",
      "jwt",
      "private_key",
      "stripe_secret",
    ]) {
      expect(labels).toContain(label);
    }
    for (const label of labels) expect(label).toMatch(/^[a-z][a-z0-9_]*$/);
  });
});

describe("lines that only look like secrets", () => {
  it.each(cleanLines)("leaves %s alone", (line) => {
    expect(redact(line, { file: "a.ts" })).toEqual({ text: line, matches: [] });
  });
});
