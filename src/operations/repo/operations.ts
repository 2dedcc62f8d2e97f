// The repository tools: read-only looks at a checkout.
import { z } from "zod";
import { operation } from "../operation.ts";
import { pageOf } from "../page.ts";

const path = z.string().max(4_096).default("").describe("Below the root; everything without.");
const offset = z.int().min(0).default(0);
const maxBytes = z.int().min(1).max(200_000).default(20_000);

export const repoTree = operation(
  z.strictObject({
    path,
    depth: z.int().min(1).max(20).default(4),
    offset,
    maxEntries: z.int().min(1).max(1_000).default(200),
  }),
  async (input, { given, repo }) =>
    (await given.look(repo)).tree({
      path: input.path,
      depth: input.depth,
      offset: input.offset,
      limit: input.maxEntries,
    }),
);

export const repoSearch = operation(
  z.strictObject({
    query: z.string().min(1).max(500).describe("Text, taken as it is."),
    regex: z.boolean().default(false).describe("The query is a pattern in RE2 syntax."),
    ignoreCase: z.boolean().default(false),
    path,
    maxHits: z.int().min(1).max(500).default(50),
  }),
  async (input, { given, repo, signal }) =>
    (await given.look(repo)).search(
      {
        text: input.query,
        regex: input.regex,
        ignoreCase: input.ignoreCase,
        path: input.path,
        limit: input.maxHits,
      },
      signal,
    ),
);

export const repoReadFile = operation(
  z.strictObject({ path: z.string().min(1).max(4_096).describe("Below the root."), offset, maxBytes }),
  async (input, { given, repo }) => {
    const { text, ...file } = await (await given.look(repo)).read(input.path);
    if (file.binary) return file;
    return { path: file.path, ...pageOf(new TextEncoder().encode(text), input.offset, input.maxBytes) };
  },
);

export const gitStatus = operation(
  z.strictObject({ maxEntries: z.int().min(1).max(1_000).default(200) }),
  async (input, { given, repo }) => (await given.look(repo)).status(input.maxEntries),
);

export const gitDiff = operation(
  z.strictObject({
    path,
    staged: z.boolean().default(false).describe("What is staged, instead of the working tree."),
    base: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._/~^@{}-]{0,199}$/, "a commit, a branch or a tag")
      .optional()
      .describe("Compare with this commit instead of HEAD."),
    offset,
    maxBytes,
  }),
  async (input, { given, repo }) => {
    const { text, hidden } = await (
      await given.look(repo)
    ).diff({ path: input.path, staged: input.staged, base: input.base });
    return { ...pageOf(new TextEncoder().encode(text), input.offset, input.maxBytes), hidden };
  },
);
