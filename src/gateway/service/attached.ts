// Sandboxes that another gateway on the same database follows, attached for the calls that come to this one. Each is attached
// once, so no descriptor is opened for each call.
import type { Sandbox } from "../sandboxes/index.ts";
import type { SandboxSession } from "../store/index.ts";
import type { SessionDeps } from "./deps.ts";
import { learnValues, rejoin } from "./runtime.ts";

/** So many are kept; the oldest is given up first. */
const mostAttached = 256;
/** Longer than any call: a descriptor that is closed too early could be that of another sandbox. */
const releaseMs = 10 * 60_000;

type Attached = Promise<Sandbox | undefined>;

export class AttachedSandboxes {
  readonly #deps: SessionDeps;
  /** By the id of the sandbox. */
  readonly #kept = new Map<string, Attached>();
  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  async sandbox(session: SandboxSession): Promise<Sandbox | undefined> {
    const { boxId } = session;
    if (boxId === null) return undefined;
    const kept = this.#kept.get(boxId);
    const known = await kept;
    if (known && (await known.alive())) {
      await learnValues(this.#deps, session, known);
      return known;
    }
    if (kept && this.#kept.get(boxId) === kept) this.#giveUp(boxId, kept);
    return this.#kept.get(boxId) ?? this.#attach(boxId, session);
  }

  #attach(boxId: string, session: SandboxSession): Attached {
    const attached = rejoin(this.#deps, session, false);
    this.#kept.set(boxId, attached);
    attached.catch(() => void this.#kept.delete(boxId));
    const [oldest] = this.#kept;
    if (this.#kept.size > mostAttached && oldest) this.#giveUp(...oldest);
    return attached;
  }

  #giveUp(boxId: string, attached: Attached): void {
    this.#kept.delete(boxId);
    // One that was never attached holds nothing; its caller has the reason.
    const release = () =>
      void attached.then(
        (sandbox) => sandbox?.release?.(),
        () => undefined,
      );
    setTimeout(release, releaseMs).unref();
  }

  /** Gives up sandboxes that have ended. Called repeatedly. */
  async sweep(): Promise<void> {
    for (const [boxId, attached] of this.#kept) {
      const sandbox = await attached.catch(() => undefined);
      if (!sandbox || !(await sandbox.alive())) this.#giveUp(boxId, attached);
    }
  }
}
