// `commit`: the integrated work of a completed run as a commit, with signed evidence.
import { define } from "../context/index.ts";
import { optional, text } from "../define/index.ts";

export const commit = define({
  name: "commit",
  group: "Decide",
  summary: "Commit the work of a completed run, with signed evidence",
  more: "The commit holds exactly the verified change. The evidence lies in refs/thehood/evidence; push it with: git push origin refs/thehood/evidence",
  effect: "decides",
  input: { runId: optional(text("the run (default: the newest)", { cli: { name: "run" } })) },
  async handle({ runId }, { ports, folder }) {
    await using runs = await ports.runs(folder);
    return runs.commit(await runs.find(runId));
  },
  cli: { main: true, words: ["runId"] },
});
