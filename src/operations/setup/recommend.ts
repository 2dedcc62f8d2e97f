// Advice: which way of working fits a goal. It calls no agent and decides nothing.
import { define } from "../context/index.ts";
import { list, text, whole, withDefault } from "../define/index.ts";

const lines = (about: string) => list(text("a line", { min: 1, max: 500 }), about, { max: 20, mcp: { about } });

export const recommendLoop = define({
  name: "recommend-loop",
  group: "Start",
  summary: "Which way of working fits a goal, with a draft of what done means",
  examples: ['thehood recommend-loop "make the login test stable"'],
  effect: "reads",
  input: {
    goal: text("a goal", { trim: true, min: 1, max: 20_000 }),
    constraints: lines("What the work must respect."),
    acceptanceCriteria: lines("What must be true at the end."),
    validationCommands: lines("Commands that would prove it."),
    allowedPaths: lines("The only paths that may change."),
    forbiddenChanges: lines("What must stay as it is."),
    maxIterations: withDefault(whole("how many answers", { min: 1, max: 1_000 }), 5),
  },
  async handle(input) {
    const { recommend } = await import("../recipes/recommend.ts");
    return (await import("../truncate.ts")).truncateToBytes(recommend(input), 5_800);
  },
  cli: { args: ["goal"] },
  mcp: {
    tool: "thehood_recommend_loop",
    main: true,
    title: "Recommend a way of working",
    description: "Which way of working fits a goal, with a draft of what done means. Calls no model.",
    output: {
      recommended: "object?",
      why: "string?",
      confidence: "string",
      alternatives: "array?",
      stack: "array?",
      contract: "object?",
      runAction: "object?",
      note: "string?",
    },
  },
});
