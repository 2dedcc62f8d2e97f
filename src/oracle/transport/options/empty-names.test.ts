import { expect, it } from "vitest";
import type { Options } from "../../../core/contract/transport/index.ts";
import { refuseEmptyNames } from "./empty-names.ts";

it.each<[Options, string]>([
  [{ model: "" }, "--model is empty."],
  [{ model: "  " }, "--model is empty."],
  [{ writeOutput: "" }, "--write-output is empty."],
  [{ branch: "" }, "--branch is empty."],
  [{ remote: "" }, "--remote is empty."],
  [{ restrictPathPrefix: "" }, "--restrict-path-prefix is empty."],
])("%j is refused", (options, message) => {
  expect(() => refuseEmptyNames(options)).toThrow(message);
});

it("texts may be empty, and what is not given is no matter", () => {
  expect(() =>
    refuseEmptyNames({ commitMessage: "", followupPrompt: "", model: undefined, search: false }),
  ).not.toThrow();
});
