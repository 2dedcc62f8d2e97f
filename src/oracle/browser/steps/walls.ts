// Which wall stands before the page: login, challenge, throttle. Pure. We say so and go no further.
import type { Late } from "./context.ts";
import type { PageSnapshot } from "../shapes.ts";
import type { LoadedSite } from "../sites/index.ts";

export function wallOf(look: PageSnapshot, site: LoadedSite): Late | null {
  if (site.login.some((pattern) => new RegExp(pattern).test(look.url)) || (look.loggedOut && !look.loggedIn))
    return {
      code: "login_required",
      message: "nobody is logged in.",
      remedy: `Log in once in a window: oracle browser login ${site.site}`,
    };
  if (look.challenge)
    return {
      code: "challenge_page",
      message: "the site wants proof that a person is there.",
      remedy: `Answer it yourself in a window: oracle browser login ${site.site}. It is not got round.`,
    };
  if (look.throttled !== null)
    return {
      code: "throttled",
      message: `the site limits requests: "${look.throttled.slice(0, 160)}".`,
      remedy: "Wait and try again later, with fewer runs at once.",
    };
  return null;
}
