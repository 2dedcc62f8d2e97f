// Signatures of ssh-keygen, verified without it; both must say the same.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { approvalText } from "../../core/contract/index.ts";
import { namesOf, signWithSsh, sshSigner } from "./ssh.ts";

const hasSsh = existsSync("/usr/bin/ssh-keygen");
const kinds = [
  ["ed25519", []],
  ["rsa", ["-b", "2048"]],
  ["ecdsa", ["-b", "256"]],
  ["ecdsa", ["-b", "384"]],
  ["ecdsa", ["-b", "521"]],
] as const;
const text = approvalText("run_one", {
  gateId: "gate_one",
  answer: "approve",
  subjectSha256: "a".repeat(64),
});

describe.skipIf(!hasSsh)("[B-14] answers that are signed with an SSH key (needs ssh-keygen)", () => {
  it.each(kinds)("%s %j: the signer is known, and any other text or byte is not signed", async (kind, size) => {
    const folder = tempFolder("ssh-");
    const file = join(folder, "key");
    spawnSync("ssh-keygen", ["-q", "-t", kind, ...size, "-N", "", "-f", file, "-C", ""]);
    const signature = await signWithSsh(text, file);
    const signer = sshSigner(text, signature);
    const printed = spawnSync("ssh-keygen", ["-l", "-f", `${file}.pub`], { encoding: "utf8" }).stdout;
    expect(printed).toContain(signer?.fingerprint ?? "nothing");
    const signers = `ann@example.com ${readFileSync(`${file}.pub`, "utf8")}`;
    expect(namesOf(signers, signer?.key ?? "")).toBe("ann@example.com");
    expect(sshSigner(`${text} `, signature)).toBeUndefined();
    const lines = signature.split("\n");
    const bent = lines.with(3, [...(lines[3] ?? "")].toReversed().join("")).join("\n");
    expect(sshSigner(text, bent)).toBeUndefined();
    writeFileSync(join(folder, "signers"), signers);
    writeFileSync(join(folder, "sig"), signature);
    const args = [
      "-Y",
      "verify",
      "-f",
      join(folder, "signers"),
      "-I",
      "ann@example.com",
      "-n",
      "thehood",
      "-s",
      join(folder, "sig"),
    ];
    expect(spawnSync("ssh-keygen", args, { input: text }).status).toBe(0);
  });

  it("a signature for another purpose counts for nothing, and neither does nonsense", async () => {
    const folder = tempFolder("ssh-");
    const file = join(folder, "key");
    spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
    const other = spawnSync("ssh-keygen", ["-Y", "sign", "-q", "-f", file, "-n", "git"], {
      input: text,
      encoding: "utf8",
    });
    expect(other.stdout).toContain("BEGIN SSH SIGNATURE");
    expect(sshSigner(text, other.stdout)).toBeUndefined();
    for (const nonsense of ["", "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n"])
      expect(sshSigner(text, nonsense)).toBeUndefined();
    await expect(signWithSsh(text, join(folder, "missing"))).rejects.toThrow("could not be signed");
  });
});
