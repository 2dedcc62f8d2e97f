// Looking at a run: compact by default, everything by sections, artifacts by pages.
import { z } from "zod";
import { fail } from "../../contract/index.ts";
import { fit, sentBytes } from "../fit.ts";
import { operation } from "../operation.ts";
import { pageOf } from "../page.ts";
import { runId, standing } from "./follow.ts";

export const detail = z.enum(["summary", "full"]).default("summary");
const pageBytes = 20_000;
const mostPageBytes = 200_000;

/** A list by its entries, anything else as it is; as many entries as fit. */
function sectionOf(value: unknown, offset: number): unknown {
  if (!Array.isArray(value)) return fit(value, pageBytes);
  const entries: unknown[] = [];
  let size = 0;
  for (const entry of value.slice(offset)) {
    const cut = fit(entry, pageBytes);
    size += sentBytes(cut);
    if (entries.length > 0 && size > pageBytes) break;
    entries.push(cut);
  }
  const next = offset + entries.length;
  return { total: value.length, offset, entries, next_offset: next < value.length ? next : null };
}

export const status = operation(
  z.strictObject({
    runId: runId.optional().describe("A run id, or a unique beginning of one; the newest run without."),
    detail,
    section: z.string().max(40).optional().describe('With detail "full": which part of it; told without.'),
    offset: z.int().min(0).default(0).describe("Where to begin in a section that is a list."),
  }),
  async (input, { given, repo }) => {
    await using desk = await given.runs(repo);
    const id = await desk.find(input.runId);
    if (input.detail === "summary" && input.section === undefined) return standing(desk, id);
    const view = (await desk.full(id)) as Readonly<Record<string, unknown>>;
    if (input.section === undefined) {
      const sections = Object.fromEntries(
        Object.entries(view).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.length : sentBytes(value),
        ]),
      );
      return {
        runId: id,
        sections,
        note: "Entries of lists, bytes of the rest. Ask for one with `section`.",
      };
    }
    if (!Object.hasOwn(view, input.section))
      fail("invalid_input", `section: there is no section "${input.section}".`, {
        remedy: `Sections: ${Object.keys(view).join(", ")}`,
      });
    return { runId: id, section: input.section, value: sectionOf(view[input.section], input.offset) };
  },
);

/** What is not text is not worth a page of a conversation. */
const isBinary = (bytes: Uint8Array) => bytes.subarray(0, 8_000).includes(0);

export const readArtifact = operation(
  z.strictObject({
    runId,
    ref: z.string().min(4).max(80).describe("sha256:… as a status tells it, or a unique beginning."),
    offset: z.int().min(0).default(0),
    maxBytes: z.int().min(1).max(mostPageBytes).default(pageBytes),
  }),
  async (input, { given, repo }) => {
    await using desk = await given.runs(repo);
    const id = await desk.find(input.runId);
    const { bytes, ref, kind, mediaType, total } = await desk.artifact(id, input.ref, { max: largest });
    if (total > largest)
      fail("invalid_input", `ref: the artifact has ${total} bytes, more than is read for a client.`, {
        remedy: "A person can read it",
        suggestions: [{ suggest: "artifact", runId: id, ref }],
      });
    const about = { runId: id, ref, kind, mediaType };
    if (isBinary(bytes)) return { ...about, binary: true, total_bytes: total };
    // Redacted as a whole and then cut, so that no page boundary lets half a secret through.
    const { redacted } = await given.judges.secrets(new TextDecoder().decode(bytes));
    return { ...about, ...pageOf(new TextEncoder().encode(redacted), input.offset, input.maxBytes) };
  },
);
const largest = 8 << 20;

export const agentBoard = operation(
  z.strictObject({
    runId: runId.optional().describe("A run; without, who would play which role here."),
    includeArtifact: z.boolean().default(false).describe("Also keep the board as an artifact of the run."),
  }),
  async (input, { given, repo, by }) => {
    if (input.runId === undefined) return fit({ roles: await given.setup.roles(repo) }, boardBytes);
    await using desk = await given.runs(repo);
    const id = await desk.find(input.runId);
    if (input.includeArtifact) await desk.submit(id, { type: "export_board", by });
    const { board } = await desk.full(id);
    const artifact = input.includeArtifact
      ? { artifact: (await desk.status(id)).latest["agent_board"] ?? null }
      : {};
    const cards = board.cards.map(({ permissions, refs, ...card }) => ({
      ...card,
      may: Object.keys(permissions).filter((name) => permissions[name as "read"]),
      ...(refs.length > 0 ? { refs } : {}),
    }));
    return fit({ runId: id, state: board.state, note: board.note, ...artifact, cards }, boardBytes);
  },
);
const boardBytes = 5_800;
