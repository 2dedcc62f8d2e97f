// The number of an issue or of a pull request, which people paste as its address too.
import { fail, plainLine } from "../../core/contract/index.ts";
import type { ForgePort } from "../context/index.ts";

const number = /^[#!]?(\d{1,12})$/;
const address =
  /^https:\/\/([^/\s]+)\/(\S+?)\/(?:-\/)?(?:issues|work_items|pull|merge_requests)\/(\d{1,12})(?:[/?#]\S*)?$/;

export const isForgeNumber = (text: string): boolean => number.test(text) || address.test(text);

/** An address must be one of the repository: what is read there is quoted in a run of this one. */
export function forgeNumber(text: string, { base }: Pick<ForgePort, "base">): string {
  const plain = number.exec(text)?.[1];
  if (plain !== undefined) return plain;
  const [, host = "", path = "", id = ""] = address.exec(text) ?? [];
  if (host.toLowerCase() === base.host && path.toLowerCase() === base.path.toLowerCase()) return id;
  return fail("invalid_input", `${plainLine(text, 200)} is not in ${base.host}/${base.path}.`, {
    remedy:
      "Start the run in a clone of its repository, or save the text, title first, and use: thehood run --issue-file FILE",
  });
}
