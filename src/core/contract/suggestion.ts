// Suggested next actions as data. Code below the surfaces suggests; each surface formats a suggestion as its own commands.
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
        | "commit"
        | "undo"
        | "verify_log";
      readonly runId: string;
    }
  | { readonly suggest: "artifact"; readonly runId: string; readonly ref: string }
  /** An answer to a gate. Without a run it only means that this answer is possible. */
  | ({
      readonly suggest: "answer";
      readonly answer: GateAnswer;
      readonly runId?: string;
      readonly gateId?: string;
      /** The text that the message must contain. */
      readonly phrase?: string | null;
      /** The hash of the gate's subject. */
      readonly shown?: string;
    } & Extension)
  /** Without a run the role is assigned for the repository; without a role any role is meant. */
  | { readonly suggest: "assign_role"; readonly role: string | null; readonly runId: string | null }
  | { readonly suggest: "models" | "workers" };

/** A sentence with its suggestions. */
export interface Advice {
  readonly advice: string;
  readonly suggestions: readonly Suggestion[];
}

export type Spell = (suggestion: Suggestion) => string;

const isSuggestion = (value: unknown): value is Suggestion => isRecord(value) && typeof value["suggest"] === "string";

const isAdvice = (value: unknown): value is Advice =>
  isRecord(value) && typeof value["advice"] === "string" && Array.isArray(value["suggestions"]);

export function spellAdvice({ advice, suggestions }: Advice, spell: Spell): string {
  return suggestions.length === 0 ? advice : `${advice}: ${suggestions.map(spell).join("; ")}`;
}

/** Replaces each suggestion and each advice in a result by the text of the surface. */
export function spellAll(value: unknown, spell: Spell): unknown {
  if (isSuggestion(value)) return spell(value);
  if (isAdvice(value)) return spellAdvice(value, spell);
  if (Array.isArray(value)) return value.map((entry) => spellAll(entry, spell));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, spellAll(entry, spell)]));
}
