// The runtime's own read tools: what a model or a host may ask of a checkout, and within which bounds.
import { z } from "zod";
import type { ReadResult } from "../../../contract/index.ts";

const path = z.string().min(1).max(1_024);
const folder = path.describe("A folder of the repository, such as src; all of it when left out.").optional();

/** Inputs of each tool; strict, so that a misspelt field is told instead of ignored. */
export const readInputs = {
  list_files: z.strictObject({ folder }),
  read_file: z.strictObject({
    path: path.describe("A file's path from the top of the repository."),
    fromLine: z.int().min(1).max(10_000_000).describe("The first line wanted; 1 when left out.").optional(),
    lines: z.int().min(1).max(2_000).describe("How many lines; 400 when left out.").optional(),
  }),
  search_files: z.strictObject({
    text: z.string().min(1).max(200).describe("The exact text looked for, upper and lower case alike."),
    folder,
  }),
  git_status: z.strictObject({}),
  git_diff: z.strictObject({ path: path.describe("Only this file.").optional() }),
} as const;
export type ReadToolName = keyof typeof readInputs;
export const readToolNames = Object.keys(readInputs) as [ReadToolName, ...ReadToolName[]];

export const readToolWords: Readonly<Record<ReadToolName, string>> = {
  list_files: "Lists the repository's files with their sizes in bytes.",
  read_file: "Shows lines of one text file.",
  search_files: "Finds the lines that contain a text, as path:line: text.",
  git_status: "Tells which files differ from the last commit.",
  git_diff: "Shows the difference to the last commit.",
};

/** Bounds of one result; how many results there may be is for the caller to say. */
export const readBounds = {
  entries: 1_000,
  lines: 400,
  matches: 100,
  resultBytes: 32_000,
} as const;

export const refused = (text: string): ReadResult => ({ ok: false, text, redactions: 0 });
