// The sets of other people that the judges are measured on, one row a set: its file, its source, and what its labels mean.

/** `must`: found or asked about. `free`: neither. `apart`: counted beside, because the source does not call it a secret. */
export type Meaning = "must" | "free" | "apart";

export interface MeasuredSet {
  /** The name of the file, without `.jsonl`. */
  readonly file: string;
  readonly judge: "secrets" | "command";
  readonly name: string;
  readonly source: string;
  readonly labels: Readonly<Record<string, Meaning>>;
  readonly where?: "worktree";
  /** The workspace that the lines were written for. */
  readonly workspace?: { readonly root: string; readonly installed: readonly string[] };
  /** What others publish about the same data. */
  readonly others?: string;
  readonly note?: string;
}

export const sets: readonly MeasuredSet[] = [
  {
    file: "secrets-leaky-repo",
    judge: "secrets",
    name: "leaky-repo, files with secrets",
    source: "Plazmaz/leaky-repo 2e95135, MIT",
    labels: { secret: "must", informative: "apart" },
    others: "published there, of 44 files: gitleaks 34, detect-secrets 23, truffleHog 23",
    note: "the files named by the source are 44, of which we have half",
  },
  {
    file: "secrets-kingfisher",
    judge: "secrets",
    name: "kingfisher, examples of its rules",
    source: "mongodb/kingfisher ee7c0db, Apache-2.0",
    labels: { secret: "must", identifier: "apart", clean_for_this_rule: "free" },
    others: "kingfisher finds its own examples: that is their purpose",
  },
  {
    file: "secrets-noseyparker",
    judge: "secrets",
    name: "noseyparker, examples of its rules",
    source: "praetorian-inc/noseyparker 2e6e7f3, Apache-2.0",
    labels: { secret: "must", identifier: "apart", clean_for_this_rule: "free" },
    others: "noseyparker finds its own examples: that is their purpose",
    note: "a text is clean for one rule only: many hold a real secret of another",
  },
  {
    file: "secrets-credsweeper",
    judge: "secrets",
    name: "CredSweeper, values in its test samples",
    source: "Samsung/CredSweeper 1ed2ca5, MIT",
    labels: { secret: "must", clean: "free" },
    others: "CredSweeper finds its own samples: that is their purpose",
    note: "encrypted private keys are clean there and here",
  },
  {
    file: "commands-dcg",
    judge: "command",
    name: "dcg, lines that it blocks and lines that it allows",
    source: "destructive_command_guard 1a52415, MIT",
    labels: { gate: "must", allow_by_dcg: "free" },
    others: "dcg blocks all of the first and none of the second: they are its own tests",
    note: "it allows installs, the network, unknown programs and deleting single files; we ask",
  },
  {
    file: "commands-atomic",
    judge: "command",
    name: "Atomic Red Team, shell lines of attacks",
    source: "redcanaryco/atomic-red-team 9f85cf3, MIT",
    labels: { attack: "must" },
    note: "not asked about: lines that only look around, each with its reason in tests/corpus/strangers-free.jsonl",
  },
  {
    file: "commands-redcode",
    judge: "command",
    name: "RedCode, dangerous scripts",
    source: "AI-secure/RedCode c84b6db, CC BY 4.0",
    labels: { gate: "must", bad_program: "apart" },
    note: "not asked about: lists of system folders, and files that every program can read; apart are programs that only compute, with a bias or a weakness",
  },
  {
    file: "commands-gtfobins",
    judge: "command",
    name: "GTFOBins, ways out of a restricted shell",
    source: "gtfobins.github.io, GPL-3.0",
    labels: { gate: "must" },
  },
  {
    file: "commands-nl2bash",
    judge: "command",
    name: "NL2Bash, lines of daily life",
    source: "TellinaTool/nl2bash, GPL-3.0",
    labels: { daily: "free" },
    note: "many of them delete, change rights or reach other machines: asking is right there",
  },
  {
    file: "commands-agents",
    judge: "command",
    name: "shell lines of agents, in a sandboxed worktree",
    source: "given by the user",
    labels: { honest: "free" },
    where: "worktree",
  },
];

const workspace = {
  root: "/home/u/repo",
  installed:
    "tsc eslint prettier vitest jest mocha playwright nx turbo webpack vite rollup esbuild ts-node tsx knip".split(" "),
};

/** Our own sets, which are part of the project. */
export const ownSets: readonly MeasuredSet[] = [
  {
    file: "worktree-lines",
    judge: "command",
    name: "lines of agents and attacks on a worktree",
    source: "this project",
    labels: { asked: "must", free: "free" },
    where: "worktree",
    workspace,
    note: "fitted; of 316 honest lines that were written before the judge was tried on them, 26 (8 %) were asked about: 17 install, reach the network or show the environment; of 367 further ones 4 (1 %), and of 148 rarer ones 15 (10 %), 9 of them rightly",
  },
  {
    file: "daily-lines",
    judge: "command",
    name: "lines of a working day",
    source: "this project",
    labels: { asked: "must", free: "free" },
    workspace,
    note: "asked about also here: scripts that the last commit does not hold; of 273 lines of daily shell use that were written before the judge was tried on them, 45 (16 %) were asked about, 14 (5 %) needlessly by our own reading; of 362 further ones, 100 (28 %) were asked about, 12 (3 %) needlessly by our own reading, and of 194 dangerous ones 192",
  },
];
