import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { createCommandRunner, detectSandbox, hiddenFrom } from "./index.ts";

it.runIf((await detectSandbox()).kind === "bubblewrap")(
  "a program that a shim starts is told apart as hidden or missing, by a look from inside (needs bubblewrap)",
  async () => {
    const home = tempFolder("home-");
    const folder = tempFolder("shims-");
    mkdirSync(join(home, "apps"));
    const hidden = join(home, "apps", "tool");
    const shim = join(folder, "tool");
    writeFileSync(hidden, "#!/bin/sh\necho 1.2.3\n");
    writeFileSync(shim, `#!/bin/sh\nexec ${hidden} "$@"\n`);
    for (const one of [hidden, shim]) chmodSync(one, 0o755);
    const runner = createCommandRunner({ environment: { PATH: "/usr/bin:/bin", HOME: home }, home });
    const place = { cwd: folder, writable: [], readable: [folder] };
    const asked = { ...place, argv: [shim] as [string], network: false, timeoutMs: 60_000, maxOutputBytes: 10_000 };
    const { exitCode, stderr } = await runner.run(asked);
    expect(exitCode).not.toBe(0);
    const said = Buffer.from(stderr).toString("utf8");
    expect(await hiddenFrom(runner, place, said)).toBe(hidden);
    // Neither a path that is not there nor one that is seen inside explains anything.
    expect(
      await hiddenFrom(runner, place, `${home}/apps/other: not found; ${shim}: line 2; /usr/bin/env`),
    ).toBeUndefined();
    const shown = { ...place, readable: [folder, join(home, "apps")] };
    expect(await hiddenFrom(runner, shown, said)).toBeUndefined();
    expect((await runner.run({ ...asked, ...shown })).exitCode).toBe(0);
  },
);

const account = userInfo().homedir;

function isHome(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return /^\/(?:root|home\/[^/]+)$/.test(folder);
  } catch {
    return false;
  }
}

it.runIf(isHome(account) && (await detectSandbox()).kind === "bubblewrap")(
  "a shim on PATH finds the program of its manager also in a home that is not the given one (needs bubblewrap, a home)",
  async () => {
    const manager = mkdtempSync(join(account, ".thehood-shims-"));
    onTestFinished(() => rmSync(manager, { recursive: true }));
    for (const folder of ["shims", "libexec"]) mkdirSync(join(manager, folder));
    const [shim, tool] = [join(manager, "shims", "tool"), join(manager, "libexec", "tool")];
    writeFileSync(tool, "#!/bin/sh\necho 1.2.3\n");
    writeFileSync(shim, `#!/bin/sh\nexec ${tool} "$@"\n`);
    for (const one of [tool, shim]) chmodSync(one, 0o755);
    const home = tempFolder("home-");
    const environment = { PATH: `${join(manager, "shims")}:/usr/bin:/bin`, HOME: home };
    const { exitCode, stdout } = await createCommandRunner({ environment, home }).run({
      argv: ["tool"],
      cwd: tempFolder("shims-cwd-"),
      writable: [],
      network: false,
      timeoutMs: 60_000,
      maxOutputBytes: 10_000,
    });
    expect([exitCode, Buffer.from(stdout).toString("utf8")]).toEqual([0, "1.2.3\n"]);
  },
);
