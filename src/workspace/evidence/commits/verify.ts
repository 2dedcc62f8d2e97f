// Whether commits are what a run made and verified: the signed evidence about exactly their change.
import { type PublicKey } from "../key.ts";
import { approvalText, type CommitVerdict } from "../../../core/contract/index.ts";
import { openEnvelope } from "../dsse.ts";
import { namesOf, sshSigner } from "../ssh.ts";
import { writeEmptyTree, type Repository } from "../../../platform/git/index.ts";
import { changeBetween, commitsIn, runNamedIn, type CommitChange, type CommitFacts } from "./change.ts";
import { shelvedEvidence, type Filed } from "./shelf.ts";
import { readStatement, type ReadStatement } from "./statement.ts";

type Judged = Omit<CommitVerdict, "commit">;

/** One file of evidence against one change. */
export function judgeEvidence(
  filed: Filed,
  change: CommitChange,
  tree: string,
  keys: readonly PublicKey[],
  signers?: string,
): Judged {
  const opened = openEnvelope(filed.text, keys);
  if (opened.kind === "broken") return { verdict: "tampered", reason: opened.why };
  if (opened.kind === "stranger")
    return { verdict: "unbound", reason: "the evidence is signed with a key that is not trusted here" };
  const parsed = readStatement.safeParse(opened.statement);
  if (!parsed.success)
    return { verdict: "tampered", reason: "the evidence is signed and says nothing that can be read" };
  const statement = parsed.data;
  const { run, verifiedTree } = statement.predicate;
  if (run !== filed.runId)
    return { verdict: "tampered", reason: `the evidence of ${run} was filed as that of ${filed.runId}` };
  const subject = statement.subject.find(({ digest }) => digest.gitPatchId === change.patchId);
  if (!subject) return { verdict: "tampered", reason: "the evidence of another change was filed under this one" };
  if (!statement.subject.some(({ digest }) => digest.sha256 === change.sha256))
    return { verdict: "unbound", reason: "the evidence is about a change that differs in white space" };
  const sameTree = verifiedTree === tree;
  const where = sameTree ? "on this very tree" : "on another tree than this one";
  const what = subject.name === "range" ? "a row of changes" : "this change";
  return {
    verdict: "verified",
    reason: `${run} made ${what}; its checks ran ${where}`,
    run,
    sameTree,
    ...signedAnswers(statement, signers),
  };
}

/** `by`: the name in the list of signers, or else the fingerprint of the key. */
function signedAnswers({ predicate }: ReadStatement, signers: string | undefined): Pick<CommitVerdict, "signed"> {
  const signed = (predicate.approvals ?? []).flatMap(({ gate, answer, subject, signature }) => {
    if (signature === undefined) return [];
    const text = approvalText(predicate.run, { gateId: gate, answer, subjectSha256: subject });
    const signer = sshSigner(text, signature);
    const name = signer && (signers === undefined ? undefined : namesOf(signers, signer.key));
    return [{ gate, answer, by: name ?? signer?.fingerprint ?? "unknown: the signature does not fit" }];
  });
  return signed.length === 0 ? {} : { signed };
}

async function judgeCommit(
  repository: Repository,
  commit: CommitFacts,
  keys: readonly PublicKey[],
  signers: string | undefined,
): Promise<Judged> {
  const [parent, second] = commit.parents;
  if (second !== undefined) return { verdict: "unbound", reason: "a merge has no change of its own" };
  const change = await changeBetween(repository, parent ?? (await writeEmptyTree(repository)), commit.id);
  if (!change) return { verdict: "unbound", reason: "it changes nothing" };
  const filed = await shelvedEvidence(repository, change.patchId);
  const judged = filed.map((one) => judgeEvidence(one, change, commit.tree, keys, signers));
  for (const verdict of ["verified", "tampered", "unbound"] as const) {
    const found = judged.find((one) => one.verdict === verdict);
    if (found) return found;
  }
  const run = runNamedIn(commit.message);
  const reason =
    run === undefined
      ? "there is no evidence about this change"
      : `it names ${run}, and there is no evidence about this change: it is not the one that was verified`;
  return { verdict: "unbound", reason };
}

export async function verifyCommits(
  repository: Repository,
  range: string,
  keys: readonly PublicKey[],
  signers?: string,
): Promise<readonly CommitVerdict[]> {
  const verdicts: CommitVerdict[] = [];
  for (const commit of await commitsIn(repository, range))
    verdicts.push({ commit: commit.id, ...(await judgeCommit(repository, commit, keys, signers)) });
  return verdicts;
}
