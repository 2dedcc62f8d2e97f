// The table of API providers: base URL, protocol, and the variable with the key.

export interface ApiHome {
  /** Null where every customer has a separate URL. */
  readonly baseUrl: string | null;
  readonly baseVariable: string;
  /** The first variable that is set is used. */
  readonly keyVariables: readonly [string, ...string[]];
  readonly header: "bearer" | "x-api-key" | "api-key";
  readonly form: "responses" | "chat" | "anthropic";
  /** Model names that select this provider when the request names no provider. */
  readonly models: RegExp | null;
}

export const apiHomes = {
  openai: {
    baseUrl: "https://api.openai.com/v1",
    baseVariable: "OPENAI_BASE_URL",
    keyVariables: ["OPENAI_API_KEY"],
    header: "bearer",
    form: "responses",
    models: null,
  },
  anthropic: {
    baseUrl: "https://api.anthropic.com",
    baseVariable: "ANTHROPIC_BASE_URL",
    keyVariables: ["ANTHROPIC_API_KEY"],
    header: "x-api-key",
    form: "anthropic",
    models: /^claude[-.]/i,
  },
  // Google serves its models in OpenAI's form as well.
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    baseVariable: "GEMINI_BASE_URL",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    header: "bearer",
    form: "chat",
    models: /^gemini[-.]/i,
  },
  xai: {
    baseUrl: "https://api.x.ai/v1",
    baseVariable: "XAI_BASE_URL",
    keyVariables: ["XAI_API_KEY"],
    header: "bearer",
    form: "chat",
    models: /^grok[-.]/i,
  },
  azure: {
    baseUrl: null,
    baseVariable: "AZURE_OPENAI_ENDPOINT",
    keyVariables: ["AZURE_OPENAI_API_KEY"],
    header: "api-key",
    form: "responses",
    models: null,
  },
  openrouter: {
    baseUrl: "https://openrouter.ai/api/v1",
    baseVariable: "OPENROUTER_BASE_URL",
    keyVariables: ["OPENROUTER_API_KEY"],
    header: "bearer",
    form: "chat",
    models: null,
  },
} as const satisfies Readonly<Record<string, ApiHome>>;
export type ApiFamily = keyof typeof apiHomes;

/** The provider that a model's name selects. */
export const familyOf = (model: string): ApiFamily =>
  (Object.keys(apiHomes) as ApiFamily[]).find((name) => apiHomes[name].models?.test(model)) ?? "openai";

/** `auto` and `openai-chat` are protocols for servers that imitate OpenAI. */
export const homeOf = (provider: string): ApiHome =>
  Object.hasOwn(apiHomes, provider) ? apiHomes[provider as ApiFamily] : apiHomes.openai;
