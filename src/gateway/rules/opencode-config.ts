// OpenCode's configuration for one session. OpenCode finds tools as files, so none is registered here.
import { models, toApiModelId, toOpencodeModelId, wireOf } from "./models.ts";
import { places } from "./tools.ts";

export const pluginPath = `${places.home}/.config/opencode/plugin/proliferate.mjs`;
export const instructionsPath = ".opencode/instructions.md";
export const agentPort = 4096;

export interface ModelAccess {
  /** The gateway's address inside the sandbox. */
  readonly gatewayUrl: string;
  /** The sandbox's token: the gateway adds the real key outside of the sandbox. */
  readonly token: string;
}

export function opencodeConfig(model: string, { gatewayUrl, token }: ModelAccess): Record<string, unknown> {
  const id = toOpencodeModelId(model);
  const others = Object.keys(models).filter((name) => wireOf(name) === "litellm");
  const listed = [...others, ...(wireOf(model) === "litellm" ? [model] : [])];
  const options = (wire: string) => ({ baseURL: `${gatewayUrl}/models/${wire}/v1`, apiKey: token });
  return {
    $schema: "https://opencode.ai/config.json",
    model: id,
    small_model: id,
    autoupdate: false,
    share: "disabled",
    snapshot: false,
    instructions: [instructionsPath],
    provider: {
      anthropic: { options: options("anthropic") },
      litellm: {
        npm: "@ai-sdk/openai-compatible",
        name: "LiteLLM",
        options: options("litellm"),
        models: Object.fromEntries(
          listed.map((name) => [toOpencodeModelId(name).slice("litellm/".length), { name, id: toApiModelId(name) }]),
        ),
      },
    },
    server: { port: agentPort, hostname: "0.0.0.0" },
    plugin: [pluginPath],
    permission: { "*": "allow", question: "deny" },
    mcp: {},
  };
}

export const readinessMs = 30_000;
const firstMs = 200;
const factor = 1.5;
const mostMs = 2_000;

/** The waits between two probes of a starting agent, until the budget is used up. */
export function* probeDelays(budgetMs: number): Generator<number> {
  let spent = 0;
  for (let delay = firstMs; spent + delay <= budgetMs; delay = Math.min(delay * factor, mostMs)) {
    spent += delay;
    yield delay;
  }
}
