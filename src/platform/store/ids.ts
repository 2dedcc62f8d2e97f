// Fresh names that sort by the time they were made, also when many are made in one millisecond.
import { fail, idPattern, type Clock, type Ids } from "../../core/contract/index.ts";
import { randomBelow } from "./hashing.ts";

const perMillisecond = 36 ** 3;

/** `run_` + 9 characters of time, 3 of order within the millisecond, 10 of chance, all in base 36. */
export function createIds(clock: Clock): Ids {
  let last = 0;
  let order = 0;
  return {
    next(prefix) {
      const now = clock.now();
      order = now > last ? 0 : order + 1;
      // A clock that stops or goes back must not make ids that sort before earlier ones.
      if (order === perMillisecond) {
        last += 1;
        order = 0;
      } else last = Math.max(now, last);
      const id = `${prefix}_${base36(last, 9)}${base36(order, 3)}${chance(10)}`;
      return idPattern.test(id) ? id : fail("invalid_input", `"${prefix}" cannot begin an id.`);
    },
  };
}

function base36(value: number, width: number): string {
  return value.toString(36).padStart(width, "0");
}

function chance(width: number): string {
  return Array.from({ length: width }, () => base36(randomBelow(36), 1)).join("");
}

export function checkRunId(runId: string): string {
  if (idPattern.test(runId)) return runId;
  return fail("invalid_input", `"${printable(runId)}" is not a run id.`, {
    remedy: "Run ids look like run_01hxyz…; list them with `thehood status`.",
  });
}

export function checkRef(ref: string): string {
  const match = /^sha256:([0-9a-f]{64})$/.exec(ref);
  if (match?.[1]) return match[1];
  return fail("invalid_input", `"${printable(ref)}" is not an artifact reference.`, {
    remedy: "A reference is sha256: and 64 hex digits, as `thehood show` prints it.",
  });
}

function printable(text: string): string {
  return text.slice(0, 80).replaceAll(/[^\x20-\x7e]/g, "?");
}
