// The models that random runs request, and what the page must have chosen when such a message is sent.
import type { Site } from "./words.ts";

export interface WantedModel {
  readonly args: readonly string[];
  /** Null where the page does not offer it: then nothing may be sent. */
  readonly chosen: { readonly model?: string; readonly effort?: string } | null;
  /** The name under which the page says that this model answered. */
  readonly slug: string | null;
}

/** A turn that names it was not answered by a requested model. */
export const anotherModelAnswers = "gpt-4o-mini";

const asks = (
  args: readonly string[],
  chosen: { readonly model?: string; readonly effort?: string } | null,
  slug: string | null = null,
): WantedModel => ({ args, chosen, slug });

const first: readonly WantedModel[] = [
  asks(["-m", "GPT-5"], { model: "GPT-5" }),
  asks(["-m", "GPT-5 mini"], { model: "GPT-5 mini" }),
  asks(["-m", "gpt-5.5 thinking"], { model: "GPT-5.5 Thinking" }),
  asks(["-m", "GPT-4"], null),
];

const ofSite: Readonly<Record<Site, readonly WantedModel[]>> = {
  chatgpt: [
    asks(["-m", "gpt-5.6-sol"], { model: "GPT-5.6 Sol" }, "gpt-5-6-thinking"),
    asks(["-m", "GPT-5.5"], { model: "GPT-5.5" }, "gpt-5-5-thinking"),
    asks(["-m", "gpt-5.5-pro"], { model: "GPT-5.5", effort: "Pro" }, "gpt-5-5-pro"),
    asks(["-m", "GPT-5.6 Sol Extra High"], { model: "GPT-5.6 Sol", effort: "Extra High" }, "gpt-5-6-thinking"),
    asks(["-m", "latest", "--reasoning-effort", "high"], { model: "Latest", effort: "High" }, "gpt-6-thinking"),
    asks(["-m", "GPT-5"], null),
  ],
  gemini: [
    asks(["-m", "gemini-pro"], { model: "3.1 Pro" }),
    asks(["-m", "gemini-flash"], { model: "3.8 Flash" }),
    asks(["-m", "gemini-flash-lite"], { model: "3.1 Flash-Lite" }),
    asks(["-m", "gemini-pro", "--reasoning-effort", "high"], { model: "3.1 Pro", effort: "Extended" }),
    asks(["-m", "2.5 Pro"], null),
  ],
  copilot: [
    asks(["-m", "GPT-5"], { model: "GPT-5" }),
    asks(["-m", "GPT-5 mini"], { model: "GPT-5 mini" }),
    asks(["-m", "Claude Sonnet 4.5", "--reasoning-effort", "high"], { model: "Claude Sonnet 4.5", effort: "High" }),
    asks(["-m", "Claude Sonnet"], null),
  ],
};

const oneOf = (all: readonly WantedModel[], next: () => number): WantedModel | null =>
  all[Math.floor(next() * all.length)] ?? null;

export const wantedFirst = (next: () => number): WantedModel | null => oneOf(first, next);
export const wantedPublic = (site: Site, next: () => number): WantedModel | null => oneOf(ofSite[site], next);
