// The four lanes of review, as the current pass stands. Each lane says in one place when it is satisfied (R-47).
import { roleTable, type Role } from "../../contract/index.ts";
import { acceptedOf, callOf, currentPass } from "../facts/index.ts";
import { regressions, openChecks } from "../review/index.ts";
import type { Pass, Run } from "../state/index.ts";
import { authorityOf, ownerOf, ownerRefs, runtimeOwner } from "./owners.ts";
import type { ReviewLane } from "./shapes.ts";

type Judged = Pick<ReviewLane, "state" | "satisfied" | "why">;

const pending = (why: string): Judged => ({ state: "pending", satisfied: false, why });

export function reviewLanes(run: Run): ReviewLane[] {
  const pass = currentPass(run);
  return [
    validationLane(run, pass),
    roleLane(run, pass, "qa"),
    roleLane(run, pass, "verifier"),
    roleLane(run, pass, "critic"),
  ];
}

function validationLane(run: Run, pass: Pass): ReviewLane {
  return {
    id: "validation",
    title: "Runtime validation",
    owner: runtimeOwner,
    authority: "runtime",
    required: run.created.mode === "implement",
    canSatisfyGate: true,
    ...judgeValidation(run, pass),
    refs: ownerRefs(
      [pass.validation?.artifact, ...pass.checks.flatMap((check) => [check.stdout])],
      [pass.validation?.seq],
    ),
    beside: [],
  };
}

function judgeValidation(run: Run, pass: Pass): Judged {
  if (!pass.validation)
    return pending(
      pass.checks.length > 0 ? `${pass.checks.length} check runs so far` : "No check has run on this work",
    );
  const lost = regressions(run, pass);
  if (lost.length > 0)
    return {
      state: "needs_revision",
      satisfied: false,
      why: `Passed before, fails now: ${lost.map(({ command }) => command).join(", ")}`,
    };
  const open = openChecks(run, pass);
  if (open.length > 0)
    return {
      state: "blocked",
      satisfied: false,
      why: `Needs the user's word: ${open.map(({ command }) => command).join(", ")}`,
    };
  const waived = pass.waivers.length > 0 ? `, ${pass.waivers.length} waived by the user` : "";
  const { length } = pass.validation.checks;
  return {
    state: "satisfied",
    satisfied: true,
    why: `${length === 1 ? "1 check" : `${length} checks`}${waived}`,
  };
}

const lanes = {
  qa: {
    title: "QA",
    callOf: (pass: Pass) => pass.qa,
    required: (pass: Pass) => pass.routing?.required.qa ?? false,
  },
  verifier: { title: "Verifier", callOf: (pass: Pass) => pass.verifier, required: () => true },
  critic: {
    title: "Critic",
    callOf: (pass: Pass) => pass.critic,
    required: (pass: Pass) => pass.routing?.required.critic ?? pass.trigger !== null,
  },
} as const;

function roleLane(run: Run, pass: Pass, role: keyof typeof lanes): ReviewLane {
  const lane = lanes[role];
  const callId = lane.callOf(pass);
  const call = callOf(run, callId);
  const accepted = acceptedOf(run, callId);
  const canSatisfyGate = roleTable[role].satisfies !== null;
  return {
    id: role,
    title: lane.title,
    owner: ownerOf(run, role),
    authority: authorityOf(role),
    required: run.created.mode === "implement" && lane.required(pass),
    canSatisfyGate,
    ...judgeRole(run, pass, role, canSatisfyGate),
    refs: ownerRefs([accepted?.response, call?.directive?.directive], [call?.result?.seq]),
    beside: summonsAbout(run, role),
  };
}

function judgeRole(run: Run, pass: Pass, role: keyof typeof lanes, canSatisfy: boolean): Judged {
  const skipped = pass.routing?.skipped.find((entry) => entry.role === role);
  const accepted = acceptedOf(run, lanes[role].callOf(pass));
  if (!accepted) {
    if (pass.accepted && role === "verifier")
      return { state: "satisfied", satisfied: true, why: "The user took the work as it is" };
    return skipped
      ? { state: "skipped", satisfied: false, why: skipped.reason }
      : pending("Not asked about this work yet");
  }
  const verdict = accepted.brief && "verdict" in accepted.brief ? accepted.brief.verdict : accepted.status;
  const why = `${verdict}: “${accepted.summary}”`;
  if (verdict === "approve" || verdict === "pass" || verdict === "acceptable")
    return { state: "satisfied", satisfied: canSatisfy, why };
  if (verdict === "revise" || verdict === "needs_revision")
    return { state: "needs_revision", satisfied: false, why };
  if (verdict === "failed" || verdict === "abort") return { state: "failed", satisfied: false, why };
  if (role === "verifier" && pass.accepted)
    return { state: "satisfied", satisfied: true, why: `The user took the work as it is, after ${why}` };
  return { state: "blocked", satisfied: false, why };
}

function summonsAbout(run: Run, role: Role): string[] {
  return run.side.tasks.flatMap((task) =>
    task.job.job === "summon" && task.job.request.role === role && task.end?.artifact
      ? [task.end.artifact.ref]
      : [],
  );
}
