// output.log: the events of a session in order, one line each, redacted, append-only (T-9).
import { appendFileSync } from "node:fs";
import { plainText } from "../../../core/contract/index.ts";

interface RunLog {
  line(text: string): void;
}

interface LogInput {
  readonly path: string;
  readonly now: () => number;
  readonly redact: (text: string) => string;
  /** Gets every line, for a terminal. */
  readonly echo?: (line: string) => void;
}

/** A log that cannot be written does not stop the run; the terminal shows one message. */
export function openLog(parts: LogInput): RunLog {
  let broken = false;
  return {
    line(text) {
      const shown = plainText(parts.redact(text)).replaceAll("\n", "\n  ");
      parts.echo?.(shown);
      try {
        appendFileSync(parts.path, `${new Date(parts.now()).toISOString()} ${shown}\n`, { mode: 0o600 });
      } catch (error) {
        if (!broken)
          parts.echo?.(`cannot write ${parts.path}: ${error instanceof Error ? error.message : String(error)}`);
        broken = true;
      }
    },
  };
}
