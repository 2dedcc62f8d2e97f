// How the MCP server spells a suggestion: as the command that the person at the client types in a terminal, since a
// program passes no gate. The words of the command line are handed in; those of the server's own tools stand in `tool`.
import { type Failure, type Spell, spellAll, spellRemedy } from "../../core/contract/index.ts";

export interface Spelling {
  /** A result with every suggestion in it as text. */
  result(value: unknown): unknown;
  remedy(failure: Failure): string | undefined;
}

export const spelling = (terminal: Spell): Spelling => ({
  result: (value) => spellAll(value, terminal),
  remedy: (failure) => spellRemedy(failure, terminal),
});
