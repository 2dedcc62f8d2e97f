// The second set of stand-ins, as the server serves it. Sources of what stands here: steipete/oracle 0.21.2 of 2026-09-23 (session
// endpoint, transient addresses, frame of a report), Cloudflare's documents of 2026 (challenge page, header cf-mitigated), reports of 2026 (long poll).
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import type { PageSet } from "../sites/page-set.ts";
import { StandIns } from "../sites/server.ts";
import { type PublicScenario, publicScenario, siteScenario } from "./scenario.ts";

const polls = "signaler-pa.clients6.google.com";
const reports = "web-sandbox.oaiusercontent.com";

const challenge = `<!doctype html><html lang="en-US"><head><title>Just a moment...</title>
<meta name="robots" content="noindex,nofollow"><script>window._cf_chl_opt = { cType: "managed" };</script></head>
<body><div class="main-wrapper" role="main"><div class="main-content"><h1 class="zone-name-title h1">chatgpt.com</h1>
<p class="h2">Verify you are human by completing the action below.</p>
<iframe src="https://challenges.cloudflare.com/turnstile/v0/frame" title="Widget containing a Cloudflare security challenge"></iframe>
<noscript><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></noscript></div></div>
<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=8f"></script></body></html>`;

function sendJson(response: ServerResponse, value: unknown): true {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
  return true;
}

/** True: the request was one of these. */
function answerApi(url: URL, loggedIn: boolean, response: ServerResponse): boolean {
  // A request that never ends: nothing is answered, and the server closes it with itself.
  if (url.hostname === polls) return true;
  if (url.pathname === "/api/auth/session")
    return sendJson(response, loggedIn ? { user: { id: "user-1", name: "Jo" }, expires: "2027-01-01T00:00:00Z" } : {});
  if (!url.pathname.startsWith("/backend-api/")) return false;
  response.statusCode = loggedIn ? 403 : 401;
  return sendJson(response, { detail: "Unable to load." });
}

export const publicPages: PageSet = {
  folder: join(import.meta.dirname, "pages"),
  hosts: [polls, "challenges.cloudflare.com", reports],
  plain: (site) => ({ ...publicScenario, ...(site === undefined ? {} : siteScenario[site]) }),
  // Gemini shows sixteen characters of the conversation, the others all of it.
  names: (path, id) => path.endsWith(`/${id}`) || path.endsWith(`/app/${id.replaceAll("-", "").slice(0, 16)}`),
  challenge,
  answerApi,
};

/** The stand-ins of this set, with the words of their own cases. */
export class PublicStandIns extends StandIns {
  constructor(canary?: string) {
    super(canary, publicPages);
  }

  override set(caseId: string, scenario: Partial<PublicScenario>): void {
    super.set(caseId, scenario);
  }
}
