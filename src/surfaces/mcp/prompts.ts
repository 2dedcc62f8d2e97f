// Prompts for the usual ways of working. They tell a client which tools to call, in which order, and when to stop.
import { codes, RpcError } from "./wire/message.ts";

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  lines(given: Readonly<Record<string, string>>): readonly string[];
}

const goal: Argument = { name: "goal", description: "What is wanted", required: true };
const run: Argument = { name: "run_id", description: "A run; the newest one without", required: false };
const which = (given: Readonly<Record<string, string>>) =>
  given["run_id"] ? ` with run_id ${JSON.stringify(given["run_id"])}` : "";
const poll = "Poll thehood_status every few seconds until `working` is false. Do not do the work yourself meanwhile.";
const stopAtGate =
  "If the run waits at a gate, stop: show the person the gate's text, its hash and the command in `next`, and wait for them.";

const prompts: readonly Prompt[] = [
  {
    name: "plan",
    title: "Plan a piece of work",
    description: "Have a plan made; nothing is edited.",
    arguments: [goal],
    lines: ({ goal: wanted }) => [
      `Make a plan with TheHood for: ${wanted}`,
      "Call thehood_doctor once; if something blocks, tell me and stop.",
      "Call thehood_plan with the goal.",
      poll,
      stopAtGate,
      "Then read the newest `plan` artifact of the status with thehood_read_artifact and show it to me.",
    ],
  },
  {
    name: "implement",
    title: "Have a goal implemented",
    description: "A governed run from goal to verified work.",
    arguments: [goal],
    lines: ({ goal: wanted }) => [
      `Have this done with TheHood: ${wanted}`,
      "Call thehood_recommend_loop with the goal, then thehood_orchestrate with acceptance criteria we can check.",
      poll,
      stopAtGate,
      "When it is completed, read the `report` artifact and tell me what is proven and what is not.",
    ],
  },
  {
    name: "review",
    title: "Have a run or a change reviewed",
    description: "Independent readers look at it; nothing is changed.",
    arguments: [run, { name: "focus", description: "What to look at", required: false }],
    lines: (given) => [
      `Have this reviewed with TheHood${given["focus"] ? `: ${given["focus"]}` : "."}`,
      `Call thehood_status${which(given)}; then thehood_fanout with a critic and a qa item that name what to look at, wait_seconds 60.`,
      "Read the artifacts of the results and tell me what they found, who said it, and what is only an opinion.",
    ],
  },
  {
    name: "check_gate",
    title: "Look at a gate",
    description: "What a run waits for, in plain words.",
    arguments: [run],
    lines: (given) => [
      `Call thehood_status${which(given)}.`,
      "If it waits at a gate, read every artifact the gate names, and explain what would happen if I approve, and what could go wrong.",
      "Show me the gate's text word for word and the command in `next`. Do not answer the gate for me.",
    ],
  },
  {
    name: "hand_over",
    title: "Hand over to a person",
    description: "A short account for the person who takes over.",
    arguments: [run],
    lines: (given) => [
      `Call thehood_status${which(given)}, then again for the same run with detail "full".`,
      "Write a handover of at most 20 lines: goal, status, what is proven by which artifact, open gates with their commands, what you would look at first.",
    ],
  },
];

export const listPrompts = () => ({
  prompts: prompts.map(({ name, title, description, arguments: args }) => ({
    name,
    title,
    description,
    arguments: args,
  })),
});

export function getPrompt(params: Readonly<Record<string, unknown>>) {
  const prompt = prompts.find(({ name }) => name === params["name"]);
  if (!prompt)
    throw new RpcError(
      codes.params,
      `name: there is no such prompt; there are ${prompts.map(({ name }) => name).join(", ")}.`,
    );
  const given = Object.fromEntries(
    Object.entries((params["arguments"] as Record<string, unknown> | undefined) ?? {}).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value.slice(0, 20_000)]] : [],
    ),
  );
  for (const { name, required } of prompt.arguments)
    if (required && !given[name]?.trim()) throw new RpcError(codes.params, `arguments.${name}: is needed.`);
  return {
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text: prompt.lines(given).join("\n") } }],
  };
}
