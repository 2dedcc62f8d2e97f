// Commits with evidence as a user makes them and a stranger verifies them; and evidence that was altered.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fileEvidence } from "../../src/workspace/evidence/commits/shelf.ts";
import { userKey, verifyCommits } from "../../src/workspace/evidence/index.ts";
import { requireRepository } from "../../src/platform/git/index.ts";
import { fixing, openTestDesk, stub } from "../cli/program.ts";
import { gitIn } from "../support/repository.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { hasPython, makeCommitted, verifier } from "./committed.ts";

interface Verified {
  verdict: string;
  commits: { commit: string; verdict: string; reason: string; sameTree?: boolean }[];
}

describe("[B-14] the branch of a run", () => {
  it("holds the verified work as one commit with evidence, and the checkout is not touched", () => {
    const desk = openTestDesk();
    desk.repo.write("mine.txt", "an edit of the user\n");
    const words = ["run", "fix add", "--team", "stub", "--approvals", "autopilot", "--no-checks"];
    const run = (name: string) => desk.thehood([...words, "--branch", name, ...stub(fixing)]);
    expect(run("main").err).toContain("is a branch already");
    expect(run("a..b").err).toContain("is not a name for a branch");
    const head = desk.repo.git("rev-parse", "HEAD");
    const ran = run("fix/add");
    expect(ran, ran.err).toMatchObject({ code: 0 });
    expect(ran.out).toContain("The verified tree is for branch fix/add; the checkout was not touched");
    expect(desk.repo.git("rev-parse", "HEAD")).toBe(head);
    expect(desk.repo.git("status", "--porcelain").trim()).toBe("?? mine.txt");
    expect(desk.repo.git("rev-parse", "fix/add~1")).toBe(head);
    expect(desk.repo.git("show", "fix/add:src/add.js")).toContain("a + b");
    expect(desk.repo.git("show", "--format=", "--name-only", "fix/add").trim()).toBe("src/add.js");
    expect(desk.thehood(["verify", "fix/add", "--json"]).json<Verified>()).toMatchObject({
      verdict: "verified",
    });
    expect(desk.thehood(["undo"]).err).toContain("put nothing into the checkout");
  });
});

describe("[B-14] a commit on a new branch after the run", () => {
  it("holds the verified work, moves no other branch, and is made once", () => {
    const desk = openTestDesk();
    const words = ["run", "fix add", "--team", "stub", "--approvals", "autopilot", "--no-checks"];
    expect(desk.thehood([...words, ...stub(fixing)]).code).toBe(0);
    const head = desk.repo.git("rev-parse", "HEAD");
    expect(desk.thehood(["commit", "--branch", "a..b"]).err).toContain("is not a name for a branch");
    expect(desk.thehood(["commit", "--branch", "main"]).err).toContain("There is a branch main already");
    expect(desk.thehood(["commit", "--branch", "fix/add"]).code).toBe(0);
    expect(desk.repo.git("rev-parse", "HEAD")).toBe(head);
    expect(desk.repo.git("rev-parse", "fix/add~1")).toBe(head);
    expect(desk.repo.git("show", "fix/add:src/add.js")).toContain("a + b");
    expect(desk.thehood(["verify", "fix/add", "--json"]).json<Verified>()).toMatchObject({ verdict: "verified" });
    expect(desk.thehood(["commit", "--branch", "fix/add"]).err).toContain("is committed already: on fix/add");
  });
});

describe.skipIf(!hasPython)("[B-14] a commit of a run (needs python3)", () => {
  it("holds the verified change and nothing else, names the run, and is verified elsewhere by the public key alone", () => {
    const desk = openTestDesk();
    desk.repo.write("mine.txt", "an edit of the user\n");
    const run = ["run", "fix add", "--team", "stub", "--approvals", "autopilot", "--check", "node --test", "--commit"];
    const ran = desk.thehood([...run, ...stub(fixing)]);
    expect(ran.err).toContain("committed as");
    expect(ran.code).toBe(0);
    const message = desk.repo.git(
      "log",
      "-1",
      "--format=%s|%(trailers:key=Thehood-Run,valueonly)|%(trailers:key=Assisted-by,valueonly)",
    );
    expect(message.replaceAll("\n", "")).toMatch(/^fix add\|run_[a-z0-9]+\|stub:implementer \[thehood\]$/);
    expect(desk.repo.git("show", "--format=", "--name-only", "HEAD").trim()).toBe("src/add.js");
    expect(desk.repo.git("status", "--porcelain").trim()).toBe("?? mine.txt");
    expect(desk.thehood(["log", "verify"]).code).toBe(0);

    const elsewhere = join(tempFolder("elsewhere-"), "clone");
    const git = gitIn(elsewhere);
    spawnSync("git", ["clone", "-q", desk.repo.dir, elsewhere]);
    const keyFile = join(tempFolder("key-"), "key.pem");
    writeFileSync(keyFile, desk.thehood(["key"]).out);
    const verify = (...more: string[]) =>
      desk.thehood(["verify", "HEAD", "--json", ...more], {
        cwd: elsewhere,
        env: { THEHOOD_HOME: tempFolder("other-home-") },
      });
    expect(verify().code).toBe(2);
    expect(verify("--key", keyFile).json<Verified>().commits[0]).toMatchObject({ verdict: "unbound" });
    git("fetch", "-q", "origin", "refs/thehood/evidence:refs/thehood/evidence");
    const checked = verify("--key", keyFile);
    expect(checked.code).toBe(0);
    expect(checked.json<Verified>().commits[0]).toMatchObject({ verdict: "verified", sameTree: true });
    const python = spawnSync("python3", [verifier, keyFile, "HEAD"], { cwd: elsewhere, encoding: "utf8" });
    expect({ code: python.status, err: python.stderr }).toEqual({ code: 0, err: "" });
    expect(verify("HEAD~1", "--key", keyFile).code).not.toBe(0);
  });

  it("is made once, and not when the files have moved on", async () => {
    const scene = makeCommitted({ "a.txt": "one\n", "b.txt": "one\n" });
    const from = scene.git("rev-parse", "HEAD^{tree}");
    const commit = await scene.run({ "a.txt": "two\n" });
    const to = scene.git("rev-parse", "HEAD^{tree}");
    await expect(scene.commit("run_made000001", from, to)).rejects.toThrow("committed already");
    scene.git("reset", "-q", "--hard", "HEAD~1");
    writeFileSync(join(scene.dir, "a.txt"), "another\n");
    scene.git("commit", "-qam", "the same file, by hand");
    const before = scene.git("rev-parse", "HEAD");
    await expect(scene.commit("run_late", from, to)).rejects.toThrow("HEAD has moved since");
    expect(scene.git("rev-parse", "HEAD")).toBe(before);
    scene.git("reset", "-q", "--hard", "HEAD~1");
    writeFileSync(join(scene.dir, "b.txt"), "another\n");
    scene.git("commit", "-qam", "another file, by hand");
    const later = await scene.commit("run_later", from, to);
    expect(await scene.verify(later)).toMatchObject([
      { verdict: "verified", run: expect.any(String), sameTree: false },
    ]);
    expect(await scene.verify(commit)).toMatchObject([{ verdict: "verified", sameTree: true }]);
    expect(scene.git("show", "HEAD:b.txt")).toBe("another");
    // A range without a commit proves nothing.
    expect(scene.python("HEAD..HEAD")).toEqual({ verdicts: [], code: 1 });
    await expect(scene.verify("nosuch")).rejects.toThrow("no commit or range nosuch");
  });

  it("tells nothing of the goal, of messages or of paths of the machine in the evidence", async () => {
    const scene = makeCommitted({ "a.txt": "one\n" });
    await scene.run({ "a.txt": "two\n" });
    const [entry = ""] = scene.git("ls-tree", "-r", "refs/thehood/evidence").split("\n");
    const { payload } = JSON.parse(scene.git("cat-file", "-p", entry.split(/\s/)[2] ?? "")) as {
      payload: string;
    };
    const statement = Buffer.from(payload, "base64").toString();
    for (const text of ["make the login test stable", "no new dependency", scene.dir])
      expect(statement).not.toContain(text);
    expect(statement).toContain('"reviews":[{');
    expect(statement).toContain('"approvals":[{');
  });
});

type Alter = (text: string, change: (edit: (statement: Record<string, unknown>) => void) => string) => string;

/** Each way to alter filed evidence, with what is to be said of the commit. */
const alterings: readonly [string, "tampered" | "unbound" | "verified", Alter][] = [
  ["as it was", "verified", (text) => text],
  ["no JSON", "tampered", () => "{"],
  ["no signature", "tampered", (text) => JSON.stringify({ ...JSON.parse(text), signatures: [] })],
  ["another payload type", "tampered", (text) => text.replace("in-toto+json", "other+json")],
  ["a payload that is no base64", "tampered", (text) => text.replace('"payload":"', '"payload":"!')],
  [
    "another run in the payload",
    "tampered",
    (_, change) => change((one) => void ((one["predicate"] as Record<string, unknown>)["run"] = "run_other")),
  ],
  [
    "another verdict in the payload",
    "tampered",
    (_, change) => change((one) => void ((one["predicate"] as Record<string, unknown>)["checks"] = [])),
  ],
  ["another subject in the payload", "tampered", (_, change) => change((one) => void (one["subject"] = []))],
  [
    "a signature that was turned",
    "tampered",
    (text) => text.replace(/"sig":"(.)(.)/, (_, a: string, b: string) => `"sig":"${b}${a === b ? "A" : a}`),
  ],
  ["a key that is not trusted", "unbound", (text) => text.replace(/"keyid":"[0-9a-f]{8}/, '"keyid":"00000000')],
];

describe.skipIf(!hasPython)("[B-14] evidence that was altered (needs python3)", () => {
  /** One commit of a run, whose evidence each test replaces by what it made of the first. */
  const scene = makeCommitted({ "a.txt": "one\n" });
  let entry: string;
  let text: string;
  beforeAll(async () => {
    await scene.run({ "a.txt": "two\n" });
    [entry = ""] = scene.git("ls-tree", "-r", "refs/thehood/evidence").split("\n");
    text = scene.git("cat-file", "-p", entry.split(/\s/)[2] ?? "");
  });

  it.each(alterings)("%s: %s, by both verifiers", async (_, expected, alter) => {
    const patchId = entry.split("/")[1] ?? "";
    const change = (edit: (statement: Record<string, unknown>) => void): string => {
      const envelope = JSON.parse(text) as { payload: string };
      const statement = JSON.parse(Buffer.from(envelope.payload, "base64").toString()) as Record<string, unknown>;
      edit(statement);
      return JSON.stringify({
        ...envelope,
        payload: Buffer.from(JSON.stringify(statement)).toString("base64"),
      });
    };
    const runId = entry.split("/")[2]?.replace(".json", "") ?? "";
    await fileEvidence(requireRepository(scene.dir), [patchId], { runId, text: alter(text, change) });
    const verdicts = await scene.verify("HEAD");
    expect(verdicts.map(({ verdict }) => verdict)).toEqual([expected]);
    const python = scene.python("HEAD");
    expect(python.verdicts).toEqual([`${scene.git("rev-parse", "HEAD")} ${expected}`]);
    expect(python.code).toBe({ verified: 0, unbound: 1, tampered: 5 }[expected]);
  });

  it("filed under another change or another run is tampered, and a stranger's own evidence counts for nothing", async () => {
    const scene = makeCommitted({ "a.txt": "one\n", "b.txt": "one\n" });
    const first = await scene.run({ "a.txt": "two\n" });
    scene.git("commit", "-q", "--allow-empty", "-m", "between");
    const evidence = scene.git("ls-tree", "-r", "refs/thehood/evidence").split("\n")[0] ?? "";
    const text = scene.git("cat-file", "-p", evidence.split(/\s/)[2] ?? "");
    writeFileSync(join(scene.dir, "b.txt"), "evil\n");
    scene.git("commit", "-qam", "by hand\n\nThehood-Run: run_made000001");
    const diff = scene.git("diff-tree", "-p", "HEAD~1", "HEAD");
    const patchId =
      spawnSync("git", ["patch-id", "--stable"], { input: `${diff}\n`, encoding: "utf8" }).stdout.split(" ")[0] ?? "";
    const repository = requireRepository(scene.dir);
    const judged = async () => {
      const verdicts = (await scene.verify("HEAD")).map(({ commit, verdict }) => `${commit} ${verdict}`);
      expect(scene.python("HEAD").verdicts).toEqual(verdicts);
      return verdicts[0]?.split(" ")[1];
    };
    expect(await judged()).toBe("unbound");
    await fileEvidence(repository, [patchId], { runId: "run_made000001", text });
    expect(await judged()).toBe("tampered");
    await fileEvidence(repository, [evidence.split("/")[1] ?? ""], { runId: "run_other", text });
    expect((await scene.verify(first)).map(({ verdict }) => verdict)).toEqual(["verified"]);
    const stranger = userKey(tempFolder("stranger-"));
    const strangers = await verifyCommits(repository, first, [stranger]);
    expect(strangers.map(({ verdict }) => verdict)).toEqual(["unbound"]);
  });

  it("the program in Python has at most 100 lines and needs git alone", () => {
    const text = readFileSync(verifier, "utf8");
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(100);
    expect([...text.matchAll(/^import (.*)$/gm)].map(([, names]) => names)).toEqual([
      "base64, hashlib, json, re, subprocess, sys",
    ]);
  });
});

describe.skipIf(!hasPython || !existsSync("/usr/bin/ssh-keygen"))(
  "[B-14] an answer that a person signed (needs ssh-keygen)",
  () => {
    it("is shown with its signer by the evidence of the commit", () => {
      const desk = openTestDesk();
      const folder = tempFolder("ssh-");
      const file = join(folder, "key");
      spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file, "-C", ""]);
      writeFileSync(join(folder, "signers"), `ann@example.com ${readFileSync(`${file}.pub`, "utf8")}`);
      const run = ["run", "fix add", "--team", "stub", "--no-checks", "--approvals", "manual", "--commit", "--json"];
      const { runId } = desk.thehood([...run, ...stub(fixing)]).json<{ runId: string }>();
      const gateOf = () =>
        desk
          .thehood(["status", runId, "--json"])
          .json<{ state: string; gate: { phrase: string | null; sha256?: string } | null }>();
      const named = desk.thehood(["approve", "--help"]).out.includes("--shown");
      for (let turn = 0; turn < 10 && gateOf().gate; turn++) {
        const { gate } = gateOf();
        const shown = named && gate?.sha256 !== undefined ? ["--shown", gate.sha256] : [];
        desk.thehood(["approve", runId, "--message", gate?.phrase ?? "ok", "--sign", file, ...shown]);
      }
      expect(gateOf().state).toBe("completed");
      const ran = desk.thehood(["verify", "HEAD", "--signers", join(folder, "signers"), "--json"]);
      const [commit] = ran.json<{
        commits: { verdict: string; signed: { by: string; answer: string }[] }[];
      }>().commits;
      expect(commit?.verdict).toBe("verified");
      expect(commit?.signed.length).toBeGreaterThan(0);
      expect(new Set(commit?.signed.map(({ by }) => by))).toEqual(new Set(["ann@example.com"]));
    });
  },
);
