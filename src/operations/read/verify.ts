// `verify`: whether commits are what runs made and verified, by the signed evidence about them.
import { exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { decoded, optional, source, text, withDefault } from "../define/index.ts";

export const verify = define({
  name: "verify",
  group: "Look",
  summary: "Tell whether commits are what a run made and verified",
  more: "Each commit is verified (exit code 0), unbound (1: there is no evidence about exactly this change) or tampered (5: there is evidence, and it was altered). Get the evidence first: git fetch origin refs/thehood/evidence:refs/thehood/evidence",
  examples: ["thehood verify HEAD", "thehood verify main..feature --key author.pem"],
  effect: "reads",
  input: {
    range: withDefault(text("a commit, or a range such as main..feature", { min: 1, max: 300 }), "HEAD"),
    key: optional(source("the public key of the author, as `thehood key` prints it (default: your own)")),
    signers: optional(source("an allowed-signers file of SSH: the names behind signed answers")),
  },
  async handle({ range, key, signers }, { ports, folder }) {
    await using runs = await ports.runs(folder);
    const commits = await runs.verifyCommits(
      range,
      key && decoded(await key.bytes()),
      signers && decoded(await signers.bytes()),
    );
    const worst = (["tampered", "unbound"] as const).find((one) => commits.some(({ verdict }) => verdict === one));
    // Without a commit nothing is proven.
    return { verdict: worst ?? (commits.length === 0 ? "unbound" : "verified"), commits };
  },
  cli: {
    args: ["range"],
    exit: ({ verdict }) =>
      verdict === "verified" ? exitCodes.ok : verdict === "tampered" ? exitCodes.verificationFailed : exitCodes.failure,
  },
});
