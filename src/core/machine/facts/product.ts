// Files that only look like tests: a person declares them when a run starts, never a model and never a program.
import type { Gate } from "../../contract/index.ts";
import type { Run } from "../state/index.ts";
import { workPasses } from "./order.ts";

/** The globs that a person declared, with the command that began the run or with the answer to its start. */
export const declaredProduct = (run: Run): string[] => [
  ...new Set([
    ...(run.created.policy.productPaths ?? []),
    ...run.approvals.flatMap(({ by, productPaths }) => (by.kind === "person" ? (productPaths ?? []) : [])),
  ]),
];

/** The changed files among them that are product indeed, by everything that is in the tree under review. */
export const productFiles = (run: Run): string[] => [
  ...new Set(workPasses(run).flatMap(({ judgement }) => judgement?.declaredPaths ?? [])),
];

export const startsWork = ({ kind, parts }: Gate): boolean =>
  kind === "implementation_start" || parts?.some((part) => part.kind === "implementation_start") === true;
