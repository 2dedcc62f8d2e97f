// Test only: what git itself would run or be led astray by.
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeRepository, plainGit, type TestRepository } from "../support/repository.ts";
import { careless, type Canary, type Fuse } from "./canary.ts";

type Say = (repository: TestRepository) => void;
const git =
  (...args: string[]): Say =>
  (repository) =>
    careless(repository.dir, ...args);
const status = git("status");
const commit = git("commit", "-am", "x");
const add = git("add", "-A");
const diff = git("diff");

/** A key of the configuration. */
const key = (
  name: string,
  value: (fuse: Fuse) => string,
  how?: Say,
  more?: (repository: TestRepository, fuse: Fuse) => void,
): Canary => ({
  name,
  plant: (repository, fuse) => {
    more?.(repository, fuse);
    repository.git("config", name, value(fuse));
  },
  ...(how ? { careless: how } : {}),
});
const run = (fuse: Fuse) => fuse.command;

const attributes = (line: string) => (repository: TestRepository) => {
  repository.write(".gitattributes", `${line}\n`);
  repository.git("add", ".gitattributes");
  repository.git("commit", "-qm", "attributes");
};

const hook = (name: string, how: Say): Canary => ({
  name: `hook ${name}`,
  plant: (repository, { program }) => symlinkSync(program, join(repository.dir, ".git/hooks", name)),
  careless: how,
});

const remote = (url: string) => (repository: TestRepository) => repository.git("config", "remote.origin.url", url);
const text = (name: string, write: (repository: TestRepository, fuse: Fuse) => void, how?: Say): Canary => ({
  name,
  plant: write,
  ...(how ? { careless: how } : {}),
});
const config = (repository: TestRepository, lines: string) =>
  appendFileSync(join(repository.dir, ".git/config"), lines);

function withSubmodule(repository: TestRepository): string {
  const inner = makeRepository({ "s.txt": "s\n" });
  repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.dir, "sub");
  repository.git("commit", "-qm", "submodule");
  inner.remove();
  return join(repository.dir, ".git/modules/sub");
}

export const hookCanaries: readonly Canary[] = [
  hook("pre-commit", commit),
  hook("prepare-commit-msg", commit),
  hook("commit-msg", commit),
  hook("post-commit", commit),
  hook("post-checkout", git("checkout", "-q", "HEAD~1")),
  hook("post-index-change", add),
  hook("reference-transaction", git("update-ref", "refs/heads/x", "HEAD")),
  text(
    "core.hooksPath into the tree",
    (repository, { program }) => {
      mkdirSync(join(repository.dir, ".hooks"));
      symlinkSync(program, join(repository.dir, ".hooks/pre-commit"));
      repository.git("config", "core.hooksPath", ".hooks");
    },
    commit,
  ),
  key("hook.evil.command", run, undefined, (repository) => repository.git("config", "hook.evil.event", "pre-commit")),
];

/** Keys that stand for themselves; all of them can stand in one configuration. */
export const configCanaries: readonly Canary[] = [
  key("core.fsmonitor", ({ program }) => program, status),
  key("core.sshCommand", run, git("ls-remote", "ssh://127.0.0.1/x"), remote("ssh://127.0.0.1/x")),
  key("core.pager", run),
  key("pager.log", run),
  key("pager.status", run),
  key("core.editor", run, git("commit", "-a")),
  key("sequence.editor", run, git("rebase", "-i", "--autostash", "HEAD~1")),
  key("core.askPass", ({ program }) => program, undefined, remote("https://127.0.0.1:9/x")),
  key("core.gitProxy", ({ program }) => program, git("ls-remote", "git://127.0.0.1/x"), remote("git://127.0.0.1/x")),
  key("core.alternateRefsCommand", run),
  key("diff.external", ({ program }) => program, diff),
  key("gpg.program", ({ program }) => program, git("commit", "-S", "-am", "x")),
  key(
    "gpg.ssh.defaultKeyCommand",
    ({ program }) => program,
    git("commit", "-S", "-am", "x"),
    (repository) => repository.git("config", "gpg.format", "ssh"),
  ),
  key(
    "log.showSignature with gpg.program",
    () => "true",
    undefined,
    (repository, { program }) => {
      repository.git("config", "gpg.program", program);
      repository.git("config", "commit.gpgSign", "true");
    },
  ),
  key("credential.helper", ({ program }) => program, undefined, remote("http://127.0.0.1:9/x")),
  key(
    "credential.http://127.0.0.1:9.helper",
    ({ program }) => `!${program}`,
    undefined,
    remote("http://127.0.0.1:9/x"),
  ),
  key("interactive.diffFilter", run),
  key("trailer.x.command", run),
  key("alias.st", (fuse) => `!${fuse.command}`, git("st")),
  key("gc.recentObjectsHook", run, undefined, (repository) => repository.git("config", "gc.auto", "1")),
  key("uploadpack.packObjectsHook", ({ program }) => program),
  key("difftool.x.cmd", run, git("difftool", "-y", "-t", "x")),
  key("remote.origin.uploadpack", ({ program }) => program, git("fetch", "origin"), remote("/nonexistent/x")),
  key("remote.origin.receivepack", ({ program }) => program, git("push", "origin", "main"), remote("/nonexistent/x")),
  key(
    "url.ext::sh -c true %S.insteadOf",
    () => "https://example.invalid/",
    undefined,
    remote("https://example.invalid/x"),
  ),
];

/** Drivers that an attribute gives files to. */
export const driverCanaries: readonly Canary[] = [
  key("diff.x.command", ({ program }) => program, diff, attributes("* diff=x")),
  key("diff.x.textconv", ({ program }) => program, diff, attributes("* diff=x")),
  key("diff.x.y z.textconv", ({ program }) => program, undefined, attributes("* diff=x.y")),
  key("filter.x.clean", run, add, attributes("* filter=x")),
  key("filter.x.smudge", run, git("checkout", "HEAD~1", "--", "."), attributes("* filter=x")),
  key("filter.x.process", ({ program }) => program, add, attributes("* filter=x")),
  key("filter.lfs.process", ({ program }) => program, add, attributes("* filter=lfs")),
  key("filter.a=b.clean", run, undefined, attributes("* filter=a=b")),
  key("filter.\u00fc.\u65e5.clean", run, add, attributes("* filter=\u00fc.\u65e5")),
  key("filter.UP.clean", run, add, attributes("* filter=UP")),
  key("merge.x.driver", run, undefined, attributes("* merge=x")),
];

/** The same with each driver on a file of its own, so that all of them are armed at once. */
export const everyDriver = text("every driver at once", (repository, { command, program }) => {
  const lines = [
    "a.txt filter=x diff=x merge=x",
    "src/c.ts filter=lfs diff=y",
    "untracked.txt filter=a=b",
    "new.txt filter=\u00fc.\u65e5",
    "made.txt filter=UP",
    "package.json filter=p",
    "b.bin diff=x",
  ];
  attributes(lines.join("\n"))(repository);
  for (const name of ["x", "a=b", "\u00fc.\u65e5", "UP"])
    for (const part of ["clean", "smudge"]) repository.git("config", `filter.${name}.${part}`, command);
  for (const name of ["lfs", "p"]) repository.git("config", `filter.${name}.process`, program);
  repository.git("config", "filter.x.required", "true");
  for (const key of ["diff.x.command", "diff.y.textconv", "diff.external", "merge.x.driver"])
    repository.git("config", key, program);
});

export const placeCanaries: readonly Canary[] = [
  text(
    "log.showSignature",
    (repository, { program }) => {
      repository.git("config", "gpg.program", program);
      repository.git("config", "log.showSignature", "true");
      const body = repository
        .git("cat-file", "commit", "HEAD")
        .replace("\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n");
      writeFileSync(join(repository.dir, ".git/body"), body);
      const id = repository.git("hash-object", "-t", "commit", "-w", ".git/body").trim();
      repository.git("update-ref", "HEAD", id);
    },
    git("log", "-1"),
  ),
  text(
    "remote ext::",
    (repository, { program }) => remote(`ext::${program} %S`)(repository),
    git("-c", "protocol.ext.allow=always", "fetch", "origin"),
  ),
  text(
    "a promisor remote and a missing object",
    (repository, { program }) => {
      remote("/nonexistent/x")(repository);
      config(
        repository,
        `[remote "origin"]\n\tpromisor = true\n\tpartialclonefilter = blob:none\n\tuploadpack = ${program}\n[extensions]\n\tpartialClone = origin\n[core]\n\trepositoryFormatVersion = 1\n`,
      );
      const id = repository.git("rev-parse", "HEAD~1:a.txt").trim();
      rmSync(join(repository.dir, ".git/objects", id.slice(0, 2), id.slice(2)));
    },
    git("show", "HEAD~1:a.txt"),
  ),
  text(
    "include.path",
    (repository, { program }) => {
      writeFileSync(join(repository.dir, ".git/more"), `[core]\n\tfsmonitor = ${program}\n`);
      repository.git("config", "include.path", "more");
    },
    status,
  ),
  text(
    "include.path into the tree, twice removed",
    (repository, { command }) => {
      attributes("* filter=deep")(repository);
      repository.write("conf/one", "[include]\n\tpath = two\n");
      repository.write("conf/two", `[filter "deep"]\n\tclean = "${command.replaceAll('"', '\\"')}"\n`);
      repository.git("config", "include.path", "../conf/one");
    },
    add,
  ),
  text(
    "includeIf",
    (repository, { program }) => {
      writeFileSync(join(repository.dir, ".git/more"), `[core]\n\tfsmonitor = ${program}\n`);
      config(repository, '[includeIf "gitdir/i:**/.GIT"]\n\tpath = more\n');
    },
    status,
  ),
  text(
    "config.worktree",
    (repository, { program }) => {
      repository.git("config", "extensions.worktreeConfig", "true");
      writeFileSync(join(repository.dir, ".git/config.worktree"), `[core]\n\tfsmonitor = ${program}\n`);
    },
    status,
  ),
  text(
    "odd spelling of the configuration",
    (repository, { program, command }) => {
      attributes("* filter=q")(repository);
      const quoted = `"${command.replaceAll('"', '\\"')}"`;
      const lines = [
        `\uFEFF[CORE]fsMonitor = "${program}" ; x`,
        "[core]",
        "\trepositoryformatversion = 0",
        `[FilTer "q"] CLEAN = ${quoted} # x`,
        `[filter.q]smudge=\\\r\n ${program}`,
      ];
      writeFileSync(join(repository.dir, ".git/config"), lines.join("\r\n"));
    },
    status,
  ),
  text("core.worktree elsewhere", (repository, { outside }) => repository.git("config", "core.worktree", outside)),
  text("core.bare and core.worktree", (repository, { outside }) =>
    config(repository, `[core]\n\tbare = false\n\tworktree = ${outside}\n`),
  ),
  text(
    "info/attributes",
    (repository, { command }) => {
      mkdirSync(join(repository.dir, ".git/info"), { recursive: true });
      writeFileSync(join(repository.dir, ".git/info/attributes"), "* filter=x\n");
      repository.git("config", "filter.x.clean", command);
    },
    add,
  ),
  text(
    "core.attributesFile",
    (repository, { command }) => {
      writeFileSync(join(repository.dir, ".git/attrs"), "* filter=x\n");
      repository.git("config", "core.attributesFile", ".git/attrs");
      repository.git("config", "filter.x.clean", command);
    },
    add,
  ),
  text(
    "a submodule's fsmonitor",
    (repository, { program }) => {
      const folder = withSubmodule(repository);
      plainGit(repository.dir, "config", "-f", join(folder, "config"), "core.fsmonitor", program);
    },
    status,
  ),
  text(
    "a submodule's filter",
    (repository, { command }) => {
      const folder = withSubmodule(repository);
      mkdirSync(join(folder, "info"), { recursive: true });
      writeFileSync(join(folder, "info/attributes"), "* filter=x\n");
      plainGit(repository.dir, "config", "-f", join(folder, "config"), "filter.x.clean", command);
      writeFileSync(join(repository.dir, "sub/s.txt"), "t\n");
    },
    status,
  ),
  text(
    "submodule.update",
    (repository, { program }) => {
      withSubmodule(repository);
      repository.git("config", "submodule.sub.update", `!${program}`);
      repository.git("config", "submodule.recurse", "true");
      plainGit(join(repository.dir, "sub"), "commit", "-q", "--allow-empty", "-m", "x");
    },
    git("submodule", "update"),
  ),
  text(
    "status.submoduleSummary",
    (repository, { program }) => {
      const folder = withSubmodule(repository);
      repository.git("config", "status.submoduleSummary", "true");
      plainGit(repository.dir, "config", "-f", join(folder, "config"), "core.fsmonitor", program);
    },
    status,
  ),
  text(
    "a bare repository among the files",
    (repository, { program }) => {
      plainGit(repository.dir, "init", "-q", "--bare", "src/bare");
      plainGit(repository.dir, "config", "-f", "src/bare/config", "core.fsmonitor", program);
      plainGit(repository.dir, "config", "-f", "src/bare/config", "core.worktree", ".");
      plainGit(repository.dir, "config", "-f", "src/bare/config", "core.bare", "false");
      repository.git("add", "-A");
      repository.git("commit", "-qm", "bare");
    },
    (repository) => careless(join(repository.dir, "src/bare"), "status"),
  ),
  text(
    "a repository inside the repository",
    (repository, { program }) => {
      plainGit(repository.dir, "init", "-q", "inner");
      repository.write("inner/i.txt", "i\n");
      plainGit(join(repository.dir, "inner"), "add", "-A");
      plainGit(join(repository.dir, "inner"), "commit", "-qm", "i");
      plainGit(join(repository.dir, "inner"), "config", "core.fsmonitor", program);
    },
    (repository) => careless(join(repository.dir, "inner"), "status"),
  ),
  text(
    ".git is a file that leads into the tree",
    (repository, { program }) => {
      renameSync(join(repository.dir, ".git"), join(repository.dir, "gitdir"));
      writeFileSync(join(repository.dir, ".git"), "gitdir: gitdir\n");
      repository.git("config", "core.fsmonitor", program);
    },
    status,
  ),
  text("replaced objects", (repository) => {
    const fake = repository.git("hash-object", "-w", "package.json").trim();
    repository.git("replace", repository.git("rev-parse", "HEAD:a.txt").trim(), fake);
  }),
  text("an index that lies", (repository) => {
    repository.git("update-index", "--assume-unchanged", "src/c.ts");
    repository.git("update-index", "--skip-worktree", "a.txt");
    repository.git("config", "core.ignoreStat", "true");
    repository.git("config", "core.untrackedCache", "true");
  }),
];
