// How a page of the public set behaves in one case: the vocabulary of the first set, and what only the public evidence knows.
import type { PageStart } from "../sites/pages/shapes.ts";
import { type Scenario, plainScenario } from "../sites/scenario.ts";

export interface PublicScenario extends Scenario {
  // What the page is in
  /** ChatGPT remembers where its user was: in a chat, or in Work. "none": the page has no switch. */
  readonly surface: "chat" | "work" | "none";
  /** Copilot remembers its mode. Agent starts a task on the repository instead of a conversation. */
  readonly copilotMode: "Ask" | "Agent" | "none";
  readonly repository: string | null;
  /** ChatGPT: milliseconds during which the address is /c/WEB:<id>, which nothing can open again. */
  readonly transientMs: number;
  // Model and effort
  readonly efforts: readonly string[];
  readonly effort: string;
  readonly lockedEfforts: readonly string[];
  /** Whether a click with the mouse chooses a model. One source says that only the keyboard and a page's own click do. */
  readonly mouseChooses: boolean;
  /** The menu of models closes with the choice. */
  readonly menuCloses: boolean;
  /** Entries of a menu are there at once, their texts only after this long. */
  readonly menuTextMs: number;
  /** Gemini names its modes by words or by hashes. */
  readonly modeIds: "words" | "hashes";
  /** Gemini: extended thinking is a switch, or a submenu of levels. */
  readonly thinkingMenu: "switch" | "submenu";
  /** ChatGPT: entries of the menu beside the composer. */
  readonly tools: readonly string[];
  /** A press on an entry of that menu does nothing. */
  readonly toolsFail: boolean;
  /** The answer is a report in a frame of another site; the turn itself says only that a tool was called. */
  readonly report: boolean;
  // How it draws
  /** The page draws all turns anew every so many milliseconds; 0: only what changed. */
  readonly rerenderMs: number;
  /** Turns that stand further up than this are empty boxes. 0: all turns are drawn. */
  readonly drawnTurns: number;
  /** ChatGPT draws a code block with `code`, or with the viewer of an editor, which has a line for each element. */
  readonly codeBlocks: "code" | "viewer";
  /** Gemini keeps the text that is being written outside of the element that holds it in the end. */
  readonly pendingElement: boolean;
  // Limits
  readonly limit: "none" | "toast" | "banner" | "toast_after_send";
  readonly limitText: string;
  /** A request of the page that never ends. */
  readonly longPoll: boolean;
}

export const publicScenario: PublicScenario = {
  ...plainScenario,
  surface: "chat",
  copilotMode: "Ask",
  repository: null,
  transientMs: 0,
  efforts: [],
  effort: "",
  lockedEfforts: [],
  mouseChooses: false,
  menuCloses: false,
  menuTextMs: 120,
  modeIds: "hashes",
  thinkingMenu: "switch",
  tools: ["Deep research", "Web search"],
  toolsFail: false,
  report: false,
  rerenderMs: 0,
  drawnTurns: 0,
  codeBlocks: "code",
  pendingElement: true,
  limit: "none",
  limitText: "You're making requests too quickly. Please wait a few minutes before you try again.",
  longPoll: true,
};

/** What each site offers when a case does not say it. */
export const siteScenario: Readonly<Record<PageStart["site"], Partial<PublicScenario>>> = {
  chatgpt: {
    models: ["Latest", "GPT-5.6 Sol", "GPT-5.5"],
    model: "Latest",
    efforts: ["Instant", "Medium", "High", "Extra High", "Pro"],
    effort: "Medium",
  },
  gemini: {
    models: ["3.1 Flash-Lite", "3.8 Flash", "3.1 Pro"],
    model: "3.8 Flash",
    efforts: ["Standard", "Extended"],
    effort: "Standard",
  },
  copilot: {
    models: ["GPT-5 mini", "GPT-5", "Claude Sonnet 4.5"],
    model: "GPT-5 mini",
    efforts: ["Low", "Medium", "High"],
    effort: "Medium",
  },
};
