// SQLite and the files beside it answer at once: the parts of this store are plain functions, and the store's ports are
// made of them in one place.
import type { Artifacts, EventLog, Leases, Store } from "../../core/contract/index.ts";

/** A port whose methods answer at once. */
export type Immediate<P> = {
  readonly [K in keyof P]: P[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : P[K];
};

/** The parts of the store in this process. */
export interface ImmediateStore<E = unknown> {
  readonly log: Immediate<EventLog<E>>;
  readonly artifacts: Immediate<Artifacts>;
  readonly leases: Immediate<Leases>;
  close(): void;
}

/** The same methods, each answering with a promise: an error that a method throws rejects it. */
function promised<P extends object>(port: Immediate<P>): P {
  const methods = Object.entries(port as Record<string, (...args: unknown[]) => unknown>);
  // oxlint-disable-next-line require-await -- the port is asynchronous, and a throw must reject
  const later = methods.map(([name, method]) => [name, async (...args: unknown[]) => method(...args)]);
  return Object.fromEntries(later) as P;
}

export function asPorts<E>({ log, artifacts, leases, close }: ImmediateStore<E>): Store<E> {
  return {
    log: promised<EventLog<E>>(log),
    artifacts: promised<Artifacts>(artifacts),
    leases: promised<Leases>(leases),
    ...promised<Pick<Store, "close">>({ close }),
  };
}
