// Exactly once on the shared database, in the small; `once-shared.crash.ts` does it in the large.
import "./replica-database.ts";
import { describe, it } from "vitest";
import { duplicatesAtTwo, killedAt } from "./once-suite.ts";

describe("[B-22] exactly once at gateways that share a database", () => {
  it("[A-40] 50 duplicates of each of 4 keys at two processes", () => duplicatesAtTwo(4, 50));
  it("[A-40] killed after the effect", () => killedAt("effect", 1));
});
