// `prune`: work that was pinned before it was removed, listed or dropped.
import { fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { list, text } from "../define/index.ts";

export const prune = define({
  name: "prune",
  group: "Set up",
  summary: "List work that was kept before it was removed; drop it with --drop",
  examples: ["thehood prune", "thehood prune --drop refs/thehood/keep/run_0mwh/1"],
  effect: "decides",
  input: { drop: list(text("a ref", { cli: { value: "ref" } }), "drop this kept ref (or: all)") },
  async handle({ drop }, { ports, folder, tell }) {
    await using runs = await ports.runs(folder);
    const swept = await runs.sweep();
    const kept = await runs.kept();
    for (const path of swept.removed) tell(`· removed the worktree ${path}; its work is pinned`);
    for (const { path, reason } of swept.left) tell(`· left ${path}: ${reason}`);
    if (drop.length === 0) return { kept, swept };
    const refs = drop.includes("all") ? kept.map(({ ref }) => ref) : drop;
    const unknown = refs.filter((ref) => !kept.some((entry) => entry.ref === ref));
    if (unknown.length > 0)
      fail("not_found", `Nothing is kept under ${unknown.join(", ")}.`, {
        remedy: "List what is kept: thehood prune",
      });
    return { dropped: await runs.drop(refs) };
  },
  cli: {},
});
