// `--followup SESSION`: the same page and the same conversation as that session had.
import { fail } from "../../contract/index.ts";
import type { Options, SessionRecord } from "../../contract/transport/index.ts";

export function withFollowup(options: Options, load: (id: string) => SessionRecord): Options {
  const { followup, ...rest } = options;
  if (followup === undefined) return rest;
  const { conversation, mode } = load(followup);
  if (mode !== "browser" || conversation?.url === undefined || conversation.stage !== "sent")
    return fail("invalid_input", `Session "${followup}" has no conversation that can be continued.`, {
      remedy:
        "A session in a page whose message was sent has one. For a model API, give the earlier answer as a file: -f answer.md",
    });
  if (rest.browserUrl !== undefined || rest.copilot === true || rest.engine === "api")
    return fail(
      "invalid_input",
      "--followup goes to the page of its session; another one was named as well.",
      {
        remedy: "Give --followup without --browser-url, --copilot and --engine api.",
      },
    );
  return { ...rest, engine: "browser", browserUrl: conversation.url, model: rest.model ?? "current" };
}
