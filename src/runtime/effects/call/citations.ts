// The claims of a citation agent against the artifacts that they cite: a claim counts as supported only when its artifact
// was named in the directive, can be read, and contains the quoted text (R-6).
import type { ProviderCall, RoleResponse } from "../../../core/contract/index.ts";
import type { EffectDeps } from "../deps.ts";

const readLimit = 4 << 20;
const spaces = /\s+/g;
const same = (text: string): string => text.replaceAll(spaces, " ").trim();

type Cited = Extract<RoleResponse, { contract: "citation_result" }>;
type Claim = NonNullable<Cited["payload"]["claims"]>[number];

/** Why this claim is not proven by what it cites; undefined when it is. */
async function problemOf(
  { artifacts, text }: EffectDeps,
  { prompt }: ProviderCall,
  { ref, quote }: Claim,
): Promise<string | undefined> {
  if (ref === undefined) return "it cites no artifact";
  if (!/^sha256:[0-9a-f]{64}$/.test(ref) || !prompt.includes(ref))
    return "it cites an artifact that the directive does not name";
  const slice = await artifacts.slice(ref, 0, readLimit).catch(() => undefined);
  if (!slice) return "the artifact cannot be read";
  if (quote === undefined) return "it quotes nothing of the artifact";
  return same(text.decode(slice.bytes)).includes(same(quote)) ? undefined : "the quoted words are not in the artifact";
}

async function checkedClaim(deps: EffectDeps, call: ProviderCall, claim: Claim): Promise<Claim> {
  if (claim.verdict !== "supported") return claim;
  const problem = await problemOf(deps, call, claim);
  if (problem === undefined) return claim;
  const finding = `The runtime could not confirm it: ${problem}.${claim.finding ? ` The agent said: ${claim.finding}` : ""}`;
  return { ...claim, verdict: "unclear", finding: finding.slice(0, 4_000) };
}

/** The response with each claim as the runtime found it. Other responses stay as they are. */
export async function checkedCitations(
  deps: EffectDeps,
  call: ProviderCall,
  response: RoleResponse,
): Promise<RoleResponse> {
  if (response.contract !== "citation_result" || !("claims" in response.payload)) return response;
  const { payload } = response as Cited;
  const claims = await Promise.all((payload.claims ?? []).map((claim) => checkedClaim(deps, call, claim)));
  const all = payload.verdict !== "supported" || claims.every(({ verdict }) => verdict === "supported");
  return {
    ...response,
    payload: { ...payload, claims, verdict: all ? payload.verdict : "unclear" },
  } as RoleResponse;
}
