// The tools by which a model looks at a checkout, as providers are handed them.

export interface ReadTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ReadResult {
  readonly ok: boolean;
  /** The text that the model sees, redacted and bounded. */
  readonly text: string;
  /** Places that were taken out because they looked like secrets. */
  readonly redactions: number;
}

export interface ReadTools {
  readonly tools: readonly ReadTool[];
  use(name: string, input: unknown, signal: AbortSignal): Promise<ReadResult>;
}

/** A text with a secret in it has its places replaced, or is not shown at all. Nothing outside of `top` is ever shown. */
export type OpenReadTools = (top: string, secrets: "redact" | "withhold") => Promise<ReadTools>;
