// A form of speech: how a conversation with tools and a wanted answer is written for one kind of server, and read back.
import type { ContractName } from "../../../core/contract/index.ts";
import type { AnswerListener, StreamedAnswer, ToolUse } from "../stream.ts";
import type { HttpReply } from "../http.ts";

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The turns after the prompt, in order. */
export type Past =
  /** A turn of the model, in the server's own form. */
  | { readonly kind: "assistant"; readonly turn: unknown }
  | {
      readonly kind: "results";
      readonly results: readonly { readonly id: string; readonly text: string; readonly ok: boolean }[];
    }
  | { readonly kind: "user"; readonly text: string };

export interface ModelQuestion {
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly past: readonly Past[];
  readonly tools: readonly OfferedTool[];
  /** No more reading: now the answer. */
  readonly mustAnswer: boolean;
  readonly contract: ContractName;
  /** Features that this server has refused. */
  readonly without: ReadonlySet<string>;
}

type Said =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "uses"; readonly uses: readonly ToolUse[] }
  | { readonly kind: "refused"; readonly why: string }
  /** The beginning of an answer; never taken for one. */
  | { readonly kind: "incomplete"; readonly why: string };

export interface Form {
  readonly path: string;
  body(question: ModelQuestion): Record<string, unknown>;
  readStream(reply: HttpReply, listener: AnswerListener): Promise<StreamedAnswer>;
  read(answer: StreamedAnswer): Said;
  /** Fields that a server may not know, and how its refusal names them. It is asked again without them, each at most once. */
  readonly optional: Readonly<Record<string, RegExp>>;
}

export const answerName = "answer";
