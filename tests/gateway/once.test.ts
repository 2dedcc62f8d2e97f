// Exactly once in the small; the long form is in once.crash.ts.
import { describe, it } from "vitest";
import { duplicatesAtTwo, frozenOwner, killedAt, killedBeforeTheAnswer } from "./once-suite.ts";

describe("exactly once", () => {
  it("[A-17][A-40][A-43] duplicates at two gateways on one database have one effect and one answer", () =>
    duplicatesAtTwo(12, 20));
  it("[A-40] H039: killed after the intent, the call is run by the next gateway", () => killedAt("intent", 1));
  it("[A-40] killed after the effect, the effect is found and not repeated", () => killedAt("effect", 1));
  it("[A-40] H041: killed after the result, the result is replayed", () => killedAt("result", 1));
  it("[A-9][A-40] killed before the answer, the run is completed once", () => killedBeforeTheAnswer(1));
  it("[A-40] a frozen gateway and another one give the same answers", () => frozenOwner());
});
