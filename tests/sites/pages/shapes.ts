// What the stand-in's server and its pages tell each other.
import type { Scenario } from "../scenario.ts";

export interface TurnState {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly state: "thinking" | "preamble" | "streaming" | "done" | "error" | "cut";
  readonly preamble: string | null;
  readonly model: string | null;
}

export interface PageStart {
  readonly site: "chatgpt" | "copilot" | "gemini";
  readonly caseId: string;
  readonly scenario: Scenario;
  readonly loggedIn: boolean;
  readonly conversation: string | null;
  readonly turns: readonly TurnState[];
}

export interface StreamLine {
  readonly conversation: string;
  readonly turns: readonly TurnState[];
}
