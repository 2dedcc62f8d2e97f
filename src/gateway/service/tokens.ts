// Signed tokens with a kind, a subject, a generation and an expiry, and the caller that a token authenticates.
import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { sameSecret } from "../../platform/http/index.ts";
import type { Clock } from "../../core/contract/index.ts";

type TokenKind = "sandbox" | "user" | "service";

interface TokenClaims {
  readonly kind: TokenKind;
  /** The session of a sandbox; the name of a user or service. */
  readonly subject: string;
  readonly generation: number;
  readonly expiresAt: number;
}

export interface Tokens {
  mint(claims: TokenClaims): string;
  /** The claims of a valid token that has not expired. */
  read(token: string, now: number): TokenClaims | undefined;
  /** The password of the agent in one sandbox: some providers expose its port. */
  agentPassword(sandbox: { readonly id: string; readonly generation: number }): string;
}

const shape = /^(sandbox|user|service)\.([A-Za-z0-9_-]{1,200})\.(\d{1,9})\.(\d{1,15})\.([0-9a-f]{64})$/;

export function createTokens(key: Buffer): Tokens {
  // A key object is made once; plain bytes would be imported for each token.
  const secret = createSecretKey(key);
  const codeOf = (text: string) => createHmac("sha256", secret).update(text).digest("hex");
  return {
    mint({ kind, subject, generation, expiresAt }) {
      const text = `${kind}.${Buffer.from(subject).toString("base64url")}.${generation}.${expiresAt}`;
      return `${text}.${codeOf(text)}`;
    },
    agentPassword: ({ id, generation }) => codeOf(`agent ${JSON.stringify([id, generation])}`),
    read(token, now) {
      const [, kind, subject = "", generation, expiresAt, code = ""] = shape.exec(token) ?? [];
      if (kind === undefined) return undefined;
      // Both are 64 hex digits.
      if (!timingSafeEqual(Buffer.from(code), Buffer.from(codeOf(token.slice(0, -65))))) return undefined;
      if (Number(expiresAt) <= now) return undefined;
      return {
        kind: kind as TokenKind,
        subject: Buffer.from(subject, "base64url").toString("utf8"),
        generation: Number(generation),
        expiresAt: Number(expiresAt),
      };
    },
  };
}

export type GatewayCaller =
  | { readonly source: "user" | "service"; readonly name: string; readonly admin: boolean }
  | { readonly source: "sandbox"; readonly sessionId: string; readonly generation: number };

export type Authenticate = (bearer: string) => GatewayCaller | undefined;

export const createAuthenticate =
  (adminToken: string, tokens: Tokens, clock: Clock): Authenticate =>
  (bearer) => {
    if (bearer === "") return undefined;
    const claims = tokens.read(bearer, clock.now());
    if (!claims) return sameSecret(bearer, adminToken) ? { source: "user", name: "admin", admin: true } : undefined;
    const { kind, subject, generation } = claims;
    if (kind === "sandbox") return { source: "sandbox", sessionId: subject, generation };
    return { source: kind, name: subject, admin: false };
  };
