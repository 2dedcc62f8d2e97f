// `--followup SESSION`: continues the conversation of a session, in its page or over its API with its turns.
import { fail } from "../../../core/contract/index.ts";
import type { Options, RunRequest, SessionRecord } from "../../../core/contract/transport/index.ts";

/** The conversation over an API that is continued. */
export interface ApiFollowup {
  readonly id: string;
  readonly model: string;
  readonly api: NonNullable<RunRequest["api"]>;
}

interface Followed {
  readonly flags: Options;
  readonly follows: ApiFollowup | null;
}

const refuse = (message: string, remedy: string): never => fail("invalid_input", message, { remedy });

export function withFollowup(options: Options, load: (id: string) => SessionRecord): Followed {
  const { followup, ...rest } = options;
  if (followup === undefined) return { flags: rest, follows: null };
  const { conversation, mode, options: earlier } = load(followup);
  if (mode === "api" && earlier.api !== null) return overApi(followup, rest, { ...earlier, api: earlier.api });
  if (conversation?.url === undefined || conversation.stage !== "sent")
    return refuse(
      `Session "${followup}" has no conversation that can be continued.`,
      "A session whose message was sent has one; see: oracle status",
    );
  if (rest.browserUrl !== undefined || rest.copilot === true || rest.engine === "api")
    return refuse(
      "--followup goes to the page of its session; another one was named as well.",
      "Give --followup without --browser-url, --copilot and --engine api.",
    );
  const flags: Options = {
    ...rest,
    engine: "browser",
    browserUrl: conversation.url,
    ...withRemote(rest.remote ?? earlier.browser?.remote),
    model: rest.model ?? "current",
  };
  return { flags, follows: null };
}

const withRemote = (remote: string | undefined) => (remote === undefined ? {} : { remote });

/** The turns are sent along, so another model can continue too. */
function overApi(
  id: string,
  rest: Options,
  earlier: Pick<RunRequest, "model"> & { readonly api: ApiFollowup["api"] },
): Followed {
  if (rest.engine === "browser" || rest.browserUrl !== undefined || rest.copilot === true)
    return refuse(
      `Session "${id}" was a conversation over an API; a page cannot continue it.`,
      "Leave out --engine browser, --browser-url and --copilot.",
    );
  return { flags: { ...rest, engine: "api" }, follows: { id, model: earlier.model, api: earlier.api } };
}
