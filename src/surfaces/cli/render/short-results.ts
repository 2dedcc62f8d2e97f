// Results that a person reads in one to ten lines: a commit, removed runs, one value of the configuration, advice, a browser.
import { plainLine, spellAdvice, type Policy } from "../../../core/contract/index.ts";
import type { BrowserStatus } from "../../../core/contract/transport/index.ts";
import type { RemovedRuns } from "../../../operations/index.ts";
import type { MessageResult } from "../../../operations/run-data/index.ts";
import { texts } from "./view.ts";

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const committed = texts<{ readonly commit: string }>(
  ({ commit }, { style }) =>
    `${style.green("✔")} committed as ${commit.slice(0, 12)}\n  git show ${commit.slice(0, 12)} · thehood pr\n`,
);

export const removedRuns = texts<RemovedRuns>(({ runs, files, artifacts, freedBytes }, { style }) => {
  if (runs.length === 0) return "No run is meant by that: nothing was removed.\n";
  const freed =
    freedBytes < 1_000_000 ? `${Math.ceil(freedBytes / 1_000)} kB` : `${Math.ceil(freedBytes / 1_000_000)} MB`;
  const written = files.map((file) => `  written first, signed: ${plainLine(file, 1_000)}\n`).join("");
  return `${style.green("✔")} removed ${counted(runs.length, "run")} and ${counted(artifacts, "artifact")}: ${freed} freed\n${written}`;
});

export const acceptedLogs = texts<{ readonly accepted: readonly string[] }>(({ accepted }, { style }) =>
  accepted.length === 0
    ? "Every log is as it was signed: there is nothing to accept.\n"
    : `${style.green("✔")} signed anew as they are now:\n${accepted.map((run) => `  ${plainLine(run, 200)}\n`).join("")}`,
);

const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

interface Value {
  readonly key: string;
  readonly value: unknown;
  readonly from: string;
}

export const configValue = texts<Value>(
  ({ key, value, from }, { style }) =>
    `${style.bold(key)} = ${valueText(value)}\n    ${style.dim(from === "default" ? "the default" : from)}\n`,
);

/** The values with their keys, as `config set` takes them. */
function valuesOf(value: unknown, path: readonly string[]): (readonly [string, string])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const isNone = value === null || (Array.isArray(value) && value.length === 0);
    const isPlain = Array.isArray(value) && value.every((one) => typeof one === "string");
    return [[path.join("."), isNone ? "–" : isPlain ? value.join(", ") : valueText(value)]];
  }
  return Object.entries(value).flatMap(([key, one]) => valuesOf(one, [...path, key]));
}

export const policy = texts<Policy>((found, { style }) => {
  const rows = valuesOf(found, ["policy"]);
  const wide = Math.max(...rows.map(([key]) => key.length));
  const lines = rows.map(([key, value]) => `${key.padEnd(wide)}  ${plainLine(value, 2_000)}\n`);
  return `${style.bold("The rules in force here")}\n${lines.join("")}${style.dim("where each is set: thehood config --origin; change one: thehood config set KEY VALUE")}\n`;
});

export const messageResult = texts<MessageResult>(({ gate, next }, { style, spell }) => {
  const lines = [
    `${style.green("✔")} noted`,
    ...(gate === null ? [] : [style.yellow("  ◆ a wider scope waits for your decision")]),
    `  ${plainLine(spellAdvice(next, spell), 1_000)}`,
  ];
  return `${lines.join("\n")}\n`;
});

interface Recommended {
  readonly recommended?: { readonly label?: string; readonly id?: string; readonly stopsOn?: readonly string[] };
  readonly why?: string;
  readonly contract?: { readonly requiredEvidence?: readonly string[]; readonly reviewerRoles?: readonly string[] };
  readonly runAction?: { readonly arguments?: { readonly goal?: string; readonly mode?: string } };
}

const commands: Readonly<Record<string, string>> = { implement: "run" };

/** A long goal is cut before it comes here. */
export const recommended = texts<Recommended>(({ recommended: way, why, contract, runAction }, { style }) => {
  const { goal = "", mode = "implement" } = runAction?.arguments ?? {};
  const row = (name: string, values: readonly string[] = []) =>
    values.length === 0 ? "" : `  ${name.padEnd(10)} ${values.map((one) => plainLine(one, 300)).join("; ")}\n`;
  return `${style.bold(plainLine(way?.label ?? way?.id ?? "", 200))}\n${plainLine(why ?? "", 300)}\n${row("needs", contract?.requiredEvidence)}${row("reviewed by", contract?.reviewerRoles)}${row("stops on", way?.stopsOn)}→ thehood ${commands[mode] ?? mode} ${JSON.stringify(plainLine(goal, 300))}\n`;
});

export const browserStatus = texts<BrowserStatus>(({ executable, profile, loggedIn, running }, { style }) => {
  const logins = loggedIn.length === 0 ? "nowhere; log in with: thehood browser login chatgpt" : loggedIn.join(", ");
  const state =
    running === null
      ? "not running; it starts when it is needed"
      : `${running.product}, ${counted(running.tabs.length, "tab")} of at most ${running.maxTabs}, ${running.waiting} waiting`;
  return [
    ["browser", executable ?? style.yellow("none was found: install Chrome or Chromium")],
    ["profile", profile],
    ["logged in", logins],
    ["now", state],
  ]
    .map(([name = "", value = ""]) => `${name.padEnd(10)} ${plainLine(value, 1_000)}\n`)
    .join("");
});

export const browserStopped = texts<{ readonly stopped: boolean }>(({ stopped }, { style }) =>
  stopped ? `${style.green("✔")} the browser has ended\n` : "No browser was running.\n",
);
