// `go test -json`: go's own report, on its standard output. Gives the text that `go test -v` would print, and the report.
import { parseJson } from "../../../core/contract/index.ts";
import type { RunnerSession } from "./runner-session.ts";
import { steady } from "../log/names.ts";

type Argv = readonly [string, ...string[]];

/** The command that reports; null for anything but a plain `go test`. */
export function goReporting(argv: Argv): Argv | null {
  const [program, verb, ...rest] = argv;
  if (program !== "go" || verb !== "test" || rest.some((word) => /^--?(?:json|c|exec)\b/.test(word))) return null;
  return [program, verb, "-json", ...rest.filter((word) => word !== "-v")];
}

interface GoEvent {
  readonly Action: string;
  readonly Package?: string;
  readonly Test?: string;
  readonly Output?: string;
}

function eventOf(line: string): GoEvent | null {
  if (!line.startsWith("{")) return null;
  const value = parseJson(line) as Partial<GoEvent> | undefined;
  return typeof value?.Action === "string" ? (value as GoEvent) : null;
}

interface GoReader {
  /** The text of a piece of output, as far as its lines are whole. */
  read(chunk: string): string;
  /** The text of what is left, and the session; null where go reported nothing. */
  end(): { readonly text: string; readonly session: RunnerSession | null };
}

const ends: Readonly<Record<string, string>> = { pass: "passed", fail: "failed", skip: "left" };

export function goReader(): GoReader {
  let rest = "";
  const running = new Set<string>();
  const packages = new Map<string, boolean>();
  const tests: { name: string; ended: string }[] = [];
  let planned = 0;
  const take = (line: string): string => {
    const event = eventOf(line);
    if (!event) return `${line}\n`;
    const { Action, Package = "", Test, Output = "" } = event;
    const name = `${Package} ${Test ?? ""}`;
    if (Action === "start" || (Action === "run" && Test === undefined)) packages.set(Package, false);
    if (Action === "run" && Test !== undefined) {
      planned += 1;
      running.add(name);
    }
    const ended = ends[Action];
    if (ended !== undefined && Test === undefined) packages.set(Package, true);
    // A test that ends without a start was printed by another program.
    if (ended !== undefined && Test !== undefined && running.delete(name)) tests.push({ name: steady(name), ended });
    return Action.endsWith("output") ? Output : "";
  };
  return {
    read(chunk) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      return lines.map(take).join("");
    },
    end() {
      const text = rest === "" ? "" : take(rest);
      const isWhole = running.size === 0 && [...packages.values()].every(Boolean);
      const failed = tests.some(({ ended }) => ended === "failed");
      const session: RunnerSession = {
        runner: "go",
        tests,
        end: isWhole ? { planned, failed } : null,
        foreign: false,
      };
      return { text, session: packages.size + tests.length > 0 ? session : null };
    },
  };
}
