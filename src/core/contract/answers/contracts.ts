// The table of output contracts: the payload's key and schema of each, the contract of each role, and the schemas of the
// whole answer for parsing and for providers.
import { z } from "zod";
import schemas from "./schemas.json" with { type: "json" };
import type { Role } from "../text.ts";
import {
  decision,
  citationResult,
  blindTestsResult,
  critiqueResult,
  implementationResult,
  qaResult,
  reconciliationResult,
  researchResult,
  verificationResult,
} from "./results.ts";
import { ackField, common, responseLimits } from "./fields.ts";
import { type Optional, strictSchema } from "./strict.ts";

export const responseContracts = {
  orchestrator_decision: { key: "decision", payload: decision },
  planner_decision: { key: "decision", payload: decision },
  research_result: { key: "researchResult", payload: researchResult },
  implementation_result: { key: "implementationResult", payload: implementationResult },
  qa_result: { key: "qaResult", payload: qaResult },
  verification_result: { key: "verificationResult", payload: verificationResult },
  critique_result: { key: "critiqueResult", payload: critiqueResult },
  citation_result: { key: "citationResult", payload: citationResult },
  reconciliation_result: { key: "reconciliation", payload: reconciliationResult },
  blind_tests_result: { key: "blindTests", payload: blindTestsResult },
} as const;

export type ContractName = keyof typeof responseContracts;
export const contractNames = Object.keys(responseContracts) as [ContractName, ...ContractName[]];
export const contractName = z.enum(contractNames);

export type PayloadOf<N extends ContractName> = z.infer<(typeof responseContracts)[N]["payload"]>;

/** The contract of a role's answer in the loop, as a guest and when summoned. The integrator is runtime code and is never called. */
export const contractOfRole: Readonly<Record<Exclude<Role, "integrator">, ContractName>> = {
  orchestrator: "orchestrator_decision",
  planner: "planner_decision",
  researcher: "research_result",
  implementer: "implementation_result",
  qa: "qa_result",
  verifier: "verification_result",
  critic: "critique_result",
  citation: "citation_result",
};

export const envelopeStatuses = ["ok", "blocked", "failed"] as const;
export type EnvelopeStatus = (typeof envelopeStatuses)[number];

/** A payload of a `blocked` or `failed` answer may leave out its verdict; the fields that it holds must still be valid. */
function envelopeOf(name: ContractName, full: boolean) {
  const { key, payload } = responseContracts[name];
  const shape: z.ZodType = full
    ? payload
    : z.strictObject({ ...payload.partial().shape, [ackField]: common[ackField] });
  return z.strictObject({
    status: full ? z.literal("ok") : z.enum(["blocked", "failed"]),
    summary: z.string().min(1).max(responseLimits.summary),
    data: z.strictObject({ [key]: shape }),
  });
}

const built = new Map<string, z.ZodType>();

/** The strict schema of a whole answer: `status`, `summary`, `data.<key>`. */
export function responseSchema(name: ContractName, status: EnvelopeStatus): z.ZodType {
  const full = status === "ok";
  const cached = built.get(`${name}/${full}`);
  if (cached) return cached;
  const schema = envelopeOf(name, full);
  built.set(`${name}/${full}`, schema);
  return schema;
}

const generated: Readonly<Record<ContractName, Record<string, unknown>>> = schemas;

/** The same as JSON Schema, for the directive and for providers that can constrain a model's output. Generated ahead of time
 * (`node scripts/schemas.mjs`), because every call carries one and building it is the slowest part of a directive. */
export const responseJsonSchema = (name: ContractName): Record<string, unknown> => generated[name];

/** The content of `schemas.json`. */
export function makeResponseJsonSchema(name: ContractName): Record<string, unknown> {
  const { key, payload } = responseContracts[name];
  const envelope = z.strictObject({
    status: z.enum(envelopeStatuses),
    summary: z.string().min(1).max(responseLimits.summary),
    data: z.strictObject({ [key]: payload }),
  });
  return z.toJSONSchema(envelope, { io: "input" });
}

/** The same in the strict dialect, for servers that enforce a schema on a model's output. */
export const strictResponseSchema = (name: ContractName, optional?: Optional): Record<string, unknown> =>
  strictSchema(responseJsonSchema(name), optional);
