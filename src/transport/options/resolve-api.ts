// Where an API run goes and how it speaks there. Only the user decides where data goes, never a project.
import { fail } from "../../contract/index.ts";
import type { Options, RunRequest } from "../../contract/transport/index.ts";
import { normalizeBaseUrl } from "./base-url.ts";
import { familyOf } from "./models.ts";
import type { Environment } from "./resolve.ts";

interface ApiChoice {
  readonly options: Options;
  readonly env: Environment;
  readonly model: string;
  /** The model was named by the project's config alone. */
  readonly projectModel: boolean;
}

const filled = (text: string | undefined) => (text === undefined || text === "" ? undefined : text);

/** Answers of these take so long that a connection should not have to last. */
const slow = /-pro\b|deep-research/i;

export function resolveApi({ options, env, model, projectModel }: ApiChoice): NonNullable<RunRequest["api"]> {
  if (options.copilot === true || options.domSnapshot !== undefined)
    return fail("invalid_input", "--copilot and --dom-snapshot need the browser engine.", {
      remedy: "Use --engine browser, or leave them out.",
    });
  const wanted = options.provider ?? "auto";
  if (projectModel && wanted === "auto" && familyOf(model) !== "openai")
    return fail(
      "invalid_input",
      `The project's config names ${model}, which would send data to another provider.`,
      {
        remedy: `Say it yourself if you agree: --model ${model}`,
      },
    );
  const family = wanted === "auto" ? familyOf(model) : wanted === "anthropic" ? "anthropic" : "openai";
  const variable = family === "anthropic" ? "ANTHROPIC_BASE_URL" : "OPENAI_BASE_URL";
  const base = options.baseUrl ?? filled(env[variable]);
  const provider =
    wanted !== "auto" ? wanted : family === "anthropic" ? family : base === undefined ? "openai" : "auto";
  const speaksResponses = provider === "openai" || provider === "auto";
  if (options.background === true && !speaksResponses)
    return fail(
      "invalid_input",
      `--background is a feature of the OpenAI Responses API; ${provider} has none.`,
      {
        remedy: "Leave it out, or use --provider openai.",
      },
    );
  return {
    provider,
    baseUrl: base === undefined ? null : normalizeBaseUrl(base),
    background: options.background ?? (provider === "openai" && slow.test(model)),
    reasoningEffort: options.reasoningEffort ?? null,
    maxOutputTokens: options.maxOutputTokens ?? null,
  };
}
