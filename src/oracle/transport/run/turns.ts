// The turns over an API, stored for --followup. A page stores its conversation itself.
import type { History, RunRequest } from "../../../core/contract/transport/index.ts";
import type { OracleRunDeps } from "../ports.ts";
import { sessionFolder } from "../sessions/folder.ts";
import { readTurns, writeTurns, type LiveRecord } from "../sessions/record.ts";

interface TurnsInput {
  readonly live: LiveRecord;
  readonly request: RunRequest;
  readonly deps: Pick<OracleRunDeps, "home" | "redact">;
  readonly log: (line: string) => void;
}

export class RunTurns {
  readonly #input: TurnsInput;
  #turns: History = [];

  constructor(input: TurnsInput) {
    this.#input = input;
  }

  /** Reads the turns of the session that this run continues. */
  recall(): History {
    const { request, deps } = this.#input;
    if (request.followup !== null) this.#turns = readTurns(sessionFolder(deps.home, request.followup));
    return this.#turns;
  }

  get chars(): number {
    return this.#turns.reduce((chars, { content }) => chars + content.length, 0);
  }

  /** Secrets are redacted, as in every stored prompt. */
  remember(role: "user" | "assistant", content: string): void {
    const { request, deps, live, log } = this.#input;
    if (request.engine !== "api") return;
    this.#turns = [...this.#turns, { role, content: deps.redact(content).text }];
    try {
      writeTurns(live.folder, this.#turns);
    } catch (error) {
      // The answer is still valid; only a follow-up to it will not be possible.
      log(`turns.json cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
