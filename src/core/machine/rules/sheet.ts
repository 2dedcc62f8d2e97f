// The one question at the end of a run (B-3): the diff, the evidence, the verdicts, protected changes and waivers on one
// sheet. Every question stays a gate of its own kind; one answer answers them together.
import { type GatePart, type PatchJudgement, plainLine, roleTable, visibleName } from "../../contract/index.ts";
import { acceptedOf, branchWords, callOf, deliveryOf, undelivered } from "../facts/index.ts";
import { list, secretLines, sizeLine } from "../gate/lines.ts";
import { openGate } from "../gate/open.ts";
import type { Decision, MachineDeps } from "../decision.ts";
import {
  aboutOpen,
  blindMeasure,
  failureClassOf,
  needsProtectedApproval,
  protectedInOrder,
  reviewTree,
  compareChecks,
  unplannedPartakers,
  openChecks,
} from "../review/index.ts";
import type { Pass, Run } from "../state/index.ts";
import { askingDoubts, doubtLines, doubtsOf } from "../review/doubts.ts";
import { unconfined, checkMeasure } from "../review/measure.ts";

/** The open questions about this candidate, the strictest first. */
function partsOf(run: Run, pass: Pass): GatePart[] {
  const waivers = openChecks(run, pass).map(({ checkId, command, standing }): GatePart => ({
    kind: "validation_waiver",
    phrase: `waive ${command}`,
    checkId,
    cause: standing,
  }));
  const guarded: GatePart[] = needsProtectedApproval(run, pass)
    ? [{ kind: "protected_patch_changes", phrase: "protected test changes", cause: "protected_change" }]
    : [];
  return [...waivers, ...guarded, { kind: "isolated_patch_application", phrase: "apply isolated patch" }];
}

/** After the name: why it asks for less than a change that can weaken the checks. */
const effectLabels = {
  weakens: "",
  follows: ", follows another file of this change",
  adds: ", takes nothing away",
} as const;
const changeLabels = { removed: "REMOVED", changed: "changed", added: "new" } as const;

function protectedLines(judgement: PatchJudgement): string[] {
  if (judgement.protectedPaths.length === 0) return [];
  return [
    "Changed tests, CI files and settings of the checks:",
    ...protectedInOrder(judgement).map(
      ({ path, why, change, effect }) =>
        `- ${changeLabels[change ?? "changed"]}: ${visibleName(path)} (${plainLine(why, 100)})${effectLabels[effect ?? "weakens"]}`,
    ),
    ...(judgement.definingPaths.length > 0
      ? ["Checks ran as the base commit defines them, and as this work defines them."]
      : []),
  ];
}

function declaredLines({ declaredPaths = [] }: PatchJudgement): string[] {
  if (declaredPaths.length === 0) return [];
  return [
    "Files that look like tests and that you declared as product:",
    ...declaredPaths.map((path) => `- ${visibleName(path)}`),
  ];
}

function checkLines(run: Run, pass: Pass): string[] {
  const all = compareChecks(run, pass);
  if (all.length === 0) return ["checks: the project defines none"];
  return [
    "checks, run by the runtime:",
    ...all.map((one) => `- \`${one.command}\`: ${one.standing.replaceAll("_", " ")}; ${checkMeasure(one)}`),
  ];
}

/** For the person alone: names of tests go to nobody else. */
function blindLines(run: Run, { blindTests }: Pass): string[] {
  if (!blindTests) return [];
  const { failingNames, unused, files } = blindTests;
  const named = files.map((path) => visibleName(path)).join(", ");
  const keeps =
    deliveryOf(run).branch === undefined ? "; with your approval you can also keep them, as files of your own" : "";
  return [
    `blind tests: ${blindMeasure(blindTests)}`,
    ...failingNames.map((name) => `- fails on this work: ${visibleName(plainLine(name, 200))}`),
    ...unused.map((why) => `- not used: ${visibleName(plainLine(why, 200))}`),
    ...(files.length > 0 ? [`They are not part of this change (${named})${keeps}.`] : []),
  ];
}

/** Protected files stand on the sheet by name already. */
function partakingLines(run: Run, pass: Pass, { protectedPaths }: PatchJudgement): string[] {
  const known = new Set(protectedPaths.map(({ path }) => path));
  const { planned, found } = unplannedPartakers(run, pass);
  const named = found.filter(({ path }) => !known.has(path));
  if (named.length === 0) return [];
  const paths = named.map(({ path }) => visibleName(path));
  if (!planned)
    return [`Your checks run code from ${paths.join(", ")}. (The plan did not say which files would change.)`];
  return [
    "Changed files that take part in checks and that the plan does not name:",
    ...named.map(({ commands }, at) => `- ${paths[at]} (read by \`${commands.join("`, `")}\`)`),
  ];
}

function verdictLines(run: Run, pass: Pass): string[] {
  return (["qa", "verifier", "critic"] as const).flatMap((role) => {
    const accepted = acceptedOf(run, pass[role]);
    const brief = accepted?.brief;
    if (!accepted || !brief || !("verdict" in brief)) return [];
    const who = callOf(run, pass[role])?.record.assignment.assignment ?? "";
    return [`- ${roleTable[role].label} (${who}) says ${brief.verdict}: “${plainLine(accepted.summary, 300)}”`];
  });
}

/** Protected paths stand on the sheet by name already. */
const otherFindings = ({ findings }: PatchJudgement) => findings.filter(({ reason }) => reason !== "protected_path");

/** New tests alone do not need a person while the tests of the base pass. */
function asThePolicySees(run: Run, pass: Pass, judgement: PatchJudgement): PatchJudgement {
  const asks = needsProtectedApproval(run, pass) || otherFindings(judgement).length > 0;
  return asks || judgement.verdict === "reject" ? judgement : { ...judgement, verdict: "accept" };
}

function findingLines(judgement: PatchJudgement): string[] {
  return [
    ...otherFindings(judgement).map(({ reason, message }) => `- found: ${reason}: ${visibleName(message)}`),
    ...secretLines(judgement),
  ];
}

const firstLines = (run: Run): string[] => [unconfined(run)].filter((line) => line !== null);

function aboutFirst(first: GatePart | undefined, doubted: boolean): { checkId?: string; cause?: string } {
  const cause = first?.cause ?? (doubted ? "doubt" : undefined);
  return {
    ...(first?.checkId === undefined ? {} : { checkId: first.checkId }),
    ...(cause === undefined ? {} : { cause }),
  };
}

/** Messages that came after the last reviewer began are part of no verdict. */
const messageLines = (run: Run): string[] =>
  undelivered(run).map(
    ({ text }) =>
      `You wrote this after the last agent was asked, so no agent has worked by it: “${plainLine(text, 4_000)}”`,
  );

const classOf = (run: Run, pass: Pass) => failureClassOf(openChecks(run, pass)[0]?.kind ?? "other");

/** The push is part of what a person approves here: the remote, its address, the branch and the number of commits. */
function pushLines({ created }: Run, branch: string | undefined): string[] {
  if (created.pullRequest === undefined) return [];
  const { remote, url, into } = created.pullRequest;
  return [
    `Then 1 commit and its evidence are pushed to ${branch === undefined ? "your branch" : plainLine(branch, 200)} of ${plainLine(remote, 200)} (${plainLine(url, 300)}), and a draft pull request is opened${into === undefined ? "" : ` in ${plainLine(into, 300)}`}.`,
  ];
}

export function resultSheet(run: Run, pass: Pass, deps: MachineDeps): Decision {
  const { judgement, captured } = pass;
  const patch = captured?.patch;
  if (!judgement || !patch) throw new Error(`Pass ${pass.number} has no verified work to ask about.`);
  const parts = partsOf(run, pass);
  const [first] = parts;
  const verdicts = verdictLines(run, pass);
  const toBranch = deliveryOf(run).branch;
  const doubts = doubtsOf(run, pass);
  const asking = askingDoubts(run, doubts);
  return openGate(run, deps, {
    kind: first?.kind ?? "isolated_patch_application",
    title:
      toBranch === undefined
        ? "Apply the verified work to the checkout"
        : `Put the verified work on ${branchWords(run, toBranch)}`,
    continuation: "apply_patch",
    phrase: parts.map(({ phrase }) => phrase).join("; "),
    parts,
    ...(first?.kind === "validation_waiver" ? { failureClass: classOf(run, pass) } : {}),
    about: aboutFirst(first, asking.length > 0),
    doubts,
    shown: [
      ...doubtLines(doubts),
      ...messageLines(run),
      ...firstLines(run),
      ...openChecks(run, pass).flatMap((open) => [...aboutOpen(run, pass, open), ""]),
      ...protectedLines(judgement),
      ...declaredLines(judgement),
      ...findingLines(judgement),
      ...partakingLines(run, pass, judgement),
      ...checkLines(run, pass),
      ...blindLines(run, pass),
      ...(verdicts.length > 0 ? ["reviews, in the words of the agents:", ...verdicts] : []),
      sizeLine(judgement),
      ...list(judgement.paths, Infinity),
      `base: commit ${run.base.commit ?? "none"}`,
      `verified tree: ${reviewTree(run)}`,
      `patch sha256: ${patch.patchSha256}`,
      pass.looks.some(({ moment }) => moment === "last")
        ? "It is in your checkout already, together with the edits that you made."
        : toBranch === undefined
          ? "Nothing of it is in your checkout yet."
          : run.created.continuesBranch === true
            ? "Your checkout is not touched; the branch gets one more commit, after the base."
            : "Your checkout is not touched; the branch is made as one commit.",
      ...pushLines(run, toBranch),
    ],
    whole: true,
    refs: [patch.patch, pass.validation?.artifact, pass.blindTests?.text].filter((ref) => ref !== undefined),
    facts: {
      judgement: asThePolicySees(run, pass, judgement),
      doubts: asking.length,
      undelivered: undelivered(run).length > 0,
    },
  });
}
