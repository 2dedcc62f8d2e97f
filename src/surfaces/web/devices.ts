// Browsers and phones that stay let in. Each has a key pair whose private half never leaves it; here is one file for each, with
// the public half. A file for each device needs no lock: to revoke is to remove the file, and no writer can bring it back.
import { createPublicKey, randomBytes, verify, type KeyObject } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isRecord, systemCode } from "../../core/contract/index.ts";
import type { DevicesPort, PairedDevice } from "../../operations/index.ts";
import { makeFolders, writeDurably } from "../../platform/system/index.ts";

/** The public half of a P-256 key, as a browser exports it. */
export interface DeviceKey {
  readonly x: string;
  readonly y: string;
}

interface NewDevice extends Pick<PairedDevice, "name" | "reach" | "port"> {
  readonly key: DeviceKey;
  readonly days: number;
}

/** The device to which a proof must belong: a paired key counts on its own port only, where no other program answered. */
export interface Proof extends Pick<PairedDevice, "id" | "reach" | "port"> {
  readonly text: string;
  readonly signature: string;
}

const dayMs = 86_400_000;
const mostDevices = 100;
const coordinate = /^[\w-]{43}$/;

const isCoordinate = (value: unknown): value is string => typeof value === "string" && coordinate.test(value);

const publicKey = ({ x, y }: DeviceKey): KeyObject =>
  createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });

/** Whether it is a point of the curve. */
export function isDeviceKey(value: unknown): value is DeviceKey {
  if (!isRecord(value)) return false;
  const { x, y } = value;
  if (!isCoordinate(x) || !isCoordinate(y)) return false;
  try {
    publicKey({ x, y });
    return true;
  } catch {
    return false;
  }
}

interface Stored extends Omit<PairedDevice, "lastSeen"> {
  readonly key: DeviceKey;
}

const isStored = (value: unknown): value is Stored =>
  isRecord(value) &&
  typeof value["id"] === "string" &&
  typeof value["name"] === "string" &&
  (value["reach"] === "all" || value["reach"] === "gates") &&
  [value["port"], value["since"], value["until"]].every((one) => typeof one === "number") &&
  isDeviceKey(value["key"]);

/** The content of a file; undefined where it is gone or cannot be read as a device. */
function readStored(path: string): Stored | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isStored(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

export class PairedDevices implements DevicesPort {
  readonly #folder: string;
  readonly #now: () => number;

  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  #stored(id: string): Stored | undefined {
    if (!/^[a-z0-9]{12}$/.test(id)) return undefined;
    const found = readStored(this.#path(id));
    return found && found.id === id && found.until > this.#now() ? found : undefined;
  }

  add({ name, reach, port, key, days }: NewDevice): PairedDevice {
    makeFolders(this.#folder);
    const id = randomBytes(30)
      .toString("base64url")
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, "")
      .slice(0, 12)
      .padEnd(12, "0");
    const since = this.#now();
    const device = { id, name, reach, port, since, until: since + days * dayMs, key };
    writeDurably(
      this.#path(id),
      join(this.#folder, `${id}.${process.pid}.new`),
      Buffer.from(JSON.stringify(device)),
      0o600,
    );
    for (const old of this.list().slice(mostDevices)) this.revoke(old.id);
    return { id, name, reach, port, since, until: device.until, lastSeen: since };
  }

  has(id: string): boolean {
    return this.#stored(id) !== undefined;
  }

  /** The newest use first; a device whose time is over is forgotten. */
  list(): readonly PairedDevice[] {
    const devices = namesIn(this.#folder).flatMap((name) => {
      const path = join(this.#folder, name);
      const stored = readStored(path);
      if (stored === undefined || stored.until <= this.#now()) {
        rmSync(path, { force: true });
        return [];
      }
      const { key: _key, ...device } = stored;
      return [{ ...device, lastSeen: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? device.since }];
    });
    return devices.toSorted((one, other) => other.lastSeen - one.lastSeen);
  }

  /** True if the device was paired until now. */
  revoke(id: string): boolean {
    const known = this.has(id);
    if (known) rmSync(this.#path(id), { force: true });
    return known;
  }

  /** Whether the private half of this device's key signed the text. */
  proves({ id, reach, port, text, signature }: Proof): boolean {
    const stored = this.#stored(id);
    if (!stored || stored.reach !== reach || stored.port !== port) return false;
    const key = publicKey(stored.key);
    const signed = verify(
      "sha256",
      Buffer.from(text),
      { key, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
    if (signed) this.#seen(id);
    return signed;
  }

  #seen(id: string): void {
    const now = this.#now() / 1_000;
    try {
      utimesSync(this.#path(id), now, now);
    } catch (error) {
      // It was revoked at this moment; the next look at the file refuses it.
      if (systemCode(error) !== "ENOENT") throw error;
    }
  }
}

const programs: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, "Edge"],
  [/Firefox\/|FxiOS/, "Firefox"],
  [/Chrom(e|ium)\/|CriOS/, "Chrome"],
  [/Safari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS/, "Mac"],
  [/Linux|X11/, "Linux"],
];

/** A name for people, from what the browser says of itself. */
export function deviceName(agent: string): string {
  const of = (table: typeof programs): string | undefined => table.find(([pattern]) => pattern.test(agent))?.[1];
  return `${of(programs) ?? "A browser"} on ${of(systems) ?? "an unknown system"}`;
}
