// Makes the certificate of the page for a phone, and the user compares its fingerprint. The X.509 encoding is written here,
// because Node can sign but cannot write a certificate.
import { createHash, createSign, generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isRecord, systemCode } from "../../core/contract/index.ts";
import { makeFolders, writeDurably } from "../../platform/system/index.ts";

/** One value of DER: its tag, its length, its content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  const size = length < 128 ? [length] : [128 + bytes.length, ...bytes];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
const bits = (value: Uint8Array): Buffer => der(0x03, Buffer.from([0]), value);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const time = (at: Date): Buffer => der(0x18, Buffer.from(at.toISOString().replaceAll(/[-:T]|\.\d+/g, "")));

const ecdsaSha256 = oid("2a8648ce3d040302");
const commonName = oid("550403");
const alternativeName = oid("551d11");
const extendedUse = oid("551d25");
const serverUse = oid("2b06010505070301");

const usualDays = 7;

export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** The SHA-256 of the certificate in the format of browsers. */
  readonly fingerprint: string;
}

const addressBytes = (address: string): Buffer => Buffer.from(address.split(".").map(Number));

/** For one IPv4 address. */
export function certificateFor(address: string, now: number, days = usualDays): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const name = sequence(der(0x31, sequence(commonName, text("thehood web"))));
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)]));
  const validity = sequence(time(new Date(now - 3_600_000)), time(new Date(now + days * 86_400_000)));
  const names = sequence(alternativeName, der(0x04, sequence(der(0x87, addressBytes(address)))));
  const use = sequence(extendedUse, der(0x04, sequence(serverUse)));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    serial,
    sequence(ecdsaSha256),
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(names, use)),
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const whole = sequence(body, sequence(ecdsaSha256), bits(signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  const hex = createHash("sha256").update(whole).digest("hex").toUpperCase();
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    fingerprint: (hex.match(/../g) ?? []).join(":"),
  };
}

function readCertificate(path: string): Certificate | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isRecord(value)) return undefined;
    const { key, cert, fingerprint } = value;
    return typeof key === "string" && typeof cert === "string" && typeof fingerprint === "string"
      ? { key, cert, fingerprint }
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The certificate of the last start for this address while it is good for another day; otherwise a new one, kept. */
export function keptCertificate(folder: string, address: string, now: number, days: number): Certificate {
  const path = join(folder, `certificate-${address}.json`);
  const kept = readCertificate(path);
  if (kept && new X509Certificate(kept.cert).validToDate.getTime() > now + 86_400_000) return kept;
  const made = certificateFor(address, now, Math.max(usualDays, days + 1));
  makeFolders(folder);
  writeDurably(path, `${path}.${process.pid}.new`, Buffer.from(JSON.stringify(made)), 0o600);
  return made;
}
