// Writes down how many assertions each test made, so that a test which asserts nothing proves no clause.
import { afterEach, expect } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    assertions?: number;
  }
}

afterEach(({ task }) => {
  task.meta.assertions = expect.getState().assertionCalls;
});
