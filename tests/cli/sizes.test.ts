// How much text a status and a list of runs are.
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub } from "./program.ts";

describe("the size of an answer", () => {
  it("[R-77] a status is under 4 kB and a list of 20 runs under 8 kB", () => {
    const { thehood } = openTestDesk();
    thehood(["teams", "apply", "stub"]);
    const long = `${"a very long goal that says the same thing again and again ".repeat(20)}`;
    const { runId } = thehood(["run", long, "--approvals", "autopilot", "--json", ...stub(fixing)]).json<{
      runId: string;
    }>();
    expect(Buffer.byteLength(thehood(["status", runId, "--json"]).out)).toBeLessThan(4_096);
    for (let made = 0; made < 19; made += 1) thehood(["run", long, "--no-loop", ...stub(fixing)]);
    expect(Buffer.byteLength(thehood(["runs", "--json"]).out)).toBeLessThan(8_192);
  });
});
