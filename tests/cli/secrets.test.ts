// A secret that a command prints or the environment holds never reaches anything we keep or show.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, sample, stub } from "./program.ts";

/** Synthetic, and put together here so that it stands nowhere as a whole. */
const canary = ["gh", "p_", "q7Zt2Lw9Xb4Nv6Rk1Ms8Jd3Fh5Gc0Ya2Pe7U"].join("");

/** What a model says; the script that makes the stub say it is the user's own input and is kept as given. */
const said = ["gh", "o_", "w3Bn8Qx1Tz6Lk4Vp9Hs2Jm7Dc5Rf0Gy3Ae8K"].join("");

function everything(folder: string): Buffer {
  return Buffer.concat(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  );
}

describe("secrets on the way to the record", () => {
  it("[S-1] [S-2] [S-3] a token printed by a check and one in the environment are in no log, artifact, event or answer", () => {
    const noisy = {
      ...sample,
      "test/add.test.js": `console.log("token", ["gh","p_","${canary.slice(4)}"].join(""));\nconsole.log("env", JSON.stringify(process.env));\n${sample["test/add.test.js"]}`,
    };
    const { thehood, repo } = openTestDesk(noisy);
    thehood(["teams", "apply", "stub"]);
    const script = {
      roles: {
        ...fixing.roles,
        verifier: [{ summary: `I saw ${said}`, payload: { verdict: "approve", summary: `token ${said}` } }],
      },
    };
    const done = thehood(["run", "fix add", "--approvals", "autopilot", "--json", ...stub(script)], {
      env: { DEPLOY_TOKEN: canary, GITHUB_TOKEN: canary },
    });
    expect(done.code).toBe(0);
    const { runId } = done.json<{ runId: string }>();
    const shown = ["show", "logs", "report", "status"].map((command) => thehood([command, runId]).out).join("\n");
    for (const secret of [canary, said]) expect(shown).not.toContain(secret);
    expect(done.out + done.err).not.toContain(canary);
    expect(everything(join(repo.dir, ".thehood")).includes(canary)).toBe(false);
    expect(everything(join(repo.dir, ".thehood/artifacts")).includes(said)).toBe(false);
  });

  it("[S-3] what the user's own rules call a secret stays out of the record too", () => {
    const { thehood, repo, home } = openTestDesk({
      ...sample,
      "test/add.test.js": `console.log("ticket", ["INTERNAL", "48151623"].join("-"));\n${sample["test/add.test.js"]}`,
    });
    mkdirSync(join(home, "config"), { recursive: true });
    writeFileSync(
      join(home, "config/config.json"),
      JSON.stringify({
        version: 1,
        secrets: { rules: [{ label: "internal_id", pattern: "INTERNAL-[0-9]{8}" }] },
      }),
    );
    thehood(["teams", "apply", "stub"]);
    expect(thehood(["run", "fix add", "--approvals", "autopilot", ...stub(fixing)]).code).toBe(0);
    expect(everything(join(repo.dir, ".thehood")).includes("INTERNAL-48151623")).toBe(false);
  });

  it("[S-3] [R-33] each command is recorded with folder, exit code, duration, redacted output and the permission decision", () => {
    const { thehood } = openTestDesk();
    thehood(["teams", "apply", "stub"]);
    const { runId } = thehood(["run", "fix add", "--approvals", "autopilot", "--json", ...stub(fixing)]).json<{
      runId: string;
    }>();
    const ran = thehood(["exec", runId, "--json", "--keep-secrets", "--", "sh", "-c", `echo ${canary}; pwd`]);
    const record = ran.json<Record<string, unknown>>();
    expect(ran.out).not.toContain(canary);
    expect(record).toMatchObject({
      argv: ["sh", "-c", expect.stringContaining("; pwd")],
      cwd: "",
      exitCode: 0,
      durationMs: expect.any(Number),
      stdout: { kind: "log" },
      permission: { decision: "allowed", class: "read_only" },
    });
    const events = thehood(["logs", runId, "--json"]).json<{
      events: { event: { type: string; check?: Record<string, unknown> } }[];
    }>().events;
    const check = events.find(({ event }) => event.type === "check_executed")?.event.check;
    expect(check).toMatchObject({
      argv: expect.any(Array),
      cwd: expect.any(String),
      exitCode: expect.any(Number),
      durationMs: expect.any(Number),
      permission: { decision: expect.any(String) },
      sandbox: expect.any(String),
    });
  });
});
