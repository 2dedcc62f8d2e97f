// One file for a guest: reached by the path judge, hidden by where it really lies, redacted as a whole.
import { fail } from "../../../../core/contract/index.ts";
import { openUnder, readUnder } from "../../../../platform/paths/index.ts";
import { isBinaryName, isHidden } from "../files.ts";
import type { SharedFolder } from "./shared-folder.ts";
import type { Veil } from "./veil.ts";

const largest = 4 << 20;

function refuseHidden(path: string, asked: string): void {
  if (!isHidden(path)) return;
  fail("permission_denied", `path: ${JSON.stringify(asked)} is not shown to programs.`, {
    remedy: "Secrets, dependencies, build output and git's own files stay with the user.",
  });
}

export function readForHost({ root }: SharedFolder, asked: string, veil: Veil) {
  refuseHidden(asked.replace(/^(?:\.\/)+/, ""), asked);
  let place: string;
  let bytes: number;
  {
    using file = openUnder(root, asked, "read");
    place = file.path;
    bytes = file.stats.size;
  }
  // A link inside the checkout may lead to a hidden file, so its target is judged.
  refuseHidden(place, asked);
  if (isBinaryName(place)) return { path: place, bytes, binary: true, text: "" };
  if (bytes > largest)
    fail(
      "invalid_input",
      `path: ${JSON.stringify(asked)} has ${bytes} bytes, more than is read for a client.`,
      {
        remedy: "Search it with thehood_repo_search, or let a person open it.",
      },
    );
  const content = readUnder(root, place, { maxBytes: largest });
  if (content.subarray(0, 8_000).includes(0)) return { path: place, bytes, binary: true, text: "" };
  return { path: place, bytes, binary: false, text: veil.redact(content.toString("utf8"), place) };
}
