// The things that must not be lost or altered: the log, and work that was pinned before it was removed.
import type { CommitVerdict, VerifyReport } from "../../../core/contract/index.ts";
import type { PinnedWorkRow } from "../../../operations/index.ts";
import { safe } from "./list.ts";
import { texts } from "./view.ts";

export const verified = texts<VerifyReport>(({ runs, events, artifacts, problems, notes = [] }, { style }) => {
  const beside = notes.map((note) => `${style.dim(`· ${note}`)}\n`).join("");
  if (problems.length === 0)
    return `${style.green("✔")} ${runs} runs, ${events} events, ${artifacts} artifacts: nothing was altered\n${beside}`;
  return (
    [
      `${style.red("✘")} ${problems.length} problems\n`,
      ...problems.map(
        ({ runId, seq, problem }) => `  ${runId ?? ""}${seq === undefined ? "" : ` event ${seq}`}: ${problem}\n`,
      ),
    ].join("") + beside
  );
});

interface Pruned {
  readonly kept?: readonly PinnedWorkRow[];
  readonly dropped?: readonly string[];
}

export const pruned = texts<Pruned>(({ kept = [], dropped }, { style }) => {
  if (dropped) return `dropped ${dropped.length}\n`;
  if (kept.length === 0) return "Nothing is kept.\n";
  const lines = kept.map(
    ({ ref, at, subject }) => `${ref}  ${style.dim(new Date(at).toISOString().slice(0, 16))}  ${subject}\n`,
  );
  return `${lines.join("")}Look: git diff HEAD REF. Take it: git checkout REF -- FILE. Drop one: thehood prune --drop REF; drop all: thehood prune --drop all\n`;
});

interface Verified {
  readonly commits: readonly CommitVerdict[];
}

export const publicKey = texts<{ readonly pem: string }>(({ pem }) => pem);

export const commits = texts<Verified>(({ commits: all }, { style }) => {
  const sign = { verified: style.green("✔"), unbound: "·", tampered: style.red("✘") };
  if (all.length === 0) return "There is no commit in this range.\n";
  return all
    .flatMap(({ commit, verdict, reason, signed = [] }) => [
      `${sign[verdict]} ${commit.slice(0, 12)} ${verdict}: ${reason}\n`,
      ...signed.map(({ gate, answer, by }) => `    ${answer} at ${gate} is signed by ${by}\n`),
    ])
    .join("");
});

interface Requested {
  readonly commit: string;
  readonly branch: string;
  readonly remote: string;
  readonly url: string | null;
  readonly created: boolean;
  readonly bodyFile: string;
}

export const requested = texts<Requested>(({ commit, branch, remote, url, created, bodyFile }, { style }) => {
  const pushed = `${style.green("✔")} pushed ${commit.slice(0, 12)} with its evidence to ${remote} ${branch}\n`;
  if (url === null)
    return `${pushed}This host is neither GitHub nor GitLab: open the request there; its text is in ${bodyFile}\n`;
  return `${pushed}${style.green("✔")} ${created ? "draft pull request" : "the open pull request has it"}: ${url}\n`;
});

interface CheckedByCi {
  readonly url: string;
  readonly state: string;
  readonly checks: readonly { readonly name: string; readonly state: string; readonly url: string }[];
  readonly draft: boolean;
  readonly next: string;
}

export const checkedByCi = texts<CheckedByCi>(({ url, state, checks, draft, next }, { style }) => {
  const sign: Readonly<Record<string, string>> = { passed: style.green("✔"), failed: style.red("✘") };
  const result =
    state === "none" ? "the forge runs no checks" : state === "passed" ? "all checks pass" : "a check failed";
  const listed = checks.map(
    (check) => `  ${sign[check.state] ?? "·"} ${safe(check.name)}  ${style.dim(safe(check.url))}\n`,
  );
  const lines = [`${sign[state] ?? "·"} ${result}: ${safe(url)}${draft ? " (draft)" : ""}\n`, ...listed];
  return `${lines.join("")}→ ${next}\n`;
});

interface KeptTests {
  readonly paths: readonly string[];
  readonly left: readonly string[];
}

export const keptTests = texts<KeptTests>(({ paths, left }, { style }) => {
  const lines = [
    ...paths.map((path) => `${style.green("✔")} written ${safe(path)}`),
    ...left.map((path) => `${style.yellow("!")} not written, a file is there: ${safe(path)}`),
  ];
  return lines.length === 0 ? "There is no blind test to keep.\n" : `${lines.join("\n")}\n`;
});
