// One call of an endpoint: begun, bounded by its deadline and the signal, ended in exactly one outcome.
import {
  type PendingCall,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderInvocation,
  type ProviderUsage,
  type ReadAllowance,
  FailureError,
  fail,
} from "../../../core/contract/index.ts";
import type { ApiRoute } from "../exchange.ts";
import { withoutKey } from "../failures.ts";
import { openDoor } from "../http.ts";
import { realPace } from "../retry.ts";
import { converseOverApi } from "./converse.ts";
import type { Form } from "./form.ts";
import { anthropicForm } from "./form-anthropic.ts";
import { chatForm } from "./form-chat.ts";
import { responsesForm } from "./form-responses.ts";
import { apiKeyOf, headersOf } from "./connection.ts";
import type { Endpoint, EndpointDeps } from "./provider.ts";
import { type ReadRecord, type RepoReading, startReading } from "./reading.ts";
import { Oversize } from "./turn.ts";

const forms: Readonly<Record<Endpoint["form"], Form>> = {
  responses: responsesForm,
  chat: chatForm,
  anthropic: anthropicForm,
};

interface SentCall {
  readonly endpoint: Endpoint;
  readonly host: EndpointDeps;
  readonly reads: ReadAllowance;
  /** The model as the server spells it. */
  readonly slug: string;
  readonly call: ProviderCall;
  readonly signal: AbortSignal;
}

/** A longer answer that still grows is not shown. */
const mostWords = 8_192;

const proxyNames = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

function lineOf({ endpoint, host, slug }: SentCall): ApiRoute {
  const key = apiKeyOf(endpoint, host);
  const { address, keyName } = endpoint;
  const proxies = Object.fromEntries(proxyNames.map((name) => [name, host.variables[name]]));
  return {
    door: openDoor(proxies, { loopback: address.loopback }),
    pace: host.pace ?? realPace,
    baseUrl: address.baseUrl,
    headers: headersOf(endpoint, key),
    key,
    keyName: keyName ?? "the key",
    model: slug,
    loopback: address.loopback,
  };
}

/** Rejects when the server certainly did not begin; after that every outcome is an answer. */
export function sendCall(sent: SentCall): Promise<PendingCall> {
  if (sent.call.workspace.mode === "direct")
    return fail(
      "provider_unavailable",
      `${sent.endpoint.id} answers with a diff and cannot edit the checkout itself.`,
      {
        remedy: "Let it work in a worktree: unset THEHOOD_ALLOW_DIRECT_EDIT.",
      },
    );
  const line = lineOf(sent);
  return new Promise((resolve, reject) => {
    const answer = new CallInProgress(sent, line).run(() => resolve({ answer }));
    answer.then(
      () => resolve({ answer }),
      (error: unknown) => reject(error as Error),
    );
  });
}

class CallInProgress {
  readonly #sent: SentCall;
  readonly #line: ApiRoute;
  readonly #began = performance.now();
  readonly #stop = new AbortController();
  readonly #log: string[] = [];
  readonly #usage: { value: ProviderUsage | null } = { value: null };
  readonly #without = new Set<string>();
  #ended: "timed_out" | "aborted" | undefined;
  #begun = false;
  #reading: RepoReading | null = null;

  constructor(sent: SentCall, line: ApiRoute) {
    this.#sent = sent;
    this.#line = line;
  }

  get #spent(): number {
    return performance.now() - this.#began;
  }

  async run(onBegun: () => void): Promise<ProviderAnswer> {
    const { call, signal } = this.#sent;
    const end = (how: "timed_out" | "aborted") => {
      this.#ended ??= how;
      this.#stop.abort();
    };
    const onAbort = () => end("aborted");
    const timer = setTimeout(() => end("timed_out"), call.timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) end("aborted");
    try {
      return await this.#speak(onBegun);
    } catch (error) {
      return this.#failed(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      this.#line.door.close();
    }
  }

  async #speak(onBegun: () => void): Promise<ProviderAnswer> {
    const { call, endpoint, slug } = this.#sent;
    this.#reading = await this.#startReading();
    const result = await converseOverApi({
      call,
      model: slug,
      reading: this.#reading,
      allowance: this.#reading === null ? null : this.#sent.reads,
      usage: this.#usage,
      asking: {
        line: this.#line,
        form: forms[endpoint.form],
        signal: this.#stop.signal,
        maxBytes: call.maxAnswerBytes,
        msLeft: () => Math.max(0, call.timeoutMs - this.#spent),
        log: (line) => this.#log.push(line),
        onText: (soFar) => call.news?.({ says: withoutKey(soFar.slice(-mostWords), this.#line.key), growing: true }),
        onBegun: () => {
          this.#begun = true;
          onBegun();
        },
        restarts: { left: 2 },
        without: this.#without,
      },
    });
    if (this.#ended) return this.#unanswered(this.#ended);
    if (result.outcome === "failed") {
      const { error, budget } = result;
      return { ...this.#answer("failed", { error }), ...(budget ? { budget } : {}) };
    }
    const { text, patch } = result;
    return this.#answer("answered", { text, ...(patch ? { patch } : {}) });
  }

  /** Nothing but what a reader may see; where it would leave the machine, nothing with a secret in it. */
  async #startReading(): Promise<RepoReading | null> {
    const { call, endpoint, host, reads } = this.#sent;
    const { dir, mode } = call.workspace;
    if (dir === null || mode === "none") return null;
    const tools = await host.openReads?.(dir, endpoint.address.loopback ? "redact" : "withhold");
    return tools ? startReading(tools, reads, this.#stop.signal) : null;
  }

  #failed(error: unknown): ProviderAnswer {
    if (this.#ended) return this.#unanswered(this.#ended);
    if (error instanceof Oversize)
      return this.#answer("oversize", {
        error: `the answer is over ${this.#sent.call.maxAnswerBytes} bytes`,
      });
    if (!(error instanceof FailureError)) throw error;
    const { failure } = error;
    if (!this.#begun && failure.details?.["mayHaveBegun"] === false) throw error;
    const remedy = failure.remedy === undefined ? "" : ` ${failure.remedy}`;
    const until = failure.details?.["limitedUntil"];
    const limited = typeof until === "number" ? { limitedUntil: until } : {};
    return { ...this.#answer("failed", { error: `${failure.message}${remedy}` }), ...limited };
  }

  #unanswered(how: "timed_out" | "aborted"): ProviderAnswer {
    const { endpoint, call } = this.#sent;
    const error =
      how === "aborted"
        ? `the call of ${endpoint.id} was stopped`
        : `${endpoint.id} gave no answer within ${call.timeoutMs} ms`;
    return this.#answer(how, { error });
  }

  #answer(
    outcome: ProviderAnswer["outcome"],
    { text = "", error, patch }: { text?: string; error?: string; patch?: Uint8Array },
  ): ProviderAnswer {
    const { key } = this.#line;
    return {
      outcome,
      // A server that echoes the key must not get it into a record.
      text: withoutKey(text, key),
      ...(patch ? { patch } : {}),
      ...(error === undefined ? {} : { error: withoutKey(error, key) }),
      ...(this.#usage.value ? { usage: this.#usage.value } : {}),
      invocation: invocationOf(this.#sent, {
        records: this.#reading?.records ?? [],
        log: this.#log.map((line) => withoutKey(line, key)),
        without: [...this.#without],
      }),
      durationMs: Math.round(this.#spent),
    };
  }
}

interface Ran {
  readonly records: readonly ReadRecord[];
  readonly log: readonly string[];
  /** Features the server refused. */
  readonly without: readonly string[];
}

const encode = (lines: readonly string[]): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));

function invocationOf({ endpoint, slug, reads, call }: SentCall, ran: Ran): ProviderInvocation {
  const shown = ran.records.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    kind: "api_conversation",
    command: endpoint.address.baseUrl,
    args: [endpoint.form, slug, ...ran.without.map((feature) => `without ${feature}`)],
    sandbox: null,
    permissionMode:
      call.workspace.dir === null
        ? "nothing to read"
        : `reads through the runtime's tools: ${ran.records.length} of ${reads.calls} uses, ${shown} of ${reads.bytes} bytes`,
    exitCode: null,
    signal: null,
    stdout: encode(ran.records.map((record) => JSON.stringify(record))),
    stderr: encode(ran.log),
  };
}
