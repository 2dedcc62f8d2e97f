// JSON Web Tokens: three dotted parts are not enough, the first must decode to a header that names its algorithm.
import { decodeBase64 } from "../base64.ts";
import { identifierClass, runEnd, startsToken } from "../characters.ts";
import { createCrowd } from "../crowd.ts";
import { isStandIn } from "../placeholder.ts";
import { type FoundSecret, reach, type SecretRule, type ScanContext } from "../rule.ts";

const longestPart = reach / 4;

const crowd = createCrowd();

function judge(text: string, at: number, context: ScanContext): FoundSecret | undefined {
  if (!startsToken(text, at) || !crowd.admits(at, context)) return undefined;
  const headerEnd = runEnd(text, at, identifierClass, longestPart);
  crowd.read(headerEnd, context);
  if (text[headerEnd] !== "." || headerEnd - at < 12) return undefined;
  const payloadEnd = runEnd(text, headerEnd + 1, identifierClass, longestPart);
  if (text[payloadEnd] !== "." || payloadEnd - headerEnd < 3) return undefined;
  const header = decodeBase64(text, at, headerEnd);
  if (!header || !/"(?:alg|enc)"\s*:/.test(header)) return undefined;
  let end = runEnd(text, payloadEnd + 1, identifierClass, longestPart);
  // Encrypted tokens have five parts.
  for (let part = 3; part < 5 && text[end] === "." && header.includes('"enc"'); part += 1) {
    end = runEnd(text, end + 1, identifierClass, longestPart);
  }
  if (isStandIn(text.slice(headerEnd + 1, Math.min(payloadEnd, headerEnd + 64)))) return undefined;
  return { label: "jwt", rank: 1, start: at, end };
}

export const jwtRule: SecretRule = {
  label: "jwt",
  rank: 1,
  literals: ["eyJ", "ewog", "ewoJ", "eyAi"],
  judge,
};
