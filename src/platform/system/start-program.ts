// Starts a program and tells at once when this process has no file descriptors left for it. Node then gives a child without
// pipes, and its reason as an event that nobody may be listening to yet.
import type { ChildProcess } from "node:child_process";
import { FailureError } from "../../core/contract/index.ts";
import { systemCode } from "./codes.ts";

const lacking = (cause: unknown): FailureError =>
  new FailureError(
    {
      code: "out_of_resources",
      message: "A program could not be started: too many files are open in this process.",
      remedy: "Raise the limit (ulimit -n), then continue.",
    },
    { cause },
  );

/** EINVAL is what the system says when a descriptor that the program is to get lies above the limit. */
const descriptorCodes: ReadonlySet<string | undefined> = new Set(["EMFILE", "ENFILE", "EINVAL"]);

export function startProgram<T extends ChildProcess>(start: () => T): T {
  let child: T;
  try {
    child = start();
  } catch (error) {
    if (descriptorCodes.has(systemCode(error))) throw lacking(error);
    throw error;
  }
  if ((child.stdio as ChildProcess["stdio"] | undefined) !== undefined) return child;
  child.on("error", () => undefined);
  throw lacking(undefined);
}
