// The door of evidence: the user's key, and the signed heads of logs.
export { openEnvelope, signEnvelope } from "./dsse.ts";
export { afterAll, gatherHeads, type GatheredHeads } from "./log-heads/stored-heads.ts";
export type { SignedHead } from "./log-heads/head.ts";
export { judgeHeads, type FoundLog } from "./log-heads/head.ts";
export { createSealer, type Sealer } from "./log-heads/sealer.ts";
export {
  commitRun,
  earlierCommit,
  refuseBranch,
  refuseName,
  runsNamedBy,
  type EarlierCommit,
  type MadeStatement,
} from "./commits/make.ts";
export { evidenceRef, joinEvidence } from "./commits/shelf.ts";
export { verifyCommits } from "./commits/verify.ts";
export { namesOf, signWithSsh, sshSigner } from "./ssh.ts";
export { knownKey, readPublicKeys, userKey, type PublicKey, type UserKey } from "./key.ts";
