// What a scripted model does when an agent program asks it: by role and by the how-manieth call of that role in the run.
// The directive stands in the request, so one server plays every role, and answers with the marker of that directive.
import {
  type AskedRole,
  type ContractName,
  type DirectiveAck,
  type ProviderCall,
  contractOfRole,
} from "../../../src/core/contract/index.ts";
import { type StubStep, stubAnswer } from "../../../src/agents/stub/index.ts";

/** One thing to do with the agent's own tools, said once for all programs. */
export type Action =
  | { readonly do: "shell"; readonly line: string }
  | { readonly do: "write"; readonly path: string; readonly text: string }
  | { readonly do: "replace"; readonly path: string; readonly from: string; readonly to: string }
  /** A tool by the program's own name. */
  | {
      readonly do: "tool";
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      /** Of an MCP server, as Codex wants it said. */ readonly namespace?: string;
    };

export interface Part {
  readonly actions?: readonly Action[];
  /** What it answers in the end; without it, what the role answers by default. */
  readonly answer?: StubStep;
  /** Says this and nothing else. */
  readonly text?: string;
  /** The first `times` requests of this call are answered with this status. */
  readonly status?: { readonly code: number; readonly times: number };
  /** `hang`: never a word. `stall`: a beginning, then nothing. `cut`: a beginning, then the connection ends. */
  readonly behave?: "hang" | "stall" | "cut";
}

export interface Play {
  /** The n-th call of a role takes its n-th part; after the last one the role answers by default. */
  readonly roles: Readonly<Partial<Record<AskedRole, readonly Part[]>>>;
}

export interface Directive {
  readonly callId?: string;
  readonly role: AskedRole;
  readonly directiveAck: DirectiveAck;
  readonly outputContract?: { readonly name: ContractName };
  readonly [field: string]: unknown;
}

/** What an agent program asked, in the same words for every wire. */
export interface Asked {
  /** Every text a user message holds. */
  readonly texts: readonly string[];
  /** How many results of tools the request carries: the turn. */
  readonly turn: number;
  readonly tools: readonly string[];
  /** Where the program says it works; agents that want absolute paths need it. */
  readonly cwd: string | undefined;
}

const isDirective = (value: unknown): value is Directive =>
  typeof value === "object" && value !== null && "directiveAck" in value && "role" in value;

/** The last directive in the request: an agent may have put other words before it. */
export function directiveIn({ texts }: Asked): Directive | undefined {
  for (const text of texts.toReversed()) {
    for (let at = text.indexOf("{"); at !== -1; at = text.indexOf("\n{", at + 1)) {
      const start = text.indexOf("{", at);
      for (const end of [text.lastIndexOf("}"), text.indexOf("\n", start) - 1]) {
        const value = parsed(text.slice(start, end + 1));
        if (isDirective(value)) return value;
      }
    }
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export type Player = (directive: Directive) => Part;

/** Counts calls, not requests: a call that takes many turns stays at its part. */
export function playerOf(play: Play): Player {
  const calls = new Map<AskedRole, string[]>();
  return ({ role, callId = "", directiveAck }) => {
    const key = callId || directiveAck.marker;
    const known = calls.get(role) ?? [];
    if (!known.includes(key)) calls.set(role, [...known, key]);
    return play.roles[role]?.[(calls.get(role) ?? []).indexOf(key)] ?? {};
  };
}

export function answerFor(directive: Directive, { answer, text }: Part): string {
  if (text !== undefined) return text;
  const { role, directiveAck: ack, outputContract } = directive;
  const call = {
    role,
    ack,
    runId: ack.runId,
    ordinal: 1,
    contract: outputContract?.name ?? contractOfRole[role],
    directive,
  };
  return stubAnswer(call as unknown as ProviderCall, answer ?? {});
}
