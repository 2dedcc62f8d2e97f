// A sample project with work that breaks it, and verdicts on it.
import { sample } from "./harness.ts";

export const working = { ...sample, "src/add.js": "export const add = (a, b) => a + b;\n" };

export const breakIt = { op: "replace", path: "src/add.js", find: "a + b", with: "a * b" } as const;

export const verdict = (value: string, more: object = {}) => ({
  payload: { verdict: value, summary: `I say ${value}.`, ...more },
});
