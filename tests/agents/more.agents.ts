// Gemini CLI, OpenCode and two agents that speak ACP as workers in full governed runs through the real `thehood` program:
// a real edit, a revision round, integration; and their whole tree gone after an abort.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { alone, finished, openAgentDesk, until } from "./governed.ts";
import { missing, titled } from "./installed.ts";
import type { Action, Play } from "./models/index.ts";
import { processesOf } from "./processes.ts";
import {
  claudeAcpScripted,
  geminiAcpScripted,
  geminiScripted,
  opencodeScripted,
  type Scripted,
} from "./scripted.ts";

const where = alone ? "in an empty network namespace" : "without a network namespace: it cannot be had here";

const add = (operator: string) => `export const add = (a, b) => a ${operator} b;`;
const change = (from: string, to: string): Action => ({
  do: "replace",
  path: "src/add.js",
  from: add(from),
  to: add(to),
});
const answer = { payload: { changedFiles: ["src/add.js"] } };

/** The worker first gets it wrong; what the checks and the verifier say sends it back; then it gets it right. */
const twoRounds: Play = {
  roles: {
    implementer: [
      { actions: [change("-", "*")], answer },
      { actions: [change("*", "+"), { do: "shell", line: "node --test" }], answer },
    ],
  },
};

/** Runs something that outlives its shell, in a session of its own. */
const lingering: Play = {
  roles: { implementer: [{ actions: [{ do: "shell", line: "setsid sleep 986 & sleep 986" }] }] },
};

const words = ({ id, model }: Scripted) => [
  "run",
  "make add() add",
  "--approvals",
  "autopilot",
  "--json",
  "--implementer",
  `${id}:${model}`,
  ...["planner", "orchestrator", "qa", "verifier", "critic"].flatMap((role) => [`--${role}`, "stub:default"]),
];

const workers = [geminiScripted, opencodeScripted, claudeAcpScripted, geminiAcpScripted];

describe.each(workers)("$id works", (scripted) => {
  const { id, bin } = scripted;
  it.skipIf(missing(bin))(
    titled(`[R-5] [R-26] [R-30] ${id}: edit, revision, integration (${where})`, bin),
    async () => {
      const desk = await openAgentDesk(twoRounds, { programs: [scripted] });
      const ran = await desk.thehood(words(scripted));
      expect(ran.json(), ran.out + ran.err).toMatchObject({ state: "completed", ok: true });
      expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain(add("+"));
      const calls = new Set(
        desk.requests().flatMap(({ role, callId }) => (role ? [`${role} ${callId}`] : [])),
      );
      expect([...calls].filter((call) => call.startsWith("implementer"))).toHaveLength(2);
    },
  );

  it.skipIf(missing(bin))(
    titled(`[R-30] abort in the middle of a command of ${id} ends its whole tree`, bin),
    async () => {
      const desk = await openAgentDesk(lingering, { programs: [scripted] });
      const ended = finished(desk.start(words(scripted)));
      const sleeping = () => processesOf(desk.home).filter(({ command }) => command.endsWith("sleep 986"));
      await until(() => sleeping().length >= 2, "the worker's command");
      const aborted = await desk.thehood(["abort", "--reason", "enough", "--json"]);
      expect(aborted.json(), aborted.err).toMatchObject({ state: "aborted" });
      await ended;
      await until(() => processesOf(desk.home).length === 0, "the end of every process");
      expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain(add("-"));
    },
  );
});
