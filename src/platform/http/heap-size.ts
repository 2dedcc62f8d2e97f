// Keeps the memory of a process that stays up flat. V8 doubles the part of its heap for young objects under load, up to
// about a hundred megabytes, and hardly gives it back, although nothing refers to what was there.
import process from "node:process";
import { setFlagsFromString } from "node:v8";

/** Called when a process begins to serve. The young part stays as large as it is then. */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  // The launcher keeps compiled code when a process ends, and V8 takes it only where the flags are the same again.
  process.prependOnceListener("exit", () => setFlagsFromString("--semi-space-growth-factor=2"));
}
