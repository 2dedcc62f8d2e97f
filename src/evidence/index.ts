// The door of evidence: the user's key, and the signed heads of logs.
export { openEnvelope, signEnvelope } from "./dsse.ts";
export { gatherHeads, type GatheredHeads } from "./heads/gather.ts";
export type { SignedHead } from "./heads/head.ts";
export { judgeHeads, type FoundLog } from "./heads/judge.ts";
export { createSealer, type Sealer } from "./heads/sealer.ts";
export { commitRun, type MadeStatement } from "./commits/make.ts";
export { evidenceRef } from "./commits/shelf.ts";
export { verifyCommits } from "./commits/verify.ts";
export { namesOf, signWithSsh, sshSigner } from "./ssh.ts";
export { knownKey, readPublicKeys, userKey, type PublicKey, type UserKey } from "./key.ts";
