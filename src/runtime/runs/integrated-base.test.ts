// The base of a run on top of uncommitted work: whose work it is, and how little is read to know it.
import { expect, it } from "vitest";
import type { RunEvent, RunRow, StoredEvent } from "../../core/contract/index.ts";
import { requireRepository } from "../../platform/git/index.ts";
import { gitCalls } from "../../../tests/support/git-calls.ts";
import { makeRepository } from "../../../tests/support/repository.ts";
import { afterwards } from "../../../tests/support/temp-folder.ts";
import { integratedBase, workInTheWay } from "./integrated-base.ts";

/** Runs that each left these files in the checkout, the newest last, and which of them were read. */
function scene(works: readonly Readonly<Record<string, string>>[]) {
  const made = makeRepository({ "a.txt": "a\n", "b.txt": "b\n", "mine.txt": "mine\n" });
  afterwards(() => made.remove());
  const runs = works.map((files, index) => {
    for (const [path, text] of Object.entries(files)) made.write(path, text);
    made.git("add", "-A");
    const tree = made.git("write-tree").trim();
    made.git("reset", "-q");
    const integration = { tree, paths: Object.keys(files) };
    const events = [
      { event: { type: "run_created", goal: `goal ${index}` } },
      { event: { type: "patch_applied", integration } },
    ];
    return { runId: `run_base${index}`, events: events as unknown as StoredEvent<RunEvent>[] };
  });
  const read: string[] = [];
  const log = {
    list: () => Promise.resolve(runs.toReversed().map(({ runId }) => ({ runId }) as RunRow)),
    read(runId: string) {
      read.push(runId);
      return Promise.resolve(runs.find((run) => run.runId === runId)?.events ?? []);
    },
  };
  return { made, log, read, repository: requireRepository(made.dir) };
}

it("[R-31] work of several runs is the base, each path as the newest run left it, without the edits of the user", async () => {
  const { made, log, repository } = scene([{ "a.txt": "1\n", "b.txt": "1\n" }, { "a.txt": "2\n" }, { "b.txt": "3\n" }]);
  made.write("mine.txt", "an edit\n");
  made.write("b.txt", "an edit of work\n");
  const base = await integratedBase(repository, log);
  const show = (path: string) => made.git("show", `${base?.baseCommit}:${path}`);
  expect([show("a.txt"), show("b.txt"), show("mine.txt")]).toEqual(["2\n", "b\n", "mine\n"]);
  expect(await workInTheWay(repository, log, ["a.txt", "b.txt", "mine.txt"])).toEqual([
    { path: "a.txt", runId: "run_base1", goal: "goal 1" },
  ]);
});

it("older runs are neither read nor compared once each path has its run", async () => {
  const { log, read, repository } = scene(Array.from({ length: 8 }, (_, index) => ({ "a.txt": `${index}\n` })));
  const calls = await gitCalls(() => integratedBase(repository, log));
  expect(read).toEqual(["run_base7"]);
  expect(calls.filter((name) => name === "diff-tree")).toHaveLength(2);
});

it("no base is made where no run left work", async () => {
  const { made, log, repository } = scene([{ "a.txt": "1\n" }]);
  made.write("a.txt", "another\n");
  expect(await integratedBase(repository, log)).toBeUndefined();
  expect(await integratedBase(repository, { ...log, list: () => Promise.resolve([]) })).toBeUndefined();
});
