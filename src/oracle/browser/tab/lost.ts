// The failure of a run whose tab is lost: what was sent can be fetched later.
import { FailureError } from "../../../core/contract/index.ts";
import type { Gone } from "../process/connect.ts";

const goneFailures = {
  browser: ["browser_gone", "The browser ended."],
  keeper: ["browser_gone", "The process that keeps the browser ended."],
  closed: ["browser_gone", "The tab was closed."],
  expired: ["browser_gone", "The tab was taken back because its run gave no sign of life."],
  crashed: ["page_crashed", "The page crashed."],
} as const;

export const lostWith = (code: "browser_gone" | "page_crashed", message: string): FailureError =>
  new FailureError({
    code,
    message,
    remedy: "If the message was sent, fetch the answer with: oracle restart SESSION. It is not sent again.",
  });

export function lostTab(how: Gone): FailureError {
  const [code, message] = goneFailures[how];
  return lostWith(code, message);
}
