// Everything about a run, part by part: a list by its entries, anything else as it is, as much as fits.
import { fail } from "../../core/contract/index.ts";
import type { FullView } from "../context/index.ts";
import { truncateToBytes, sentBytes } from "../truncate.ts";

const pageBytes = 20_000;

function partOf(value: unknown, offset: number): unknown {
  if (!Array.isArray(value)) return truncateToBytes(value, pageBytes);
  const entries: unknown[] = [];
  let size = 0;
  for (const entry of value.slice(offset)) {
    const cut = truncateToBytes(entry, pageBytes);
    size += sentBytes(cut);
    if (entries.length > 0 && size > pageBytes) break;
    entries.push(cut);
  }
  const next = offset + entries.length;
  return { total: value.length, offset, entries, next_offset: next < value.length ? next : null };
}

/** The number of entries of each list, and the bytes of each other part. */
const sizesOf = (view: Readonly<Record<string, unknown>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(view).map(([name, value]) => [name, Array.isArray(value) ? value.length : sentBytes(value)]),
  );

/** Everything about a run in one result: as much as fits, with the sizes of the parts, which can be read one by one. */
export const fullResult = (full: FullView, mostBytes: number): { full: unknown; sections: object; rest: string } => ({
  full: truncateToBytes(full, mostBytes),
  sections: sizesOf(full as Readonly<Record<string, unknown>>),
  rest: 'Texts and lists that are cut: thehood_status with detail "full" and `section`.',
});

export function sectionsOf(full: FullView, section: string | undefined, offset: number): unknown {
  const view = full as Readonly<Record<string, unknown>>;
  const { runId } = full;
  if (section === undefined) {
    return {
      runId,
      sections: sizesOf(view),
      note: "Entries of lists, bytes of the rest. Ask for one with `section`.",
    };
  }
  if (!Object.hasOwn(view, section))
    fail("invalid_input", `section: there is no section "${section}".`, {
      remedy: `Sections: ${Object.keys(view).join(", ")}`,
    });
  return { runId, section, value: partOf(view[section], offset) };
}

/** The rows of a list, each with the whole status of its run. Each has the same share of the bytes. */
export async function fullRows(
  rows: readonly { readonly runId: string }[],
  status: (runId: string) => Promise<object>,
  mostBytes: number,
): Promise<unknown[]> {
  const full: unknown[] = [];
  for (const row of rows)
    full.push(truncateToBytes({ ...row, ...(await status(row.runId)) }, Math.floor(mostBytes / rows.length)));
  return full;
}
