// The names of the tools, known without loading a schema.
export const toolNames = ["consult", "sessions"] as const;
export type ToolName = (typeof toolNames)[number];
