// The browser of web plans, as `oracle` has it: the same operations, for people who only know `thehood`.
import type { Context } from "../context/index.ts";
import type { Fields, Operation } from "../define/index.ts";
import { browserCheck, browserLogin, browserReport, browserState, browserStop } from "../oracle/browser.ts";
import type { BrowserContext } from "../oracle/context.ts";

/** The same literal with its handler called in the context of `thehood`. */
const ofHood = <F extends Fields, R, N extends string>(
  operation: Operation<F, R, BrowserContext, N>,
): Operation<F, R, Context, N> => {
  const { mcp: _none, ...rest } = operation;
  return {
    ...rest,
    handle: (input, { ports, signal, tell }) =>
      operation.handle(input, { browser: () => ports.browser(), say: (line) => tell(line), signal }),
  };
};

export const hoodBrowserLogin = ofHood(browserLogin);
export const hoodBrowserState = ofHood(browserState);
export const hoodBrowserStop = ofHood(browserStop);
export const hoodBrowserCheck = ofHood(browserCheck);
export const hoodBrowserReport = ofHood(browserReport);
