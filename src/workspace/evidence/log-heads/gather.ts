// Every signed head of one place, from the user's folder and from the git ref.
import type { Repository } from "../../../platform/git/index.ts";
import { knownKey, type PublicKey } from "../key.ts";
import type { SignedHead } from "./head.ts";
import { checkoutIn, keptHeads, placeMark } from "./home.ts";
import { headsRef, pinnedHeads } from "./pin.ts";

export interface GatheredHeads {
  readonly key: PublicKey | undefined;
  readonly byRun: ReadonlyMap<string, readonly SignedHead[]>;
  /** Runs of other checkouts of the same repository. */
  readonly elsewhere: ReadonlySet<string>;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

export async function gatherHeads(
  folder: string,
  root: string,
  repository: Repository | undefined,
): Promise<GatheredHeads> {
  const key = knownKey(folder);
  const home = keptHeads(folder, root);
  const refs = repository ? await pinnedHeads(repository) : { chain: undefined, pins: [], broken: 0 };
  const place = placeMark(root, repository);
  const here = home.heads.filter(
    (head) => head.place === place || (head.chain !== undefined && head.chain === refs.chain),
  );
  const byRun = new Map<string, SignedHead[]>();
  const ours = refs.pins.filter(({ head }) => checkoutIn(head.place) === checkoutIn(place));
  for (const head of [...here, ...ours.map((pin) => pin.head)]) {
    const heads = byRun.get(head.run);
    if (heads) heads.push(head);
    else byRun.set(head.run, [head]);
  }
  const problems: string[] = [];
  const notes: string[] = [];
  const lastPin = here.reduce<SignedHead | undefined>(
    (best, head) => (head.pin === undefined || (best && best.at > head.at) ? best : head),
    undefined,
  );
  if (repository && lastPin?.pin !== undefined && !refs.pins.some(({ commit }) => commit === lastPin.pin))
    problems.push(
      `${headsRef} was cut, replaced or removed: it lacks a head of ${lastPin.run} that was pinned`,
    );
  const broken = home.broken + refs.broken;
  if (broken > 1) problems.push(`${broken} signed heads cannot be read`);
  else if (broken === 1) notes.push("one signed head was cut off, as a power loss can do");
  const others = new Set(
    [...byRun.values()]
      .flat()
      .filter((head) => head.key !== key?.id)
      .map((head) => head.key),
  );
  if (others.size > 0) notes.push(`heads that were signed with ${others.size} other keys were not looked at`);
  const counted = new Set(here);
  const earlier = new Set(home.heads.filter((head) => !counted.has(head)).map(({ run }) => run)).size;
  if (earlier > 0) notes.push(`${earlier} runs were signed for an earlier folder of this name`);
  const elsewhere = new Set(refs.pins.filter((pin) => !ours.includes(pin)).map(({ head }) => head.run));
  return { key, byRun, elsewhere, problems, notes };
}
