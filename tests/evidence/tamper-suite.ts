// Whatever is altered in a store with hashes that are right again, `log verify` finds it; on logs as they were written it
// says nothing.
import { describe, expect, it } from "vitest";
import { drawing } from "./drawing.ts";
import { makeScene } from "./scene.ts";
import { tamperings } from "./tamperings.ts";

export interface TamperCounts {
  /** Of all classes together. */
  readonly tamperings: number;
  readonly cleanLogs: number;
  readonly runsInAStore: number;
}

export function tamperSuite({ tamperings: count, cleanLogs, runsInAStore }: TamperCounts): void {
  const classes = Object.entries(tamperings);
  const each = Math.ceil(count / classes.length);

  describe("[B-13] log verify", () => {
    it(`finds ${each} tamperings in each of ${classes.length} classes, all with recomputed hashes`, async () => {
      const missed: string[] = [];
      let done = 0;
      for (let round = 0; done < each; round++) {
        const scene = await makeScene(1_000 + 10 * round, 3);
        for (let turn = 0; turn < 10 && done < each; turn++, done++)
          for (const [name, tamper] of classes) {
            tamper(scene, drawing(done * 100 + classes.findIndex(([one]) => one === name) + 1));
            const { problems } = await scene.verify();
            if (problems.length === 0) missed.push(`${name} (${done})`);
            scene.restore();
          }
        expect((await scene.verify()).problems).toEqual([]);
        scene.remove();
      }
      expect(missed).toEqual([]);
    });

    it(`gives no alarm on ${cleanLogs} logs as they were written`, async () => {
      for (let made = 0; made < cleanLogs; made += runsInAStore) {
        const scene = await makeScene(500_000 + made, Math.min(runsInAStore, cleanLogs - made));
        const { problems, runs, notes } = await scene.verify();
        expect({ problems, notes }).toEqual({ problems: [], notes: [] });
        expect(runs).toBe(scene.runIds.length);
        scene.remove();
      }
    });
  });
}
