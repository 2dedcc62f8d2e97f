// Sockets in a folder that a box can write: the file is held itself, so that a link that is put in its place later leads
// us nowhere.
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { fail } from "../../../core/contract/index.ts";

/** Linux: a handle on the name alone. */
const pathOnly = 0o10000000;

export interface PinnedSocket {
  /** A path that leads to exactly this socket, in this process. */
  readonly path: string;
  release(): void;
}

export function pinSocket(path: string): PinnedSocket {
  const descriptor = openSync(path, pathOnly | constants.O_NOFOLLOW);
  if (!fstatSync(descriptor).isSocket()) {
    closeSync(descriptor);
    return fail("provider_unavailable", "The sandbox has put something else in the place of its socket.");
  }
  let open = true;
  return {
    path: `/proc/self/fd/${descriptor}`,
    release() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}
