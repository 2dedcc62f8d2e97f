// Recommends a way of working for a goal by word counts. It calls no agent and decides nothing.
import { recipes, type Recipe } from "./table.ts";

/** A goal, and everything that is known about its end. */
export interface Goal {
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly acceptanceCriteria: readonly string[];
  readonly validationCommands: readonly string[];
  readonly allowedPaths: readonly string[];
  readonly forbiddenChanges: readonly string[];
  readonly maxIterations: number;
}

const fallback = recipes[0] as Recipe;

function ranked({ goal, constraints, acceptanceCriteria }: Goal) {
  const words = new Set(
    [goal, ...constraints, ...acceptanceCriteria]
      .join(" ")
      .toLowerCase()
      .slice(0, 40_000)
      .split(/[^\p{L}]+/u),
  );
  return recipes
    .map((recipe) => {
      const hits = recipe.words.filter((word) => words.has(word));
      return { recipe, hits, score: hits.length * 3 + (recipe === fallback ? 2 : 0) };
    })
    .sort((a, b) => b.score - a.score);
}

function confidence(best: number, second: number): "high" | "medium" | "low" {
  if (best >= 8 || best - second >= 4) return "high";
  return best < 4 ? "low" : "medium";
}

/** The meaning of "done", written down before the work begins. */
function contract(given: Goal, recipe: Recipe) {
  return {
    goal: given.goal,
    acceptanceCriteria: given.acceptanceCriteria,
    validationCommands: given.validationCommands,
    allowedPaths: given.allowedPaths,
    forbiddenChanges: given.forbiddenChanges,
    requiredEvidence: ["checks run by the runtime on the changed tree", "a verdict of an agent that did not write it"],
    reviewerRoles: recipe.reviewers,
    iterationBudget: given.maxIterations,
    stopConditions: recipe.stopsOn,
  };
}

const card = ({ id, label, status, stopsOn }: Recipe) => ({ id, label, status, stopsOn });

export function recommend(given: Goal) {
  const [first, second, ...rest] = ranked(given);
  const recipe = first?.recipe ?? fallback;
  return {
    recommended: card(recipe),
    why: first && first.hits.length > 0 ? `The goal speaks of: ${first.hits.join(", ")}.` : "The usual way of working.",
    confidence: confidence(first?.score ?? 0, second?.score ?? 0),
    alternatives: [second, ...rest]
      .flatMap((entry) => (entry && entry.score > 0 ? [card(entry.recipe)] : []))
      .slice(0, 3),
    stack: [recipe.id, ...recipe.with],
    contract: contract(given, recipe),
    runAction: {
      tool: "thehood_orchestrate",
      arguments: {
        goal: given.goal,
        mode: recipe.mode,
        constraints: [...given.constraints, ...given.forbiddenChanges.map((change) => `Do not change: ${change}`)],
        acceptance_criteria: given.acceptanceCriteria,
        allowed_paths: given.allowedPaths,
        max_iterations: given.maxIterations,
      },
    },
    note: "Advice only. Validation commands are the user's to configure; a program cannot set them.",
  };
}
