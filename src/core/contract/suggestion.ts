// A thing that a person can do next, as data. Rooms below the surfaces suggest; each surface spells it in its own words.
import { isRecord } from "./json.ts";
import type { Extension } from "./run/command.ts";
import type { GateAnswer } from "./run/gate.ts";

export type Suggestion =
  | {
      readonly suggest:
        | "status"
        | "show"
        | "logs"
        | "watch"
        | "continue"
        | "recheck"
        | "report"
        | "reconcile"
        | "abort"
        | "undo"
        | "verify_log";
      readonly runId: string;
    }
  | { readonly suggest: "artifact"; readonly runId: string; readonly ref: string }
  /** An answer to a gate. Without a run it only says that this answer is possible. */
  | ({
      readonly suggest: "answer";
      readonly answer: GateAnswer;
      readonly runId?: string;
      readonly gateId?: string;
      /** The words that the message must contain. */
      readonly phrase?: string | null;
      /** The hash of what the gate shows. */
      readonly shown?: string;
    } & Extension)
  /** Without a run the role is assigned for the repository; without a role any role is meant. */
  | { readonly suggest: "assign_role"; readonly role: string | null; readonly runId: string | null }
  | { readonly suggest: "models" | "workers" };

/** A sentence with the suggestion that belongs to it. */
export interface Advice {
  readonly advice: string;
  readonly suggestions: readonly Suggestion[];
}

export type Spell = (suggestion: Suggestion) => string;

const isSuggestion = (value: unknown): value is Suggestion =>
  isRecord(value) && typeof value["suggest"] === "string";

const isAdvice = (value: unknown): value is Advice =>
  isRecord(value) && typeof value["advice"] === "string" && Array.isArray(value["suggestions"]);

export function spellAdvice({ advice, suggestions }: Advice, spell: Spell): string {
  return suggestions.length === 0 ? advice : `${advice}: ${suggestions.map(spell).join("; ")}`;
}

/** A result for a reader: each suggestion and each advice in it becomes the text that the surface has for it. */
export function spellAll(value: unknown, spell: Spell): unknown {
  if (isSuggestion(value)) return spell(value);
  if (isAdvice(value)) return spellAdvice(value, spell);
  if (Array.isArray(value)) return value.map((entry) => spellAll(entry, spell));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, spellAll(entry, spell)]));
}
