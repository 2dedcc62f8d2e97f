// A certificate for the stand-ins, made anew in each test process: nothing secret lies in the repository.
import { createHash, generateKeyPairSync, sign } from "node:crypto";

const tlv = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const size =
    body.length < 128
      ? Buffer.from([body.length])
      : body.length < 256
        ? Buffer.from([0x81, body.length])
        : Buffer.from([0x82, body.length >> 8, body.length & 255]);
  return Buffer.concat([Buffer.from([tag]), size, body]);
};
const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts);
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, "hex"));
const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
const name = sequence(tlv(0x31, sequence(oid("550403"), tlv(0x0c, Buffer.from("stand-in")))));
const time = (date: Date) => tlv(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`));

export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** The hash by which the test browser trusts this key and no other. */
  readonly spki: string;
}

export function makeCertificate(hosts: readonly string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const day = 86_400_000;
  const names = sequence(...hosts.map((host) => tlv(0x82, Buffer.from(host))));
  const extensions = tlv(0xa3, sequence(sequence(oid("551d11"), tlv(0x04, names))));
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + 30 * day))),
    name,
    spki,
    extensions,
  );
  const signature = sign("sha256", body, privateKey);
  const whole = sequence(body, ecdsaWithSha256, tlv(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString("base64").replaceAll(/(.{64})/g, "$1\n")}\n-----END CERTIFICATE-----\n`,
    spki: createHash("sha256").update(spki).digest("base64"),
  };
}
