// Commands about the machine, the crew and the configuration.
import { exitCodes, type TransferPurpose } from "../../../contract/index.ts";
import type { RoleRow } from "../../../operations/index.ts";
import type { Call, CommandBody } from "../spec.ts";
import { createStyle, type Style } from "../style.ts";
import { providerText, teamText } from "./setup-text.ts";

/** Prints data as JSON or as text, and answers the exit code. */
function tell<T>(
  get: (call: Call) => Promise<T>,
  text: (data: T, style: Style) => string,
  exit: (data: T) => number = () => exitCodes.ok,
): CommandBody {
  return {
    async run(call) {
      const data = await get(call);
      const code = exit(data);
      const whole = Array.isArray(data) ? { items: data } : data;
      call.io.out(
        call.json
          ? `${JSON.stringify({ schemaVersion: 1, ok: code === exitCodes.ok, ...whole })}\n`
          : text(data, createStyle(call.io.color)),
      );
      return code;
    },
  };
}

const scope = (call: Call) => (call.flags.on("user") ? ("user" as const) : ("repo" as const));
const word = (call: Call, name: string) => call.words[name] ?? "";

export const init = tell(
  (call) => call.given.setup.init(call.repo),
  ({ folder, exclude }, style) =>
    exclude === "not_git_repo"
      ? `${style.dim("·")} Nothing to prepare: this is no git repository. plan, research and review work here; for more: git init\n`
      : `${style.green("✔")} ${folder} is ready${exclude === "updated" ? "; it is listed in git's exclude file" : ""}\n`,
);

export const doctor = tell(
  (call) => call.given.setup.doctor(call.repo),
  (report, style) => {
    const marks = {
      ok: style.green("✔"),
      note: style.dim("·"),
      warning: style.yellow("◆"),
      blocker: style.red("✘"),
    };
    const rows = report.checks.map(
      (check) =>
        `${marks[check.state]} ${check.name.padEnd(16)} ${check.detail}${check.remedy ? `\n    ${style.dim(`→ ${check.remedy}`)}` : ""}\n`,
    );
    return `thehood ${report.version} on Node ${report.node}\n${rows.join("")}`;
  },
  (report) => (report.checks.some(({ state }) => state === "blocker") ? exitCodes.failure : exitCodes.ok),
);

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

export const roles = tell((call) => call.given.setup.roles(call.repo), crewText);
export const assignRole = tell(
  (call) => call.given.setup.setRole(call.repo, word(call, "role"), word(call, "agent"), scope(call)),
  (assigned, style) => `${style.green("✔")} ${assigned.assignment} (${assigned.identity})\n`,
);
export const teams = tell(
  (call) => call.given.setup.teams(call.repo),
  (rows, style) => rows.map((team) => teamText(team, style)).join(""),
);
export const applyTeam = tell(
  (call) => call.given.setup.applyTeam(call.repo, word(call, "team"), scope(call)),
  crewText,
);
export const models = tell(
  (call) => call.given.setup.models(call.repo, call.words["provider"]),
  (rows, style) => rows.map((row) => providerText(row, style)).join(""),
);
export const config = tell(
  (call) => call.given.setup.config(call.repo),
  (view, style) =>
    `${view.overruled.length > 0 ? `${style.yellow("The repository asks for looser rules than yours; yours stay:")} ${view.overruled.join("; ")}\n` : ""}${style.bold("yours")}       ${view.userFile}\n${JSON.stringify(view.user, null, 2)}\n${style.bold("repository")}  ${view.repoFile}\n${JSON.stringify(view.repo, null, 2)}\n`,
);
const changed = ({ userFile, user }: { userFile: string; user: unknown }, style: Style): string =>
  `${style.green("✔")} ${userFile}\n${JSON.stringify(user, null, 2)}\n`;
export const setConfig = tell(
  (call) => call.given.setup.setConfig(word(call, "key"), word(call, "value")),
  changed,
);
export const unsetConfig = tell((call) => call.given.setup.setConfig(word(call, "key")), changed);
export const policy = tell(
  async (call) => (await call.given.setup.config(call.repo)).policy,
  (found, style) => `${style.bold(`approvals: ${found.approvals}`)}\n${JSON.stringify(found, null, 2)}\n`,
);
export const setPolicy = tell(
  (call) => call.given.setup.setPolicy(word(call, "mode")),
  (found, style) => `${style.green("✔")} approvals: ${found.approvals}\n`,
);
export const access = tell(
  (call) =>
    call.given.setup.access(call.repo, (call.flags.text("purpose") ?? "repo_context") as TransferPurpose, {}),
  (report, style) => {
    const rows = report.destinations.map(
      (entry) =>
        `${entry.label.padEnd(24)} ${entry.assignment.padEnd(24)} ${entry.boundary === "external" ? style.yellow("leaves this machine") : style.green("stays here")}\n    ${style.dim(entry.crosses)}${entry.phrase ? style.dim(`; asks for: ${entry.phrase}`) : ""}\n`,
    );
    return `${rows.join("")}${report.approval}\n`;
  },
);
