import { expect, it } from "vitest";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { corpusRows, runCorpus } from "./sandbox-corpus.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";

it.skipIf(!confined)(
  "[S-2] every line of the corpus, run for real, reads, writes and reaches nothing it should not (needs bubblewrap)",
  async () => {
    expect(await runCorpus(corpusRows)).toEqual([]);
  },
);
