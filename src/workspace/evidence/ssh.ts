// Signatures with the SSH key that a person already has: made by ssh-keygen, verified here without it. The format is
// SSHSIG, so that `ssh-keygen -Y verify -n thehood` gives the same result.
import { spawn } from "node:child_process";
import { createHash, createPublicKey, verify, type KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { startProgram } from "../../platform/system/index.ts";

const namespace = "thehood";
/** Never from a search path, which a repository may have a part in. */
const programs = ["/usr/bin/ssh-keygen", "/usr/local/bin/ssh-keygen", "/opt/homebrew/bin/ssh-keygen"];

/** The armoured signature. A passphrase is asked for at the terminal, by ssh-keygen itself. */
export function signWithSsh(text: string, keyFile: string): Promise<string> {
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) fail("not_found", "ssh-keygen was not found.", { remedy: "Install OpenSSH." });
  const file = keyFile.startsWith("~/") ? join(homedir(), keyFile.slice(2)) : keyFile;
  const child = startProgram(() =>
    spawn(program, ["-Y", "sign", "-q", "-f", file, "-n", namespace], { stdio: "pipe" }),
  );
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  child.stdin.on("error", () => undefined);
  child.stdin.end(text);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      const made = Buffer.concat(out).toString("utf8");
      if (code === 0 && made.startsWith("-----BEGIN SSH SIGNATURE-----")) return resolve(made);
      const why = Buffer.concat(err).toString("utf8").trim().slice(0, 500);
      reject(new Error(why || `ssh-keygen ended with ${code}`));
    });
  }).catch((error: unknown) =>
    fail("invalid_input", `The answer could not be signed with ${keyFile}: ${(error as Error).message}`, {
      remedy: "Give the file of a private SSH key, or of a public one whose private half is in your ssh-agent.",
    }),
  ) as Promise<string>;
}

/** Reads the fields of the SSH wire format one after the other. */
function reader(bytes: Buffer) {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError("the signature is cut off");
    at += length;
    return bytes.subarray(at - length, at);
  };
  return { take, number: () => take(4).readUInt32BE(), text: () => take(take(4).readUInt32BE()) };
}

const field = (bytes: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

const url = (bytes: Buffer): string => bytes.toString("base64url");
const positive = (bytes: Buffer): Buffer => (bytes[0] === 0 ? bytes.subarray(1) : bytes);
const curves: Readonly<Record<string, readonly [string, string, number]>> = {
  nistp256: ["P-256", "sha256", 32],
  nistp384: ["P-384", "sha384", 48],
  nistp521: ["P-521", "sha512", 66],
};

function keyOf(blob: Buffer): { readonly type: string; readonly key: KeyObject; readonly curve: string } {
  const read = reader(blob);
  const type = read.text().toString("latin1");
  const from = (jwk: Record<string, string>) => createPublicKey({ key: jwk, format: "jwk" });
  if (type === "ssh-ed25519")
    return { type, curve: "", key: from({ kty: "OKP", crv: "Ed25519", x: url(read.text()) }) };
  if (type === "ssh-rsa") {
    const [e, n] = [read.text(), read.text()];
    return { type, curve: "", key: from({ kty: "RSA", e: url(positive(e)), n: url(positive(n)) }) };
  }
  const curve = read.text().toString("latin1");
  const [crv, , size] = curves[curve] ?? ["", "", 0];
  const point = read.text();
  const jwk = { kty: "EC", crv, x: url(point.subarray(1, 1 + size)), y: url(point.subarray(1 + size)) };
  return { type, curve, key: from(jwk) };
}

function fits(blob: Buffer, signature: Buffer, data: Buffer): boolean {
  const { type, key, curve } = keyOf(blob);
  const read = reader(signature);
  const algorithm = read.text().toString("latin1");
  const raw = read.text();
  if (type === "ssh-ed25519") return algorithm === type && verify(null, data, key, raw);
  if (type === "ssh-rsa")
    return algorithm === "rsa-sha2-512"
      ? verify("sha512", data, key, raw)
      : algorithm === "rsa-sha2-256" && verify("sha256", data, key, raw);
  const [, hash, size] = curves[curve] ?? ["", "", 0];
  const inner = reader(raw);
  const padded = [inner.text(), inner.text()].map((part) => {
    const plain = positive(part);
    return Buffer.concat([Buffer.alloc(Math.max(0, size - plain.length)), plain]);
  });
  return verify(hash, data, { key, dsaEncoding: "ieee-p1363" }, Buffer.concat(padded));
}

interface SshSigner {
  /** As ssh-keygen prints it. */
  readonly fingerprint: string;
  /** The public key as an allowed-signers file has it. */
  readonly key: string;
}

/** The key that signed exactly this text; undefined when the signature does not fit it. */
export function sshSigner(text: string, armoured: string): SshSigner | undefined {
  const body = /-----BEGIN SSH SIGNATURE-----([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----/.exec(armoured)?.[1];
  try {
    const read = reader(Buffer.from(body ?? "", "base64"));
    if (read.take(6).toString("latin1") !== "SSHSIG" || read.number() !== 1) return undefined;
    const [blob, spoken, reserved, hash] = [read.text(), read.text(), read.text(), read.text()];
    const algorithm = hash.toString("latin1");
    if (spoken.toString("utf8") !== namespace || !["sha256", "sha512"].includes(algorithm)) return undefined;
    const digest = createHash(algorithm).update(text).digest();
    const data = Buffer.concat([Buffer.from("SSHSIG"), ...[spoken, reserved, hash, digest].map(field)]);
    if (!fits(blob, read.text(), data)) return undefined;
    const print = createHash("sha256").update(blob).digest("base64").replace(/=+$/, "");
    return { fingerprint: `SHA256:${print}`, key: blob.toString("base64") };
  } catch (error) {
    // An unreadable signature does not verify.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** The names that an allowed-signers file gives to a key. */
export function namesOf(signers: string, key: string): string | undefined {
  for (const line of signers.split("\n")) {
    const words = line.trim().split(/\s+/);
    if (!line.startsWith("#") && words.includes(key)) return words[0];
  }
  return undefined;
}
