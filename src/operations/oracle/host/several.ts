// One request of a client to several models: a session each, at most four, none of which changes the work tree.
import { FailureError, fail } from "../../../core/contract/index.ts";
import type {
  ConsultOutput,
  Options,
  RunOutcome,
  SessionView,
  Transport,
} from "../../../core/contract/transport/index.ts";
import { requestsOf } from "../ask-several.ts";
import { nothingYet } from "./nothing-yet.ts";

/** A client is often steered by a model, and each one costs the user's money. */
const mostModels = 4;
const longestAnswer = 50_000;

interface SeveralDeps {
  readonly transport: Transport;
  readonly signal: AbortSignal;
  confine(options: Options): Options;
}

interface How {
  readonly action: string;
  readonly waitSeconds: number;
  readonly dryRun: boolean;
  readonly sessionId?: string | undefined;
}

type Part = NonNullable<ConsultOutput["several"]>[number];

function partOf(model: string, seen: RunOutcome | SessionView): Part {
  const { record, result } = seen;
  const answer = "answer" in seen ? seen.answer : null;
  return {
    model,
    sessionId: record.id,
    status: record.status,
    done: result !== null,
    answer: answer?.slice(0, longestAnswer) ?? null,
  };
}

/** `partial` when some of them succeeded; the first status where none did. */
function statusOf(parts: readonly Part[]): string {
  if (parts.some(({ done }) => !done)) return "running";
  const statuses = new Set(parts.map(({ status }) => status));
  if (statuses.size === 1) return parts[0]?.status ?? "error";
  return statuses.has("success") ? "partial" : (parts[0]?.status ?? "error");
}

export async function consultSeveral(
  models: readonly string[],
  options: Options,
  { action, waitSeconds, dryRun, sessionId }: How,
  { transport, signal, confine }: SeveralDeps,
): Promise<ConsultOutput> {
  const requests = requestsOf(models, options);
  if (requests.length > mostModels)
    fail("invalid_input", `models: ${requests.length} are too many for one call.`, {
      remedy: `Name at most ${mostModels}; a person can ask more with the command line.`,
    });
  if (dryRun || sessionId !== undefined || action === "poll")
    fail("invalid_input", "models: only a new request goes to several models.", {
      remedy: "Look at each session by its sessionId, and make a dry run with one model.",
    });
  const waiting = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, waitSeconds * 1000))]);
  const waits = action === "wait" && waitSeconds > 0;
  const one = async (model: string, own: Options): Promise<Part> => {
    try {
      const started = await transport.start(await transport.resolve(confine(own), async () => null));
      const seen = waits
        ? await transport.follow(started.record.id, { onLine: () => undefined, signal: waiting })
        : started;
      return partOf(model, seen);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      const { code, message } = error.failure;
      return { model, sessionId: null, status: "error", done: true, answer: `${code}: ${message}` };
    }
  };
  const several = await Promise.all(requests.map(({ model, options: own }) => one(model, own)));
  return { ...nothingYet, status: statusOf(several), done: several.every(({ done }) => done), several };
}
