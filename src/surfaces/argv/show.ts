// Shows the result of an operation: by its own renderer, or as the data it is.
import { exitCodes, plainLine, isRecord } from "../../core/contract/index.ts";
import type { Renderer, Rendering } from "./program.ts";
import type { Style } from "./style.ts";

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

const words = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Data as a person reads it: a line for each field, a dash for each entry. */
function plainData(value: unknown, style: Style, indent = ""): string {
  if (typeof value === "object" && value !== null && Object.keys(value).length === 0) return `${indent}none`;
  if (Array.isArray(value))
    return value.map((entry) => `${indent}- ${plainData(entry, style, `${indent}  `).trimStart()}`).join("\n");
  if (!isRecord(value))
    return `${indent}${plainLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), 2_000)}`;
  return Object.entries(value)
    .filter(([, entry]) => entry !== undefined && entry !== null)
    .map(([key, entry]) => {
      const deep = typeof entry === "object" && entry !== null;
      const time = typeof entry === "number" && /At$|^at$|^since$/.test(key) ? new Date(entry).toISOString() : entry;
      const shown = plainData(time, style, deep ? `${indent}  ` : "");
      return `${indent}${style.dim(`${words(key)}:`)}${deep ? "\n" : " "}${shown}`;
    })
    .join("\n");
}

function document(result: unknown, exit: number): object {
  const whole = Array.isArray(result) ? { items: result } : isRecord(result) ? result : { result };
  return { schemaVersion: 1, ok: exit === exitCodes.ok, ...whole };
}

export async function show<C>(
  result: unknown,
  exit: () => number,
  renderer: Renderer<unknown, C> | undefined,
  view: Rendering<C>,
  jsonLine: (value: object) => string,
): Promise<void> {
  if (view.json && !isStream(result)) {
    const shown = renderer?.json ? await renderer.json(result, view, exit()) : document(result, exit());
    view.io.out(typeof shown === "string" ? shown : jsonLine(shown as object));
  } else if (renderer?.print) await renderer.print(result, view);
  else if (isStream(result)) for await (const entry of result) view.io.out(`${JSON.stringify(entry)}\n`);
  else view.io.out(`${plainData(result, view.style)}\n`);
}
