// The limits of a run, in words.
import { dollars, type Budgets } from "../../contract/index.ts";

export const describeBudget = ({ maxIterations, maxTokens, maxMinutes, maxUsd }: Budgets): string =>
  `${maxIterations} answers, ${maxTokens ?? "any number of"} tokens, ${maxMinutes ?? "any number of"} minutes${maxUsd ? `, ${dollars(maxUsd)} as far as providers tell their cost` : ""}`;
