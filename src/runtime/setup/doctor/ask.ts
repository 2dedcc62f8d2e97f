// One tiny question to each agent of the crew: only a call shows that a login works. Nothing of the repository is in it.
import {
  badCheck,
  contractOfRole,
  FailureError,
  makeAck,
  okCheck,
  plainLine,
  type Configs,
  type DoctorCheck,
  type ProviderCall,
  type ProviderRegistry,
} from "../../../core/contract/index.ts";
import type { AskedAgent } from "../../../core/contract/setup/index.ts";
import { assignmentsOf, type Agent } from "../../../core/crew/index.ts";
import { crewNow } from "./crew.ts";

/** A program takes some seconds to start; one that says nothing for so long does not work. */
const patienceMs = 60_000;

const question =
  'This is a test of the connection. Use no tool and read no file. Answer at once in the form that is asked for; "ok" is enough for each text.';

const callOf = (model: string): ProviderCall => ({
  callId: "call_doctor",
  runId: "run_doctor",
  role: "critic",
  purpose: "summon",
  ordinal: 1,
  model,
  contract: contractOfRole.critic,
  ack: makeAck("run_doctor", "doctor"),
  prompt: question,
  directive: { question },
  workspace: { mode: "none", dir: null },
  timeoutMs: patienceMs,
  maxAnswerBytes: 100_000,
  options: undefined,
});

async function askOne(registry: ProviderRegistry, assignment: string, signal: AbortSignal): Promise<AskedAgent> {
  const nothing = { assignment, answered: false, ms: 0, tokens: null, usd: null };
  try {
    const { provider, model } = await registry.resolve(assignment);
    const answer = await (await provider.send(callOf(model), signal)).answer;
    const { outcome, durationMs: ms, usage, error } = answer;
    const tokens = usage ? usage.inputTokens + usage.outputTokens : null;
    const answered = outcome === "answered";
    const problem = answered ? null : plainLine(error ?? `no answer: ${outcome.replaceAll("_", " ")}`, 500);
    return { id: provider.id, assignment, answered, ms, tokens, usd: usage?.costUsd ?? null, problem };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const { message, remedy } = error.failure;
    const [id = assignment] = assignment.split(":");
    return { ...nothing, id, problem: plainLine(`${message} ${remedy ?? ""}`, 500) };
  }
}

/** One question for each provider of the crew: its models share a login. */
export async function askCrew(
  registry: ProviderRegistry,
  configs: Configs,
  agents: readonly Agent[],
  signal: AbortSignal,
): Promise<readonly AskedAgent[]> {
  const byProvider = new Map<string, string>();
  for (const assignment of assignmentsOf(await crewNow(registry, configs, agents))) {
    const [id = assignment] = assignment.split(":");
    if (!byProvider.has(id)) byProvider.set(id, assignment);
  }
  return Promise.all([...byProvider.values()].map((assignment) => askOne(registry, assignment, signal)));
}

export const askedChecks = (asked: readonly AskedAgent[]): DoctorCheck[] =>
  asked.map(({ id, assignment, answered, ms, problem }) =>
    answered
      ? okCheck(`asked ${id}`, `${assignment} answered in ${(ms / 1_000).toFixed(1)} s`)
      : badCheck(
          `asked ${id}`,
          "blocker",
          `${assignment} gave no answer: ${problem}`,
          "Log in again, or choose another agent: thehood teams",
        ),
  );
