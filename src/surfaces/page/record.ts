// The record inside a saved page: such a page calls no server and allows no decision.
import { readAnswer } from "./answer.ts";
import type { RunRecord } from "../../operations/run-data/index.ts";

const text = document.getElementById("record")?.textContent;

export const record: RunRecord | undefined = text ? readAnswer<RunRecord>(text) : undefined;

/** The answer of the record to an operation of the page. */
export function recorded(
  operation: string,
  input: { readonly ref?: string; readonly pass?: number; readonly offset?: number },
): unknown {
  if (!record) return undefined;
  switch (operation) {
    case "timeline":
      return record.story;
    case "report":
      return record.report ?? undefined;
    case "changes": {
      const newest = record.story.passes.findLast(({ full }) => full !== null)?.full;
      return record.changes[input.pass ? `pass ${input.pass}` : (input.ref ?? newest ?? "")];
    }
    case "artifact page":
      return record.artifacts[input.ref ?? ""];
    default:
      return undefined;
  }
}
