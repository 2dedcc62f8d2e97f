// Waits for the checks of the pull request of a run, records their result with the logs of what failed, and takes the draft mark
// away where they pass.
import { fail, FailureError } from "../../core/contract/index.ts";
import { ciOf, failedChecks, requestTexts, type CiState, type ForgeRequest } from "../../core/crew/request/index.ts";
import type { Context, ForgePort, Proposal, RepositoryRuns } from "../context/index.ts";

export interface CiWatch {
  readonly runId: string;
  readonly number: number;
  readonly url: string;
  readonly state: Exclude<CiState, "pending">;
  readonly checks: readonly { readonly name: string; readonly state: string; readonly url: string }[];
  readonly draft: boolean;
  /** What to do next, as a command. */
  readonly next: string;
}

interface Patience {
  readonly everySeconds: number;
  readonly minutes: number;
}

/** A forge that cannot be reached for a moment is asked again; checks that begin late are waited for. */
const mostTroubles = 5;
const looksForNone = 3;
/** A fast check passes before others have begun: as many of them must pass at the next look, too. */
const looksForPassed = 2;

export async function watchCi(
  runs: RepositoryRuns,
  runId: string,
  { ready, ...patience }: Patience & { readonly ready: boolean },
  context: Context,
): Promise<CiWatch> {
  const proposal = await runs.proposal(runId);
  const forge = await context.ports.forge(context.folder);
  const id = await numberOf(forge, proposal);
  const request = await settled(forge, id, proposal, patience, context);
  const checks = request.checks.map(({ name, state, url }) => ({ name, state, url }));
  const state = ciOf(request.checks) as CiWatch["state"];
  const { url, number } = request;
  const logs = state === "failed" ? await logsOf(forge, request, context) : [];
  const ci = { commit: proposal.commit, url, state, checks: checks.slice(0, 200) };
  await runs.recordCi(runId, ci, logs, context.actor);
  const marks = ready && request.draft && state === "passed";
  if (marks) await forge.ready(id);
  const draft = request.draft && !marks;
  return { runId, number, url, state, checks, draft, next: nextStep(state, draft, number) };
}

function nextStep(state: CiWatch["state"], draft: boolean, number: number): string {
  if (state === "failed") return `thehood run --pr ${number}`;
  return draft && state === "passed" ? "thehood pr watch RUN --ready" : 'thehood run --after RUN "…"';
}

async function numberOf(forge: ForgePort, { branch }: Proposal): Promise<string> {
  const id = /\/(\d+)\/?$/.exec((await forge.find(branch)) ?? "")?.[1];
  return (
    id ??
    fail("not_found", `There is no open pull request for ${branch}.`, {
      remedy: "Open one: thehood pr RUN --yes. One that was merged or closed is over.",
    })
  );
}

/** The request once its checks have ended; refused where it is no longer about the commit of the run. */
async function settled(
  forge: ForgePort,
  id: string,
  proposal: Proposal,
  { everySeconds, minutes }: Patience,
  context: Context,
): Promise<ForgeRequest> {
  const until = Date.now() + minutes * 60_000;
  let [troubles, nones, passes, count, shown] = [0, 0, 0, 0, ""];
  for (;;) {
    const request = await lookOnce(forge, id, (troubles += 1) >= mostTroubles, context);
    if (request) {
      troubles = 0;
      refuseOver(request, proposal);
      const state = ciOf(request.checks);
      nones = state === "none" ? nones + 1 : 0;
      passes = state !== "passed" ? 0 : request.checks.length === count ? passes + 1 : 1;
      count = request.checks.length;
      const last = Date.now() >= until && state === "passed";
      if (last || passes >= looksForPassed || state === "failed" || nones >= looksForNone) return request;
      const line = waitingFor(request, state);
      if (line !== shown) context.tell(`· ${(shown = line)}`);
    }
    if (Date.now() >= until)
      fail("timeout", `The checks of ${request?.url ?? `request ${id}`} have not ended within ${minutes} minutes.`, {
        remedy: "Nothing is lost. Wait on: thehood pr watch",
      });
    await pause(everySeconds * 1_000, context.signal);
  }
}

function waitingFor({ checks }: ForgeRequest, state: CiState): string {
  if (state === "none") return "no check has begun yet";
  const open = checks.filter((check) => check.state === "pending").length;
  return state === "passed"
    ? `${checks.length} of ${checks.length} checks pass; looking once more for others that begin late`
    : `${open} of ${checks.length} checks still run`;
}

async function lookOnce(
  forge: ForgePort,
  id: string,
  last: boolean,
  context: Context,
): Promise<ForgeRequest | undefined> {
  try {
    return await forge.request(id);
  } catch (error) {
    if (last || !(error instanceof FailureError)) throw error;
    context.tell(`· asked again soon: ${error.failure.message}`);
    return undefined;
  }
}

function refuseOver({ number, state, head }: ForgeRequest, { commit, branch }: Proposal): void {
  if (state !== "open")
    fail("conflict", `Pull request ${number} is ${state}, so its checks are not waited for.`, {
      remedy: state === "merged" ? "The work is in. Update your branch: git pull" : "Open it again on its page.",
    });
  if (head !== commit)
    fail("conflict", `The tip of ${branch} is ${head.slice(0, 12)}, and this run made ${commit.slice(0, 12)}.`, {
      remedy: `Its checks are about other work. Look at it (git log), or go on from there: thehood run --pr ${number}`,
    });
}

async function logsOf(forge: ForgePort, request: ForgeRequest, context: Context) {
  const logs = new Map<string, string>();
  for (const check of failedChecks(request)) logs.set(check.name, await forge.log(check));
  const [, ...texts] = requestTexts(request, logs);
  return Promise.all(
    texts.map(async ({ name, text }) => ({
      name: (await context.ports.judges.secrets(name)).redacted,
      text: (await context.ports.judges.secrets(text)).redacted,
    })),
  );
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new FailureError({ code: "interrupted", message: "The wait was ended; nothing is lost." }));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
