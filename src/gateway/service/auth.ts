// The caller behind a request: found by the token alone, before anything is looked up.
import { sameSecret } from "../../platform/http/index.ts";
import type { Clock } from "../../core/contract/index.ts";
import type { Tokens } from "./tokens.ts";

export type GatewayCaller =
  | { readonly source: "user" | "service"; readonly name: string; readonly admin: boolean }
  | { readonly source: "sandbox"; readonly sessionId: string; readonly generation: number };

export type Authenticate = (bearer: string) => GatewayCaller | undefined;

export const createAuthenticate =
  (adminToken: string, tokens: Tokens, clock: Clock): Authenticate =>
  (bearer) => {
    if (bearer === "") return undefined;
    const claims = tokens.read(bearer, clock.now());
    if (!claims)
      return sameSecret(bearer, adminToken) ? { source: "user", name: "admin", admin: true } : undefined;
    const { kind, subject, generation } = claims;
    if (kind === "sandbox") return { source: "sandbox", sessionId: subject, generation };
    return { source: kind, name: subject, admin: false };
  };
