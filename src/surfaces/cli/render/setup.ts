// The machine, the roles and the configuration as text.
import type { ProviderRow, Team, ConfigOrigin, ConfigView, RoleRow, Setup } from "../../../operations/index.ts";
import type { Style } from "../../argv/index.ts";
import type { AllowedDestination, Policy, ResolvedAssignment } from "../../../core/contract/index.ts";
import type { RunSnapshot } from "../../../operations/run-data/index.ts";
import type { PreviewImport } from "../../../core/contract/setup/index.ts";
import { importText } from "./preview-import.ts";
import { printStatus, statusJson } from "./run.ts";
import { renders, texts } from "./view.ts";

export function teamText(team: Team, style: Style): string {
  const mark = team.available ? style.green("✔") : style.dim("·");
  const seats = Object.entries(team.roles).map(([role, agent]) => `${role} ${agent}`);
  const lacks = team.missing.map(
    ({ problem, remedy }) => `    ${style.yellow(problem)}\n${remedy ? `    ${style.dim(`→ ${remedy}`)}\n` : ""}`,
  );
  return `${mark} ${style.bold(team.name)}  ${team.about}\n  ${style.dim(seats.join(", "))}\n${lacks.join("")}`;
}

const marks = { yes: "✔", unknown: "◆", no: "✘" } as const;

export function providerText(row: ProviderRow, style: Style): string {
  const color = { yes: style.green, unknown: style.yellow, no: style.red }[row.usable];
  const facts = [
    row.version,
    row.boundary === "external" ? "sends to a service elsewhere" : "stays on this machine",
    row.modelBacked ? `login ${row.login}` : "no model behind it",
    row.sandbox,
  ].filter((fact) => fact !== null);
  const trouble = row.problem
    ? `  ${style.yellow(row.problem)}\n${row.remedy ? `  ${style.dim(`→ ${row.remedy}`)}\n` : ""}`
    : "";
  const models = row.models.map((model) => {
    const alias = model.alias ? ` = ${model.alias}` : "";
    const answers = model.identity === model.assignment ? "" : style.dim(`  answers as ${model.identity}`);
    return `    ${model.assignment}${alias}${answers}${model.default ? style.dim("  (its own choice)") : ""}\n`;
  });
  const any = row.models.length === 0 && row.usable !== "no" ? `    ${row.id}:ANY-NAME\n` : "";
  return `${color(marks[row.usable])} ${style.bold(row.id)}  ${row.about}\n  ${style.dim(facts.join("; "))}\n${trouble}${models.join("")}${any}`;
}

export const init = texts<Awaited<ReturnType<Setup["init"]>> | PreviewImport>((result, { style }) => {
  if ("changes" in result) return importText(result, style);
  const { folder, exclude, preview } = result;
  const hint = preview
    ? `${style.yellow("◆")} The folder of the public preview is here. See its runs and settings, and take them over: thehood init --import\n`
    : "";
  return exclude === "not_git_repo"
    ? `${style.dim("·")} Nothing to prepare: this is not a git repository. plan, research and review work here; for more: git init\n${hint}`
    : `${style.green("✔")} ${folder} is ready${exclude === "updated" ? "; it is listed in git's exclude file" : ""}\n${hint}`;
});

function roleRows(rows: readonly RoleRow[], style: Style): string {
  const may = (row: RoleRow) => ["read", "edit", "run"].filter((name) => row[name as "read"]).join(", ");
  return rows
    .map(
      (row) =>
        `${row.label.padEnd(24)} ${(row.assignment ?? row.source).padEnd(24)} ${style.dim(`${row.source.padEnd(10)} may ${may(row)}${row.satisfies ? `; satisfies ${row.satisfies}` : ""}`)}${row.why ? style.dim(`; ${row.why}`) : ""}${row.problem ? `\n    ${style.red(row.problem)}` : ""}${row.remedy ? `\n    ${style.dim(`→ ${row.remedy}`)}` : ""}\n`,
    )
    .join("");
}

const crewText = (rows: readonly RoleRow[], style: Style): string =>
  `${roleRows(rows, style)}${
    rows.some(({ source }) => source === "found")
      ? `Nothing is configured: these were found on this machine. Choose yourself: thehood teams, thehood roles set\n`
      : ""
  }`;

export const roles = texts<readonly RoleRow[]>((rows, { style }) => crewText(rows, style));

function assignedText({ assignment, identity }: ResolvedAssignment, style: Style): string {
  const answers = identity === assignment ? "" : `, which answers as ${identity}`;
  return `${style.green("✔")} ${assignment}${answers}\n`;
}

interface RoleSet {
  readonly assigned?: ResolvedAssignment;
  readonly standing?: RunSnapshot;
}

export const rolesSet = renders<RoleSet>({
  json: ({ assigned, standing }, _, exit) =>
    standing ? statusJson(standing, exit) : { schemaVersion: 1, ok: true, ...assigned },
  print({ assigned, standing }, view) {
    if (standing) return printStatus(standing, view);
    if (assigned) view.io.out(assignedText(assigned, view.style));
    return undefined;
  },
});

export const teams = texts<readonly Team[]>((rows, { style }) => rows.map((team) => teamText(team, style)).join(""));

export const models = texts<readonly ProviderRow[]>((rows, { style }) =>
  rows.map((row) => providerText(row, style)).join(""),
);

export const config = texts<ConfigView | { readonly values: readonly ConfigOrigin[] }>((view, { style }) =>
  "values" in view ? originText(view.values, style) : filesText(view, style),
);

const originText = (values: readonly ConfigOrigin[], style: Style): string =>
  values
    .map(({ key, value, from }) => `${style.bold(key)} = ${JSON.stringify(value)}\n    ${style.dim(from.join(", "))}\n`)
    .join("");

const filesText = (view: ConfigView, style: Style): string =>
  `${view.notes.map((note) => `${style.yellow("◆")} ${note}\n`).join("")}${view.overruled.length > 0 ? `${style.yellow("The repository asks for looser rules than yours; yours stay:")} ${view.overruled.join("; ")}\n` : ""}${style.bold("yours")}       ${view.userFile}\n${JSON.stringify(view.user, null, 2)}\n${style.bold("repository")}  ${view.repoFile}\n${JSON.stringify(view.repo, null, 2)}\n`;

export const changed = texts<{ readonly userFile: string; readonly user: unknown }>(
  ({ userFile, user }, { style }) => `${style.green("✔")} ${userFile}\n${JSON.stringify(user, null, 2)}\n`,
);

export const policySet = texts<Policy>(({ approvals }, { style }) => `${style.green("✔")} approvals: ${approvals}\n`);

export const access = texts<Awaited<ReturnType<Setup["access"]>>>((report, { style }) => {
  const rows = report.destinations.map(
    (entry) =>
      `${entry.label.padEnd(24)} ${entry.assignment.padEnd(24)} ${entry.boundary === "external" ? style.yellow("leaves this machine") : style.green("stays here")}\n    ${style.dim(entry.crosses)}${entry.phrase ? style.dim(`; asks for: ${entry.phrase}`) : ""}\n`,
  );
  return `${rows.join("")}${report.approval}\n${style.dim(report.cost)}\n${allowedText(report.allowed, style)}`;
});

const allowedLine = ({ provider, place, maxBytes, since }: AllowedDestination): string =>
  `  ${provider.padEnd(24)} ${place}: up to ${maxBytes} bytes a call without secret risk, since ${since.slice(0, 10)}\n`;

const allowedText = (allowed: readonly AllowedDestination[], style: Style): string =>
  allowed.length === 0
    ? ""
    : `\n${style.bold("Destinations that you allowed")}\n${allowed.map(allowedLine).join("")}${style.dim("Take one back: thehood access revoke PROVIDER")}\n`;

export const accessRevoke = texts<Awaited<ReturnType<Setup["revokeDestination"]>>>(
  ({ revoked, allowed }, { style }) =>
    `${style.green("✔")} Transfers to these are asked about again:\n${revoked.map(allowedLine).join("")}${allowedText(allowed, style)}`,
);
