// Sessions of the gateway in a list: what each is, whether it waits for values, and the next command.
import type { SessionRow } from "../../../operations/run-data/index.ts";
import type { Style } from "../../argv/index.ts";
import { ago, safe } from "./list.ts";

function sessionText({ id, kind, status, title, updatedAt, error, requested = [] }: SessionRow, style: Style): string {
  const paint = status === "failed" ? style.red : style.cyan;
  const head = `${id}  ${paint(status)}  ${style.dim(`${kind} session, ${ago(Date.now() - updatedAt)}`)}`;
  const why = error === null ? "" : `\n    ${safe(error).slice(0, 160)}`;
  const waits = requested.length > 0;
  const asked = waits
    ? `\n    ${style.yellow("waits for values:")} ${safe(requested.map(({ key }) => key).join(", ")).slice(0, 160)}`
    : "";
  const next = `${asked}\n    ${style.dim("→")} thehood gateway ${waits ? "answer" : "logs"} ${id}`;
  return `${head}\n    ${style.bold(safe(title).slice(0, 120))}${why}${next}\n`;
}

export const sessionsText = (sessions: readonly SessionRow[], style: Style): string =>
  sessions.length === 0
    ? ""
    : `${style.dim("Sessions of the gateway")}\n${sessions.map((one) => sessionText(one, style)).join("")}`;
