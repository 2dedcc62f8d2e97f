// A worker's edit arrives byte for byte; a reader's does not arrive at all.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type AskedRole, roleTable } from "../../../src/core/contract/index.ts";
import { type ConformanceCase, asking, must, told } from "./ask.ts";
import { layPatch, printOf } from "./place.ts";
import type { ConformanceSubject } from "./subject.ts";

const readers = (Object.keys(roleTable) as (keyof typeof roleTable)[]).filter(
  (role): role is AskedRole => !roleTable[role].edit && role !== "integrator",
);

export function editCases(subject: ConformanceSubject): ConformanceCase[] {
  return [
    {
      title: "a worker's edit arrives in its worktree byte for byte",
      ...asking(subject, "edits", { role: "implementer" }, async (asked) => {
        const { answer, dir, scene } = asked;
        must(answer?.outcome === "answered", told(asked));
        if (scene.provider.traits.edits === "patch") {
          must(answer.patch !== undefined, `no diff came with the answer: ${answer.text.slice(0, 300)}`);
          await layPatch(dir, answer.patch);
        }
        must((await readFile(join(dir, "hello.txt"), "utf8")) === "hello\n", "the file differs");
      }),
    },
    ...readers.map((role) => ({
      title: `[R-2] the ${role} that tries to edit changes nothing`,
      ...asking(subject, "edits", { role }, async ({ dir, before }) => {
        must((await printOf(dir)) === before, "something was written");
      }),
    })),
  ];
}
