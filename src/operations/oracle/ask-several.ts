// One request to several models at once: each has its own session and outputs.
import { fail } from "../../core/contract/index.ts";
import type { Options } from "../../core/contract/transport/index.ts";
import type { ModelOutcome, SeveralOutcomes } from "./ask.ts";
import type { OracleContext } from "./context.ts";

const outputs = ["writeOutput", "jsonOutput", "metricsOutput", "diffOutput"] as const;

/** `answer.md` of the model `a/b` is `answer.a-b.md`. */
function ownPath(path: string, model: string): string {
  const word = model.replaceAll(/[^\w.-]+/g, "-");
  const [, stem = path, end = ""] = /^(.*?[^/\\])(\.[^./\\]+)?$/s.exec(path) ?? [];
  return `${stem}.${word}${end}`;
}

function optionsFor(options: Options, model: string): Options {
  const own = outputs.flatMap((name) =>
    options[name] === undefined ? [] : [[name, ownPath(options[name], model)] as const],
  );
  return { ...options, ...Object.fromEntries(own), model };
}

function namesOf(models: readonly string[], { model, applyMode }: Options): string[] {
  const names = models.flatMap((list) => list.split(",")).map((name) => name.trim());
  const several = [...new Set(names.filter((name) => name !== ""))];
  if (model !== undefined || several.length === 0)
    return fail("invalid_input", "Name the models with --models, and leave out --model.", {
      remedy: "For example --models gpt-5.5,claude-opus-5",
    });
  if (applyMode === "apply" || applyMode === "commit")
    return fail("invalid_input", `--apply-mode ${applyMode} takes the diff of one model, not of several.`, {
      remedy: "Ask with --apply-mode check, then apply the answer you choose: oracle apply SESSION",
    });
  return several;
}

/** The request to each model, with outputs of its own. */
export const requestsOf = (models: readonly string[], options: Options) =>
  namesOf(models, options).map((model) => ({ model, options: optionsFor(options, model) }));

export async function askSeveral(
  models: readonly string[],
  options: Options,
  context: OracleContext,
  ask: (options: Options, context: OracleContext) => Promise<ModelOutcome>,
): Promise<SeveralOutcomes> {
  let stdin: Promise<string | null> | undefined;
  const parts = requestsOf(models, options).map(async ({ model, options: ownOptions }) => {
    const own: OracleContext = {
      ...context,
      // Streams of several answers would be mixed on the terminal.
      onText: () => undefined,
      // Read once for all models.
      stdin: () => (stdin ??= context.stdin()),
      say: (line) => context.say(`[${model}] ${line}`),
      warn: (text) => context.warn(`[${model}] ${text}`),
    };
    return { model, outcome: await ask(ownOptions, own) };
  });
  // Waits for every run, also when another could not start.
  const ended = await Promise.allSettled(parts);
  const broken = ended.find((part) => part.status === "rejected");
  if (broken) throw broken.reason;
  return { kind: "several", parts: await Promise.all(parts) };
}
