// The API engine: chooses the API, keeps the context of the conversation, sends a key only to its own endpoint.
import { FailureError, fail } from "../../core/contract/index.ts";
import {
  type Answer,
  type AssumedPart,
  type Conversation,
  type ConversationRef,
  type TransportEngine,
  type EngineOpening,
  homeOf,
  type SendHooks,
  type EngineMessage,
} from "../../core/contract/transport/index.ts";
import { askAnthropic } from "./anthropic.ts";
import { askChat } from "./chat.ts";
import { messageContent, type SentTurn } from "./content.ts";
import type { ApiRoute } from "./exchange.ts";
import { withoutKey } from "./failures.ts";
import { type ApiOpening, type ApiDeps, apiOf, apiRouteOf, modelsOf } from "./line.ts";
import { askResponses, awaitResponse, cancelResponse } from "./responses.ts";

export function apiEngine(deps: ApiDeps): TransportEngine {
  return {
    kind: "api",
    async check(opening) {
      apiRouteOf(opening, deps).door.close();
    },
    async open(opening) {
      return new ApiConversation(opening, apiRouteOf(opening, deps));
    },
    models: (opening, hooks) => modelsOf(opening, deps, hooks),
  };
}

const inWords: Readonly<Record<AssumedPart, string>> = {
  search: "web search",
  reasoningEffort: "an effort",
  background: "work in the background",
};

class ApiConversation implements Conversation {
  readonly #line: ApiRoute;
  #api: ApiOpening;
  readonly #model: string;
  #form: "responses" | "chat" | "anthropic";
  #history: readonly SentTurn[];
  #lastId: string | null = null;
  /** A background answer that the server still works on. */
  #unfinished: string | null = null;

  constructor(opening: EngineOpening, line: ApiRoute) {
    this.#line = line;
    this.#api = apiOf(opening);
    this.#model = opening.model;
    const { provider, history } = this.#api;
    this.#history = history ?? [];
    this.#form = provider === "openai-chat" ? "chat" : homeOf(provider).form;
  }

  async send(turn: EngineMessage, hooks: SendHooks): Promise<Answer> {
    const watched: SendHooks = {
      ...hooks,
      onText: (text) => hooks.onText(withoutKey(text, this.#line.key)),
      onRef: (ref) => {
        this.#unfinished = ref.background === true ? (ref.responseId ?? null) : null;
        return hooks.onRef(ref);
      },
    };
    const answer = await this.#keyless(this.#ask(turn, watched));
    this.#unfinished = null;
    this.#history = [
      ...this.#history,
      { role: "user", content: messageContent(this.#form, turn) },
      { role: "assistant", content: answer.text },
    ];
    return answer;
  }

  /** A server may repeat the key that it was given, in its answer and in its errors. */
  async #keyless(sent: Promise<Answer>): Promise<Answer> {
    const { key } = this.#line;
    try {
      const answer = await sent;
      return { ...answer, text: withoutKey(answer.text, key) };
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      const { failure } = error;
      throw new FailureError({ ...failure, message: withoutKey(failure.message, key) });
    }
  }

  async #ask(turn: EngineMessage, hooks: SendHooks): Promise<Answer> {
    if (this.#form === "responses") {
      const { reasoningEffort, maxOutputTokens, assumed = [] } = this.#api;
      const sent = await askResponses(
        {
          line: this.#line,
          options: {
            model: this.#model,
            reasoningEffort,
            maxOutputTokens,
            background: this.#api.background,
            search: this.#api.search ?? false,
          },
          history: this.#history,
          previousId: this.#lastId,
          content: messageContent("responses", turn),
          hooks,
        },
        {
          otherForm: this.#api.provider === "auto" || this.#api.provider === "azure",
          less: assumed.length > 0,
        },
      );
      if (typeof sent !== "string") {
        this.#lastId = sent.id;
        return sent.answer;
      }
      this.#askForLess();
      if (sent === "refused") {
        hooks.log(`this server refuses the request; asking without ${assumed.map((part) => inWords[part]).join(", ")}`);
        return await this.#ask(turn, hooks);
      }
      if (this.#api.search === true)
        return fail("invalid_input", "This server has no Responses API, so its model cannot search the web.", {
          remedy: "Leave out --search.",
        });
      hooks.log("this server has no Responses API; using chat completions");
      this.#form = "chat";
    }
    const { reasoningEffort, maxOutputTokens } = this.#api;
    const options = { model: this.#model, reasoningEffort, maxOutputTokens };
    const messages: SentTurn[] = [...this.#history, { role: "user", content: messageContent(this.#form, turn) }];
    return this.#form === "anthropic"
      ? await askAnthropic(this.#line, options, messages, hooks)
      : await askChat(this.#line, options, messages, hooks);
  }

  /** From now on without what nobody asked for. */
  #askForLess(): void {
    const { assumed = [] } = this.#api;
    this.#api = {
      ...this.#api,
      assumed: [],
      ...(assumed.includes("search") ? { search: false } : {}),
      ...(assumed.includes("reasoningEffort") ? { reasoningEffort: null } : {}),
      ...(assumed.includes("background") ? { background: false } : {}),
    };
  }

  async resume(ref: ConversationRef, hooks: SendHooks): Promise<Answer> {
    if (ref.background !== true || ref.responseId === undefined || ref.baseUrl !== this.#line.baseUrl)
      return fail("not_found", "That answer was not left with the provider, so it cannot be fetched again.", {
        remedy: "Send the request anew with: oracle restart <session> --fresh",
      });
    this.#lastId = ref.responseId;
    this.#unfinished = ref.responseId;
    await hooks.onRef(ref);
    const answer = await this.#keyless(awaitResponse(this.#line, ref.responseId, hooks));
    this.#unfinished = null;
    return answer;
  }

  async abandon(hooks: SendHooks): Promise<void> {
    if (this.#unfinished === null) return;
    await cancelResponse(this.#line, this.#unfinished, hooks);
    // The provider keeps no answer any more that could be fetched later.
    await hooks.onRef({
      provider: "openai",
      baseUrl: this.#line.baseUrl,
      responseId: this.#unfinished,
      background: false,
    });
  }

  async close(): Promise<void> {
    this.#line.door.close();
  }
}
