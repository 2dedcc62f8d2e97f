// How much of a repository one context pack may hold.
export const contextLimits = {
  treePaths: 300,
  files: 24,
  fileBytes: 4_000,
  namedFileBytes: 16_000,
  totalBytes: 60_000,
} as const;
