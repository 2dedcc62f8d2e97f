// The description of one local agent program, as data and small pure functions. The base does the rest.
import type {
  CommandInput,
  ProgramPath,
  ProviderCall,
  ProviderHealth,
  ProviderSettings,
  ProviderUsage,
} from "../../core/contract/index.ts";
import type { Spending, StreamedText } from "./meter.ts";

export type { StreamedText } from "./meter.ts";

/** Where a program finds itself: the user's home, and the variables it may see. */
export interface AgentEnvironment {
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly settings: ProviderSettings;
}

export interface AgentCommand {
  /** The arguments after the program. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The directive, unless the program takes it in another way. */
  readonly stdin?: string;
  /** The program's own permission mode, as it spells it, for the record. */
  readonly permissionMode: string;
  /** Small files it reads, by name, to be written into `folder` before it starts. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files of its own in `folder` for this call, besides those of every call. */
  readonly own?: readonly ProgramPath[];
  /** Files that the program would take its orders from and must not see, such as its configuration in the repository. */
  readonly hidden?: readonly string[];
  /** For a program that is talked with while it runs; it gets no other input, and `read` is not asked. */
  readonly conversation?: AgentConversation;
}

/** Our side of a conversation with a running program. */
export interface AgentConversation {
  /** Settles at the end of the conversation; the program is ended soon after. */
  begin(input: CommandInput): Promise<void>;
  /** A piece of its standard output. */
  onOutput(chunk: Uint8Array): void;
  /** Asks it to stop what it does; it is ended soon after. */
  cancel(): void;
  /** The program is gone: `begin` settles. */
  over(): void;
  reply(): AgentReply;
}

export interface AgentInput {
  readonly call: ProviderCall;
  /** The model by the program's own name; null for its own choice. */
  readonly slug: string | null;
  readonly place: AgentEnvironment;
  /** Holds `files`; private to this call, read-only for the program. */
  readonly folder: string;
  readonly mayEdit: boolean;
  /** Our sandbox confines it: only its workspace can be written, and /tmp is private. */
  readonly confined: boolean;
  /** Inside that sandbox it can confine its commands once more, without the network. */
  readonly nests: boolean;
}

/** The result of a program's output. */
export interface AgentReply {
  /** The last message, unparsed; undefined when missing. */
  readonly text?: string | undefined;
  readonly usage?: ProviderUsage | undefined;
  /** The program's own reason for a failure. */
  readonly problem?: string | undefined;
  /** The requests that its own permission mode refused. */
  readonly denials?: readonly string[];
  /** The answer is complete; the exit status is ignored. */
  readonly finished?: boolean;
  /** Its text is longer than an answer may be. */
  readonly overflowed?: boolean;
}

export interface AgentOutput {
  readonly stdout: string;
  readonly stderr: string;
}

export interface Refusal {
  /** For people: what the service answered. */
  readonly text: string;
  /** Another try gives the same: a wrong key, an account without credit. */
  readonly final: boolean;
}

export interface AgentProgram {
  readonly id: string;
  readonly about: string;
  /** `external` when it sends text to a service elsewhere: it gets the network, and every call a manifest. */
  readonly boundary: "local" | "external";
  /** Its name on PATH; the user's `providers.<id>.program` goes first. */
  readonly program: string;
  /** Its subcommand, which goes before the user's own arguments. */
  readonly verb?: string;
  /** The command that a person types to get it. */
  readonly install: string;
  readonly version?: {
    readonly args: readonly string[];
    /** The oldest that was seen to work. */
    readonly oldest: string;
  };
  /** By the program's own names; a list that must be looked up is looked up when it is asked for. */
  readonly models: readonly string[] | ((place: AgentEnvironment) => readonly string[]);
  /** Variables it may see: names, or beginnings that end in a star. */
  readonly variables: readonly string[];
  /** Its own files: its login and its configuration. Its other state is private to the call and forgotten. */
  own?(place: AgentEnvironment, nests: boolean): readonly ProgramPath[];
  login?(place: AgentEnvironment): { readonly state: ProviderHealth["login"]; readonly remedy: string };
  /** The model of "default" where its configuration names one, so that one agent does not count as two. */
  defaultModel?(place: AgentEnvironment): string | null;
  command(asked: AgentInput): AgentCommand;
  /** It confines what it starts by namespaces of its own. */
  readonly nested?: boolean;
  /** Describes an event of its stream for a person who waits. */
  describeEvent?(event: Readonly<Record<string, unknown>>): string | undefined;
  /** The text in an event of its stream; `more` where it continues the text before. */
  textOf?(event: Readonly<Record<string, unknown>>): StreamedText | undefined;
  /** The tokens and cost so far, read from an event of its stream. */
  spends?(event: Readonly<Record<string, unknown>>): Spending | undefined;
  /** The service refused a request, as an event of its stream reports it before the program tries again. */
  refusal?(event: Readonly<Record<string, unknown>>): Refusal | undefined;
  /** By default all of standard output is the answer. */
  read?(output: AgentOutput): AgentReply;
}
