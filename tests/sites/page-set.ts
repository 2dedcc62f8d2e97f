// What the server of the stand-ins needs of a set of pages. There are two sets: the first, and one of public evidence.
import type { ServerResponse } from "node:http";
import type { PageStart } from "./pages/shapes.ts";
import type { Scenario } from "./scenario.ts";

export interface PageSet {
  /** Where the programs of the pages are; `main.ts` is the one that a page loads. */
  readonly folder: string;
  /** Hosts that the pages ask beside those of the sites. */
  readonly hosts: readonly string[];
  /** How a page behaves where a case says nothing. */
  readonly plain: (site: PageStart["site"] | undefined) => Scenario;
  /** Whether the path of an address is that of this conversation. */
  readonly names: (path: string, conversation: string) => boolean;
  readonly challenge: string;
  /** Answers a request that is not for a page. */
  readonly answerApi: (url: URL, loggedIn: boolean, response: ServerResponse) => boolean;
}
