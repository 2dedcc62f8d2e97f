// The page for a phone: TLS with a certificate made on the spot, one device, gates only.
import { X509Certificate } from "node:crypto";
import { spawn } from "node:child_process";
import { connect } from "node:tls";
import process from "node:process";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { certificateFor } from "../../src/surfaces/web/certificate.ts";
import { bin } from "../cli/program.ts";
import { chromium, closeBrowser, launch, openStage } from "./stage.ts";

afterAll(closeBrowser);

describe("the certificate", () => {
  it("is a certificate that Node reads: for this address, for a week, signed by its own key", () => {
    const { cert, fingerprint } = certificateFor("192.168.7.9", Date.now());
    const read = new X509Certificate(cert);
    expect(read.subjectAltName).toBe("IP Address:192.168.7.9");
    expect(read.checkIP("192.168.7.9")).toBe("192.168.7.9");
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.fingerprint256).toBe(fingerprint);
    expect(read.validToDate.getTime() - Date.now()).toBeLessThan(8 * 86_400_000);
  });
});

describe.skipIf(!chromium)("[B-21] thehood web --lan", () => {
  it("lets one device in by a link, to see and decide and no more", async () => {
    const stage = openStage();
    const id = stage.run();
    // Loopback addresses stand for the network here: 127.0.0.2 is none of the names of this machine.
    const child = spawn(process.execPath, [bin, "web", "--no-open", "--lan", "--lan-address", "127.0.0.2"], {
      cwd: stage.repo.dir,
      env: stage.env,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    await new Promise<void>((resolve) =>
      child.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString("utf8");
        if (/SHA-256 [0-9A-F:]+\n/.test(said)) resolve();
      }),
    );
    const link = /For your phone: (\S+)/.exec(said)?.[1] ?? "";
    const fingerprint = /SHA-256 (\S+)/.exec(said)?.[1];
    expect(link).toMatch(/^https:\/\/127\.0\.0\.2:\d+\/#t=/);
    expect(said).toContain("█");
    const { port } = new URL(link);
    const shown = await new Promise<string>((resolve, reject) => {
      const socket = connect({ host: "127.0.0.2", port: Number(port), rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().fingerprint256);
        socket.destroy();
      });
      socket.once("error", reject);
    });
    expect(shown).toBe(fingerprint);

    const context = await (
      await launch()
    ).newContext({
      ignoreHTTPSErrors: true,
      viewport: { width: 390, height: 800 },
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole("link", { name: /Make add\(\) add/ }).waitFor();
    expect(await page.getByRole("link", { name: /Start a run|Judges/ }).count()).toBe(0);
    const refused = await page.evaluate(async () => {
      const headers = {
        "content-type": "application/json",
        authorization: `Bearer ${sessionStorage.getItem("thehood-bearer")}`,
      };
      const ask = async (operation: string) =>
        (await fetch("/api/do", { method: "POST", headers, body: JSON.stringify({ operation }) })).status;
      return [await ask("run"), await ask("abort"), await ask("artifact page"), await ask("oracle status")];
    });
    expect(refused).toEqual([403, 403, 403, 403]);
    await page.getByRole("link", { name: /Make add\(\) add/ }).click();
    const approve = page.getByRole("button", { name: /^Approve/ });
    await approve.waitFor();
    const more = page.getByRole("button", { name: /not on screen yet/ });
    while ((await more.count()) > 0) await more.click({ timeout: 2_000 }).catch(() => undefined);
    await approve.click();
    await page.getByRole("heading", { name: "Timeline" }).waitFor();
    expect(stage.thehood(["logs", id, "--json"]).out).toMatch(/session 1, device \w{12}, phone/);
    const other = await (await launch()).newContext({ ignoreHTTPSErrors: true });
    onTestFinished(() => other.close());
    const second = await other.newPage();
    await second.goto(link);
    await second.getByText("This link was used already").waitFor();
  });
});
