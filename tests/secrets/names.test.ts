// A secret in a name: of a file, a folder, a branch, an address. It is sent nowhere, printed nowhere and stored nowhere by us.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runOptions } from "../../src/core/contract/transport/index.ts";
import { redact } from "../../src/core/secrets/index.ts";
import { refuseSecrets } from "../../src/oracle/transport/options/secrets-in-options.ts";
import { fixing, openTestDesk, stub } from "../cli/program.ts";
import { Bench } from "../oracle/bench.ts";
import { canary, holders } from "./canary.ts";

const named = `key-${canary}.txt`;
const find = (text: string) => ({ text, labels: redact(text).matches.map(({ label }) => label) });

describe("[B-28] [T-24] a secret in an option of oracle", () => {
  const written = ["prompt", "followupPrompt", "commitMessage", "slug", "next"];
  const texts = Object.entries(runOptions).filter(([, { kind }]) => kind === "text" || kind === "list");

  const refused = (name: string, list: boolean) => () => {
    const value = `x-${canary}`;
    refuseSecrets({ [name]: list ? ["plain", value] : value }, find);
  };
  const rows = texts.map(([name, { kind }]) => [name, kind === "list"] as const);

  it.each(rows.filter(([name]) => !written.includes(name)))("%s: it is refused by name", (name, list) => {
    const message = `There is a secret in ${name} (github_pat). Nothing was stored or sent.`;
    expect(refused(name, list)).toThrow(message);
  });

  it.each(rows.filter(([name]) => written.includes(name)))("%s: it is written text, and replaced later", (...row) => {
    expect(refused(...row)).not.toThrow();
  });

  it.each([
    { browserUrl: "https://chatgpt.com/g/g-p-67e1c0ffee8191a2b3c4d5e6f7a8b9c0-shop/project" },
    { browserUrl: "https://gemini.google.com/app/9f8e7d6c5b4a3210", model: "claude-opus-4-1-20250805" },
    { file: ["src/**", "!dist", "assets/5f4dcc3b5aa765d61d8327deb882cf99.svg"], baseUrl: "http://127.0.0.1:4000/v1" },
  ])("%j is an ordinary request", (options) => {
    expect(() => refuseSecrets(options, find)).not.toThrow();
  });

  it("a file with such a name is left out by its replaced name, and one that is named is refused", async () => {
    const bench = new Bench();
    onTestFinished(() => bench.dispose());
    bench.double([{ answer: "seen" }]);
    mkdirSync(bench.repo, { recursive: true });
    writeFileSync(join(bench.repo, named), "notes\n");
    writeFileSync(join(bench.repo, "plain.txt"), "plain\n");
    const ask = (...words: string[]) => bench.run(["-p", "read them please", ...words], { cwd: bench.repo });
    const refused = await ask("--file", named);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("There is a secret in file") as string });
    const all = await ask("--file", ".");
    expect(all).toMatchObject({ code: 0, stdout: "seen\n" });
    const shown = [refused, all, await ask("--file", ".", "--render"), await ask("--file", ".", "--dry-run", "full")];
    expect(bench.sent).toMatchObject([{ prompt: expect.stringContaining("key-***REDACTED***.txt") as string }]);
    expect(JSON.stringify([bench.sent, shown])).not.toContain(canary);
    expect([...holders(bench.home, canary), ...holders(join(bench.dir, "user"), canary)]).toEqual([]);
  });
});

it("[B-28] the name of a file in the user's checkout is in no record and no view of a run", () => {
  const desk = openTestDesk();
  desk.thehood(["teams", "apply", "stub"]);
  writeFileSync(join(desk.repo.dir, named), "mine\n");
  const ran = desk.thehood(["run", "make add() add", "--approvals", "autopilot", ...stub(fixing)]);
  expect(ran.code, ran.err).toBe(0);
  const views = ["status", "show", "logs", "report", "diff", "changes", "timeline"].flatMap((view) => [
    desk.thehood([view]),
    desk.thehood([view, "--json"]),
  ]);
  expect([ran, ...views].map(({ out, err }) => out + err).join("\n")).not.toContain(canary);
  expect(holders(desk.home, canary)).toEqual([]);
  const ours = [join(desk.repo.dir, ".thehood"), join(desk.repo.dir, ".git/thehood")];
  expect(ours.flatMap((folder) => holders(folder, canary))).toEqual([]);
});
