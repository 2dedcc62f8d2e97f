// The door of evidence: the user's key, and the signed heads of logs.
export { gatherHeads, type GatheredHeads } from "./heads/gather.ts";
export type { SignedHead } from "./heads/head.ts";
export { judgeHeads, type FoundLog } from "./heads/judge.ts";
export { createSealer, type Sealer } from "./heads/sealer.ts";
export { knownKey, readPublicKey, userKey, type PublicKey, type UserKey } from "./key.ts";
