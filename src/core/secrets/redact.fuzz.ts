// The properties of redaction on 200,000 generated texts; redact.test.ts has a short run of them.
import * as fc from "fast-check";
import { describe, it } from "vitest";
import { hostileText } from "../../../tests/support/secrets/pieces.ts";
import { holdsLaws } from "../../../tests/support/secrets/laws.ts";

describe("redaction of generated texts", () => {
  it("[T-24] is idempotent, keeps what is not a secret, and does not depend on where a stream is cut", () => {
    fc.assert(fc.property(hostileText, fc.array(fc.nat(2000), { maxLength: 6 }), holdsLaws), {
      numRuns: 200_000,
    });
  });
});
