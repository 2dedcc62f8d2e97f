// The record of runs: its key, its verification, and the work that was pinned.
import { define } from "../context/index.ts";
import { exitCodes, fail } from "../../core/contract/index.ts";
import { decoded, optional, source, text, list } from "../define/index.ts";

export const key = define({
  name: "key",
  group: "Set up",
  summary: "Print the public key by which others verify your commits",
  more: "The private key is in your state folder and is used by this program alone. It is made at first use.",
  effect: "reads",
  input: {},
  handle: async (_, { ports }) => ports.publicKey(),
  cli: {},
});

export const logVerify = define({
  name: "log verify",
  group: "Set up",
  summary: "Verify the record against its hashes, its signed heads and the files beside it",
  more: "Exit code 5 when anything was altered or is missing; each such event and artifact is named.",
  effect: "reads",
  input: {
    runId: optional(text("only this run", { cli: { name: "run" } })),
    archive: optional(source("an archive that `thehood runs archive` wrote, instead of the runs here")),
    key: optional(source("the public key of the archive's author (default: your own)")),
  },
  async handle({ runId, archive, key }, { ports, folder }) {
    await using runs = await ports.runs(folder);
    if (archive) return runs.verifyArchive(await archive.bytes(), key && decoded(await key.bytes()));
    return runs.verify(runId === undefined ? undefined : await runs.find(runId));
  },
  cli: {
    args: ["runId"],
    exit: ({ problems }) => (problems.length === 0 ? exitCodes.ok : exitCodes.verificationFailed),
  },
});

export const logAccept = define({
  name: "log accept",
  group: "Set up",
  summary: "Accept the record as it is, after you restored a backup or lost a store",
  more: "Heads of logs are signed; `thehood log verify` names runs whose log is another one, shorter or gone. When you know why, this signs the logs as they are now and the missing runs as gone. It alters no log.",
  effect: "decides",
  input: {},
  async handle(_, { ports, folder }) {
    await using runs = await ports.runs(folder);
    return { accepted: await runs.accept() };
  },
  cli: {},
});

export const prune = define({
  name: "prune",
  group: "Set up",
  summary: "List work that was kept before it was removed; drop it with --drop",
  more: "It also removes scratch trees, files of single processes and artifacts that no record names, when they are old or large. The same happens after runs; `prune.*` in your configuration sets ages and sizes. Records and kept work are never removed unasked.",
  examples: ["thehood prune", "thehood prune --drop refs/thehood/keep/run_0mwh/1"],
  effect: "decides",
  input: { drop: list(text("a ref", { cli: { value: "ref" } }), "drop this kept ref (or: all)") },
  async handle({ drop }, { ports, folder, tell }) {
    await using runs = await ports.runs(folder);
    const swept = await runs.sweep();
    const pruned = await runs.prune((line) => tell(`· ${line}`));
    const kept = await runs.kept();
    for (const path of swept.removed) tell(`· removed the worktree ${path}; its work is pinned`);
    for (const { path, reason } of swept.left) tell(`· left ${path}: ${reason}`);
    if (drop.length === 0) return { kept, swept, pruned };
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
