// The output of `consult` before anything is known.
export const nothingYet = {
  sessionId: null,
  folder: null,
  answer: null,
  answerTruncated: false,
  diff: null,
  result: null,
  preview: null,
  several: null,
  approval: null,
} as const;
