// The key of the user is out of reach of every program that a run starts.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub } from "../cli/program.ts";

const hasSandbox = existsSync("/usr/bin/bwrap");

describe.skipIf(!hasSandbox)("[B-13] the key of the user (needs bubblewrap)", () => {
  it.each(["in the home", "in a folder that commands can read"])(
    "%s: is there for us, and no command of a run can read it",
    (where) => {
      const desk = openTestDesk();
      const own =
        where === "in a folder that commands can read" ? join(desk.repo.dir, "hood-home") : join(desk.home, "config");
      appendFileSync(join(desk.repo.dir, ".git/info/exclude"), "hood-home/\n");
      const env = { THEHOOD_HOME: own };
      const ran = desk.thehood(["run", "fix add", "--team", "stub", "--no-checks", "--json", ...stub(fixing)], { env });
      const { runId } = ran.json<{ runId: string }>();
      const key = join(own, "state", "evidence", "key.pem");
      expect(readFileSync(key, "utf8")).toContain("PRIVATE KEY");
      const read = desk.thehood(["exec", runId, "--allow-risky", "--json", "--", "cat", key], { env });
      expect(read.code).toBe(1);
      expect(read.out + read.err).not.toContain("PRIVATE KEY");
      // A place that is not hidden by habit: what lies beside the key can be read there.
      writeFileSync(join(own, "beside.txt"), "beside\n");
      const look = ["exec", runId, "--allow-risky", "--json", "--", "cat", join(own, "beside.txt")];
      expect(desk.thehood(look, { env }).code).toBe(where === "in a folder that commands can read" ? 0 : 1);
    },
  );
});
