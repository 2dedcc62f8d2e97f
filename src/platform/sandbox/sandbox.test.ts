import { plainGit } from "../../../tests/support/repository.ts";
import { createServer } from "node:net";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Scene, canary, fingerprint, makeScene, say } from "../../../tests/support/sandbox-scene.ts";
import { findProgram } from "./detect.ts";
import { createCommandRunner, detectSandbox } from "./index.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";

describe.skipIf(!confined)("under bubblewrap (needs bubblewrap)", () => {
  let scene: Scene;
  const runner = () =>
    createCommandRunner({
      home: scene.home,
      environment: { PATH: process.env["PATH"], API_TOKEN: canary },
      sandbox: "required",
    });
  beforeEach(() => {
    scene = makeScene();
  });
  afterEach(() => scene.remove());

  describe("reading", () => {
    it.each([
      ["by its path", (s: Scene) => `cat ${s.home}/.ssh/id_rsa ${s.home}/.netrc ${s.home}/notes.txt`],
      ["by the home variable", () => "cat ~/.ssh/id_rsa ~/.aws/credentials ~/.config/gh/hosts.yml"],
      [
        "by searching the whole home",
        (s: Scene) => `grep -r ${canary} ${s.home}; find ${s.home} -type f -exec cat {} +`,
      ],
      [
        "through the root of the first process",
        (s: Scene) => `cat /proc/1/root${s.home}/.ssh/id_rsa /proc/self/root${s.home}/.npmrc`,
      ],
      [
        "through a link in the project",
        (s: Scene) => `ln -s ${s.home}/.ssh link; cat link/id_rsa; cp -rL link copy; cat copy/*`,
      ],
      [
        "through a new mount",
        (s: Scene) => `mkdir m; mount --bind ${s.home} m; cat m/.netrc; umount ${s.home}; cat ${s.home}/.netrc`,
      ],
      ["in a user namespace of its own", (s: Scene) => `unshare -rm sh -c 'umount -l ${s.home}; cat ${s.home}/.netrc'`],
      ["in the environment", () => "env; cat /proc/*/environ; strings /proc/1/environ; declare -p"],
      ["by leaving its root", (s: Scene) => `cd /; chroot . cat ${s.home}/.netrc; cat ../../../..${s.home}/.netrc`],
    ])("[S-2] no secret of the home is read %s", async (_, line) => {
      const { stdout, stderr, sandbox } = await say(runner(), scene, line(scene));
      expect(`${stdout}${stderr}`).not.toContain(canary);
      expect(sandbox.kind).toBe("bubblewrap");
    });

    it("[S-2] of what is a program's own it gets the named files, as they are or as others stand for them", async () => {
      const [login, settings] = [join(scene.home, ".agent/login"), join(scene.home, ".agent/settings")];
      mkdirSync(join(scene.home, ".agent"));
      writeFileSync(login, "login");
      writeFileSync(join(scene.home, ".agent/history"), canary);
      writeFileSync(join(scene.outside, "ours"), "ours");
      const { stdout } = await say(
        runner(),
        scene,
        "cd ~/.agent; cat login settings; echo more >> login; echo new > cache; ls",
        {
          own: [
            { path: join(scene.home, ".agent"), access: "private" },
            { path: login, access: "write" },
            { path: settings, from: join(scene.outside, "ours"), access: "read" },
          ],
        },
      );
      expect(stdout).toBe("loginourscache\nlogin\nsettings\n");
      expect(readFileSync(login, "utf8")).toBe("loginmore\n");
      expect([existsSync(settings), existsSync(join(scene.home, ".agent/cache"))]).toEqual([false, false]);
    });

    it("[S-2] what a request hides is hidden, file or folder, also below a writable folder", async () => {
      writeFileSync(join(scene.project, "private.txt"), canary);
      mkdirSync(join(scene.project, "vault"));
      writeFileSync(join(scene.project, "vault/x"), canary);
      const hidden = [join(scene.project, "private.txt"), join(scene.project, "vault"), join(scene.outside, "file")];
      const line = `cat private.txt vault/x ${scene.outside}/file; mv vault v2; cat v2/x; rm -rf vault private.txt`;
      const { stdout } = await say(runner(), scene, line, { hidden });
      expect(stdout).toBe("");
      expect(readFileSync(join(scene.project, "vault/x"), "utf8")).toBe(canary);
    });

    it("system secrets are not readable, for root either", async () => {
      const { stdout } = await say(
        runner(),
        scene,
        "cat /etc/shadow /etc/gshadow /etc/sudoers; ls /etc/ssh /root /home /run /var/log",
      );
      // Only the names of the folders, and nothing in them but the way to the Node that runs this.
      const way = process.execPath.split("/");
      const seen = stdout.split("\n").filter((line) => line !== "" && !line.endsWith(":"));
      expect(seen.filter((name) => !way.includes(name))).toEqual([]);
    });

    it("the project, the checkout around it and the tools on the path are seen", async () => {
      plainGit(scene.project, "init", "-q");
      mkdirSync(join(scene.project, "sub/deep"), { recursive: true });
      const { stdout } = await say(
        runner(),
        scene,
        "cat ../../a.txt; git status --short | head -1; command -v node && node -p 1+1",
        {
          cwd: join(scene.project, "sub/deep"),
          writable: [join(scene.project, "sub/deep")],
        },
      );
      expect(stdout).toMatch(/^a\?\? /);
      expect(stdout).toMatch(/2\n$/);
    });
  });

  describe("writing", () => {
    it.each([
      ["beside the project", (s: Scene) => `echo x > ${s.outside}/file; touch ${s.outside}/new; rm -rf ${s.outside}`],
      [
        "in the home and above",
        (s: Scene) => `touch ${s.home}/x ${s.root}/x; rm -rf ${s.home}/.ssh; mv ${s.project} ${s.home}/gone`,
      ],
      ["through a link", (s: Scene) => `ln -s ${s.outside} out; echo x > out/file; rm -rf out/*`],
      [
        "after a remount",
        (s: Scene) =>
          `mount -o remount,rw / ; mount -o remount,rw,bind /; mount -o remount,rw ${s.root}; echo x > ${s.outside}/file`,
      ],
      [
        "in namespaces of its own",
        (s: Scene) => `unshare -Urm sh -c 'mount -o remount,rw,bind /; echo x > ${s.outside}/file'`,
      ],
      [
        "through /proc",
        (s: Scene) => `echo x > /proc/1/root${s.outside}/file; echo x > /proc/self/cwd/../../outside/file`,
      ],
      [
        "by changing rights",
        (s: Scene) => `chmod -R 777 ${s.outside}; chown -R 1:1 ${s.outside}; setfacl -m u:1:rwx ${s.outside}`,
      ],
    ])("[S-6] nothing is written %s", async (_, line) => {
      const before = fingerprint(scene.root, [scene.project]);
      await say(runner(), scene, line(scene));
      expect(fingerprint(scene.root, [scene.project])).toBe(before);
    });

    it("the machine cannot be changed: kernel settings, devices, system folders", async () => {
      const line =
        "for f in /etc/x /usr/x /bin/x /sys/kernel/x /proc/sys/kernel/hostname /proc/sysrq-trigger /dev/sda; do (echo x > $f) 2>&1; done; mknod d b 8 0 2>&1; mkdir cg; mount -t cgroup2 none cg 2>&1; hostname evil 2>&1; hostname";
      const { stdout } = await say(runner(), scene, line);
      expect(stdout).not.toContain("evil\n");
      for (const path of ["/etc/x", "/usr/x", "/bin/x", "/dev/sda/x"]) expect(existsSync(path)).toBe(false);
      expect(stdout.match(/Read-only|denied|not permitted|No such|Permission/gi)?.length).toBeGreaterThanOrEqual(7);
    });

    it("the project and a private temporary folder are writable, and the latter is gone afterwards", async () => {
      const name = `thehood-${process.pid}-mark`;
      const { exitCode } = await say(
        runner(),
        scene,
        `echo b > b.txt && echo t > /tmp/${name} && echo h > ~/${name} && cat /tmp/${name}`,
      );
      expect(exitCode).toBe(0);
      expect(readFileSync(join(scene.project, "b.txt"), "utf8")).toBe("b\n");
      expect(existsSync(`/tmp/${name}`) || existsSync(join(scene.home, name))).toBe(false);
    });
  });

  describe("the kernel", () => {
    const hasPerl = findProgram("perl", "/usr/local/bin:/usr/bin:/bin") !== undefined;
    it.skipIf(process.arch !== "x64" || !hasPerl)(
      "keys of the login session are out of reach (needs perl on x64)",
      async () => {
        const { stdout } = await say(
          runner(),
          scene,
          `perl -e 'syscall(250, 0, -3, 0); print $! + 0, " "; syscall(298, 0); print $! + 0; print -e "/" ? " ok" : ""'`,
        );
        expect(stdout).toBe("1 1 ok");
      },
    );
  });

  describe("git folders", () => {
    const attack =
      "mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; echo evil >> .git/config; git config core.pager evil; rm -rf .git; mv .git g; mkdir -p .git/hooks; echo evil > .git/hooks/x; ln -sfn /tmp .git; cp -r . /tmp/c; git config --file .git/config a.b evil; true";

    it("[S-6] hooks and settings of a checkout cannot be written, moved or replaced", async () => {
      plainGit(scene.project, "init", "-q");
      const before = fingerprint(join(scene.project, ".git"));
      await say(runner(), scene, attack);
      expect(fingerprint(join(scene.project, ".git"))).toBe(before);
    });

    it("[S-6] nor made where there were none: no hooks folder, no settings, no git folder at all", async () => {
      plainGit(scene.project, "init", "-q");
      await say(runner(), scene, "true");
      const { rmSync } = await import("node:fs");
      rmSync(join(scene.project, ".git/hooks"), { recursive: true });
      rmSync(join(scene.project, ".git/config"));
      const before = fingerprint(join(scene.project, ".git"));
      await say(runner(), scene, attack);
      expect(fingerprint(join(scene.project, ".git"))).toBe(before);
      rmSync(join(scene.project, ".git"), { recursive: true });
      await say(runner(), scene, attack);
      expect(existsSync(join(scene.project, ".git"))).toBe(false);
    });

    it("[S-6] a linked work tree can change neither its pointer nor the common folder", async () => {
      plainGit(scene.project, "init", "-q");
      plainGit(scene.project, "add", ".");
      plainGit(scene.project, "commit", "-qm", "x");
      const tree = join(scene.project, ".thehood/worktrees/w");
      plainGit(scene.project, "worktree", "add", "-q", tree);
      const before = [fingerprint(join(scene.project, ".git")), readFileSync(join(tree, ".git"), "utf8")];
      const common = join(scene.project, ".git");
      const line = `${attack}; echo evil > ${common}/hooks/x; echo evil >> ${common}/config; echo evil > ${common}/worktrees/w/config.worktree; git -C ${scene.project} config a.b evil; touch made; cat ../../../a.txt`;
      const { stdout } = await say(runner(), scene, line, { cwd: tree, writable: [tree] });
      expect([fingerprint(common), readFileSync(join(tree, ".git"), "utf8")]).toEqual(before);
      expect(existsSync(join(tree, "made"))).toBe(true);
      expect(stdout).toContain("a");
      // Also when the whole checkout was to be writable.
      await say(runner(), scene, line, { cwd: tree });
      expect([fingerprint(common), readFileSync(join(tree, ".git"), "utf8")]).toEqual(before);
    });

    it("[S-6] a nested checkout keeps its hooks even when the folders above it are moved away", async () => {
      const inner = join(scene.project, "packages/inner");
      mkdirSync(inner, { recursive: true });
      plainGit(inner, "init", "-q");
      const before = fingerprint(join(inner, ".git"));
      await say(
        runner(),
        scene,
        "mv packages gone; mv packages/inner gone; mkdir -p packages/inner/.git/hooks; echo evil > packages/inner/.git/hooks/x",
      );
      expect(fingerprint(join(inner, ".git"))).toBe(before);
    });

    it("a pointer that names a stranger's folder brings nothing into view", async () => {
      writeFileSync(join(scene.project, ".git"), `gitdir: ${scene.home}/.ssh\n`);
      mkdirSync(join(scene.project, "fake/worktrees/w"), { recursive: true });
      const { stdout } = await say(runner(), scene, `cat ${scene.home}/.ssh/id_rsa`);
      expect(stdout).toBe("");
    });

    it("a git folder that is a link cannot be protected, so nothing is run", async () => {
      symlinkSync(scene.outside, join(scene.project, ".git"));
      const outcome = await say(runner(), scene, "touch x");
      expect(outcome).toMatchObject({ ended: "not_started", exitCode: null });
      expect(outcome.error).toContain("symbolic link");
      expect(existsSync(join(scene.project, "x"))).toBe(false);
    });
  });

  describe("the network", () => {
    const connect = (port: number) =>
      `(echo hi > /dev/tcp/127.0.0.1/${port}) 2>&1; (echo hi > /dev/udp/127.0.0.1/${port}) 2>&1; node -e 'require("net").connect(${port},"127.0.0.1").on("connect",()=>console.log("connected")).on("error",()=>console.log("refused"))'`;

    it("[S-9] nothing is reached without leave, and the same line reaches it with leave", async () => {
      let connections = 0;
      const server = createServer((socket) => {
        connections += 1;
        socket.on("error", () => socket.destroy());
        socket.end();
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      try {
        const { port } = server.address() as { port: number };
        const shut = await say(runner(), scene, `${connect(port)}; ip link 2>/dev/null | grep -c UP`);
        expect(connections).toBe(0);
        expect(shut.stdout).toContain("refused");
        const open = await say(runner(), scene, connect(port), { network: true });
        expect(open.sandbox).toMatchObject({ kind: "bubblewrap", network: true });
        expect(connections).toBeGreaterThan(0);
      } finally {
        server.close();
      }
    });

    it("sockets of the machine are not in reach", async () => {
      const path = join(scene.outside, "service.sock");
      let connections = 0;
      const server = createServer(() => (connections += 1));
      await new Promise<void>((done) => server.listen("\0thehood-test-abstract", done));
      try {
        const line = `node -e 'require("net").connect("\\0thehood-test-abstract").on("error",()=>console.log("refused"))'; ls /run /var/run ${path}`;
        const { stdout } = await say(runner(), scene, line);
        expect(stdout).toContain("refused");
        expect(connections).toBe(0);
      } finally {
        server.close();
      }
    });
  });
});
