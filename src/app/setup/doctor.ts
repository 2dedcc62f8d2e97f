// What is really active on this machine, found by looking and trying, without calling a model.
import { statfsSync } from "node:fs";
import process from "node:process";
import { FailureError, type Configs, type ProviderRegistry } from "../../contract/index.ts";
import type { AgentBrief, DoctorCheck } from "../../operations/index.ts";
import { git, trackedRemedy, trackedState } from "../../git/index.ts";
import { inspectRepository } from "../../stranger/index.ts";
import { detectSandbox } from "../../sandbox/index.ts";
import { configPaths, readConfigs } from "../../config/index.ts";
import type { Environment } from "../environment.ts";
import { clock } from "../../system/index.ts";
import type { Place } from "../../git/index.ts";
import { createProviders } from "../providers.ts";
import { type Agent, glanceMs, lookAt } from "./agents.ts";
import { overruled, userPolicy } from "../../crew/policy/index.ts";
import { crewRows, wantedCrew } from "./crew.ts";
import { standingCrew } from "./fill.ts";
import { findCrew, isNobody } from "./found.ts";
import { briefOf } from "./rows.ts";
import { byOrder } from "./seats.ts";

const ok = (name: string, detail: string): DoctorCheck => ({ name, state: "ok", detail, remedy: null });
const bad = (
  name: string,
  state: "note" | "warning" | "blocker",
  detail: string,
  remedy: string | null,
): DoctorCheck => ({ name, state, detail, remedy });

/** A failure of one look is a finding, not the end of the others. */
async function look(
  name: string,
  find: () => Promise<DoctorCheck[]> | DoctorCheck[],
): Promise<DoctorCheck[]> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return [bad(name, "blocker", error.failure.message, error.failure.remedy ?? null)];
  }
}

export async function examine(
  place: Place,
  environment: Environment,
): Promise<{ checks: DoctorCheck[]; agents: AgentBrief[] }> {
  let agents: readonly Agent[] = [];
  const found = await Promise.all([
    look("node", () => [ok("node", `${process.version}, ${process.platform} ${process.arch}`)]),
    look("repository", () => repository(place)),
    look("safe to open", () => safety(place)),
    look("git", () => gitProgram(place)),
    look("sandbox", sandbox),
    look("configuration", () => configuration(place, environment)),
    look("agents", async () => {
      const registry = createProviders(environment, place.root);
      agents = await lookAt(await registry.list(), glanceMs);
      const configs = readConfigs(environment.configDir, place.root);
      const seats = await look("crew", () => crew(registry, configs, agents));
      return [...agentChecks(agents), ...(isNobody(wantedCrew(configs)) ? softly(seats) : seats)];
    }),
    look("store", () => store(place)),
    look("disk", () => disk(place)),
  ]);
  return { checks: told(found.flat()), agents: agents.map(briefOf) };
}

/** A broken configuration stands in the way of several looks; it is told once. */
function told(checks: readonly DoctorCheck[]): DoctorCheck[] {
  return checks.filter(
    ({ state, detail }, index) =>
      state === "ok" || checks.findIndex((other) => other.detail === detail) === index,
  );
}

async function repository({ repository: found, root }: Place): Promise<DoctorCheck[]> {
  if (!found)
    return [
      bad(
        "repository",
        "warning",
        `${root} is no git repository: only plan, research and review work here`,
        "git init, and commit something",
      ),
    ];
  const tracked = trackedState(found);
  return tracked.length > 0
    ? [
        bad(
          "repository",
          "blocker",
          "this repository tracks a .thehood/ folder: a stranger could steer runs with it",
          trackedRemedy,
        ),
      ]
    : [ok("repository", root)];
}

async function safety({ root }: Place): Promise<DoctorCheck[]> {
  const { findings } = inspectRepository(root);
  return findings.length === 0
    ? [ok("safe to open", "nothing here would run or steer an agent by itself")]
    : [
        bad(
          "safe to open",
          "warning",
          `${findings.length} things here would run or steer an agent`,
          "thehood check repo",
        ),
      ];
}

async function gitProgram({ repository: found }: Place): Promise<DoctorCheck[]> {
  if (!found) return [];
  const { stdout } = await git(found, ["version"]);
  return [ok("git", stdout.toString("utf8").trim())];
}

async function sandbox(): Promise<DoctorCheck[]> {
  const report = await detectSandbox();
  return report.kind === "none"
    ? [bad("sandbox", "warning", report.note, report.remedy ?? null)]
    : [
        ok(
          "sandbox",
          `${report.program ?? report.kind}${report.version ? ` ${report.version}` : ""}: ${report.protection.join("; ")}`,
        ),
      ];
}

function configuration(place: Place, environment: Environment): DoctorCheck[] {
  const { user, repo } = readConfigs(environment.configDir, place.root);
  const asked = overruled(userPolicy(user.policy), repo.policy);
  if (asked.length === 0) return [ok("configuration", configPaths(environment.configDir, place.root).user)];
  return [
    bad(
      "configuration",
      "note",
      `this repository asks for looser rules than yours, which stay: ${asked.join("; ")}`,
      "thehood config shows both",
    ),
  ];
}

/** One line an agent. Those that are not installed are worth a note, and no more. */
function agentCheck({ provider, health, usable }: Agent): DoctorCheck {
  const { installed, version, where, login, models, sandbox, problem, remedy } = health;
  if (!installed) return bad(provider.id, "note", problem ?? "not installed", remedy);
  const program = provider.traits.edits === "worktree";
  // A key that nobody set is nothing out of order; a program that cannot work is.
  if (problem !== null) return bad(provider.id, program ? "warning" : "note", problem, remedy);
  const logins = { present: "logged in", missing: "not logged in", unknown: "login unknown" };
  const known = models.slice(0, 6).join(", ") + (models.length > 6 ? `, and ${models.length - 6} more` : "");
  const detail = [
    version ?? (program ? "version unknown" : null),
    where,
    logins[login],
    models.length > 0 ? `models: ${known}` : null,
    sandbox,
  ];
  return {
    name: provider.id,
    state: usable === "yes" ? "ok" : "note",
    detail: detail.filter((part) => part !== null).join("; "),
    remedy,
  };
}

function agentChecks(agents: readonly Agent[]): DoctorCheck[] {
  return byOrder(agents.filter(({ provider }) => provider.traits.modelBacked)).map(agentCheck);
}

async function crew(
  registry: ProviderRegistry,
  configs: Configs,
  agents: readonly Agent[],
): Promise<DoctorCheck[]> {
  const configured = wantedCrew(configs);
  const wanted = isNobody(configured)
    ? findCrew(agents, "implement")
    : await standingCrew(configured, registry, agents);
  const rows = await crewRows(registry, wanted, agents);
  const broken = rows.filter(({ problem }) => problem !== null);
  const missing = ["implementer", "verifier"].filter(
    (role) => rows.find((row) => row.role === role)?.source === "unassigned",
  );
  const all = rows.flatMap((row) => (row.assignment ? [`${row.role} ${row.assignment}`] : [])).join(", ");
  return [
    ...broken.map((row) =>
      bad(
        "crew",
        "blocker",
        `${row.role}: ${row.problem}`,
        row.remedy ?? `thehood roles set ${row.role} provider:model`,
      ),
    ),
    missing.length > 0
      ? bad(
          "crew",
          "warning",
          `nobody is assigned as ${missing.join(" and ")}`,
          "thehood teams, or thehood roles set implementer provider:model",
        )
      : ok("crew", isNobody(configured) ? `found on this machine, nothing is configured: ${all}` : all),
  ];
}

/** With nothing configured and nobody found a run cannot begin, but everything else works. */
function softly(checks: DoctorCheck[]): DoctorCheck[] {
  return checks.map((check) => (check.state === "blocker" ? { ...check, state: "warning" } : check));
}

async function store({ stateDir }: Place): Promise<DoctorCheck[]> {
  const { openStore } = await import("../../store/index.ts");
  const opened = openStore(stateDir, { clock, mode: "read" });
  try {
    return [ok("store", `${opened.log.count()} runs in ${stateDir}`)];
  } finally {
    opened.close();
  }
}

function disk({ root }: Place): DoctorCheck[] {
  const { bavail, bsize } = statfsSync(root);
  const megabytes = Math.floor((Number(bavail) * Number(bsize)) / 1_048_576);
  return [
    megabytes < 500
      ? bad("disk", "warning", `${megabytes} MB free`, "Make room before a run")
      : ok("disk", `${megabytes} MB free`),
  ];
}
