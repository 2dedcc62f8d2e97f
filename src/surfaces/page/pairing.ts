// The key of a paired browser: made here, never readable, kept for this address and port only. No cookie is involved, because
// every port of a machine would get it.

export interface Entered {
  readonly bearer?: string;
  readonly reach?: string;
}

interface Pair {
  readonly id: string;
  readonly key: CryptoKey;
}

const [database, store, entry] = ["thehood", "pair", "own"];

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("The browser stores nothing.")));
  });

async function stored(): Promise<IDBDatabase> {
  const opening = indexedDB.open(database, 1);
  opening.addEventListener("upgradeneeded", () => void opening.result.createObjectStore(store));
  return done(opening);
}

async function readPair(): Promise<Pair | undefined> {
  const base = await stored();
  const pair = (await done(base.transaction(store).objectStore(store).get(entry))) as Pair | undefined;
  base.close();
  return pair;
}

async function writePair(pair: Pair | undefined): Promise<void> {
  const base = await stored();
  const pairs = base.transaction(store, "readwrite").objectStore(store);
  if (pair) await done(pairs.put(pair, entry));
  else await done(pairs.delete(entry));
  base.close();
}

const post = async <T>(path: string, body: object, bearer?: string): Promise<T> => {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as T;
};

/** A browser that stores nothing, as in a private window, is let in for this tab only. */
const orNothing = (work: Promise<Entered | undefined>): Promise<Entered> =>
  work.then(
    (entered) => entered ?? {},
    () => ({}),
  );

const curve = { name: "ECDSA", namedCurve: "P-256" } as const;

export async function pairBrowser(bearer: string): Promise<void> {
  await orNothing(
    (async () => {
      const before = await readPair();
      const { privateKey, publicKey } = await crypto.subtle.generateKey(curve, false, ["sign", "verify"]);
      const { x, y } = await crypto.subtle.exportKey("jwk", publicKey);
      const { id } = await post<{ id?: string }>("/api/pair", { key: { x, y }, old: before?.id ?? "" }, bearer);
      if (id !== undefined) await writePair({ id, key: privateKey });
      return undefined;
    })(),
  );
}

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCodePoint(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Signs the server's challenge; empty where this browser is not paired. */
export const returnPaired = (): Promise<Entered> =>
  orNothing(
    (async () => {
      const pair = await readPair();
      if (!pair) return undefined;
      const { id, key } = pair;
      const { challenge } = await post<{ challenge?: string }>("/api/challenge", { id });
      if (challenge === undefined) {
        await writePair(undefined);
        return undefined;
      }
      const text = new TextEncoder().encode(`thehood ${id} ${challenge} ${location.origin}`);
      const signature = base64url(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, text));
      return post<Entered>("/api/return", { id, challenge, signature });
    })(),
  );
