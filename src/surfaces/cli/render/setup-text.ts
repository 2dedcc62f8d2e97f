// Agents and teams as lines for people.
import type { ProviderRow, Team } from "../../../operations/index.ts";
import type { Style } from "../../argv/index.ts";

export function teamText(team: Team, style: Style): string {
  const mark = team.available ? style.green("✔") : style.dim("·");
  const seats = Object.entries(team.roles).map(([role, agent]) => `${role} ${agent}`);
  const lacks = team.missing.map(
    ({ problem, remedy }) =>
      `    ${style.yellow(problem)}\n${remedy ? `    ${style.dim(`→ ${remedy}`)}\n` : ""}`,
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
    const stands = model.alias ? ` = ${model.alias}` : "";
    const answers = model.identity === model.assignment ? "" : style.dim(`  answers as ${model.identity}`);
    return `    ${model.assignment}${stands}${answers}${model.default ? style.dim("  (its own choice)") : ""}\n`;
  });
  const any = row.models.length === 0 && row.usable !== "no" ? `    ${row.id}:ANY-NAME\n` : "";
  return `${color(marks[row.usable])} ${style.bold(row.id)}  ${row.about}\n  ${style.dim(facts.join("; "))}\n${trouble}${models.join("")}${any}`;
}
