// `log verify`: proves that nothing was altered.
import { exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";

import { decoded, optional, source, text } from "../define/index.ts";

export const logVerify = define({
  name: "log verify",
  group: "Set up",
  summary: "Compare the record with its hashes, its signed heads and all that lies beside it",
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
    words: ["runId"],
    exit: ({ problems }) => (problems.length === 0 ? exitCodes.ok : exitCodes.verificationFailed),
  },
});
