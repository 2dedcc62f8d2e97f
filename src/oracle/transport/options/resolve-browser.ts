// The page of a browser run and its driver (T-2 to T-5).
import { fail } from "../../../core/contract/index.ts";
import type { Options, RunRequest } from "../../../core/contract/transport/index.ts";
import { copilotUrl, defaultBrowserUrl, normalizeBrowserUrl, siteOf } from "../page-url/url.ts";

export function resolveBrowser(options: Options): NonNullable<RunRequest["browser"]> {
  const given = options.browserUrl === undefined ? undefined : normalizeBrowserUrl(options.browserUrl);
  if (options.copilot === true && given !== undefined && siteOf(given) !== "copilot")
    return fail("invalid_input", `--copilot and --browser-url ${given} name two different pages.`, {
      remedy: "Give only one of them.",
    });
  const url = given ?? (options.copilot === true ? copilotUrl : defaultBrowserUrl);
  return { url, site: siteOf(url), domSnapshotMs: options.domSnapshot ?? null };
}
