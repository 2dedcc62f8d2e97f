// A hostile line can put thousands of places inside of one stretch, each of which reads the stretch again. Inside of a
// stretch that was read and refused, only the first places are judged: more than that is no secret but an attack.
import type { ScanContext } from "./rule.ts";

const most = 16;

interface Crowd {
  /** Whether the place is still worth a look. */
  readonly admits: (at: number, context: ScanContext) => boolean;
  /** Tells that the stretch up to `end` was read. */
  readonly read: (end: number, context: ScanContext) => void;
}

export function createCrowd(): Crowd {
  /** Each scan has a context of its own, which is kept in place of its text. */
  let scan: ScanContext | undefined;
  let readTo = 0;
  let inside = 0;
  return {
    admits(at, context) {
      if (scan !== context || at >= readTo) {
        inside = 0;
        return true;
      }
      inside += 1;
      return inside <= most;
    },
    read(end, context) {
      readTo = scan === context ? Math.max(readTo, end) : end;
      scan = context;
    },
  };
}
