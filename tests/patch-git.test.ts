// git as the second authority: what it makes we accept, what we accept it applies, with the same result.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Repository } from "./corpus/patch-repository.ts";
import { agree, agreeOnScene } from "./corpus/patch-agreement.ts";
import { damage, damaged, scene } from "./corpus/patch-scenes.ts";

let repository: Repository;
beforeAll(() => {
  repository = new Repository({ "README.md": "base\n" });
  repository.run(["rm", "-q", "-r", "-f", "."]);
});
afterAll(() => repository.remove());

describe("git and the judge", () => {
  it("agree on the patches git makes, also on a tree that has moved on", () => {
    let accepted = 0;
    fc.assert(
      fc.property(scene, (one) => {
        if (agreeOnScene(repository, one).accepted) accepted++;
      }),
      { numRuns: 40, seed: 11, endOnFailure: true },
    );
    expect(accepted).toBeGreaterThan(10);
  });

  it("agree on damaged patches: none is accepted that git reads differently", () => {
    fc.assert(
      fc.property(scene, fc.array(damage, { minLength: 4, maxLength: 4 }), (one, list) => {
        const { patch, id, tree } = agreeOnScene(repository, one);
        for (const single of list)
          agree(repository, id, tree, Buffer.from(damaged(patch.toString("latin1"), single), "latin1"));
      }),
      { numRuns: 25, seed: 12, endOnFailure: true },
    );
  });
});
