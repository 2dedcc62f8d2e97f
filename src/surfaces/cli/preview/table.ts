// The command lines of the public preview that are spelled differently here, as data. A line that means exactly the same
// is run under its new name; every other one is answered with the command that does it here.

/** `as`: the same under this name. `now`: the answer, as commands; the words behind the old ones are handed in. */
export type FormerCommand =
  | { readonly as: string }
  | { readonly now: (words: readonly string[]) => string; readonly why?: string };

/** `as`: the same option under this name. `same`: what it asks for happens without it. `now`: what does it here. */
export type FormerOption =
  | { readonly as: string }
  | { readonly same: true }
  | { readonly now: (value: string) => string };

const plain = (command: string) => () => command;
const mode = (word = "MODE") => word.replaceAll("-", "_");

const settings = {
  "max-iterations": "policy.budgets.maxIterations",
  "fanout-max-items": "policy.fanoutMaxItems",
} as const;

const route = {
  now: plain("thehood roles set orchestrator chatgpt-web:chatgpt-pro, and where data would go: thehood access"),
  why: "There is no route to choose: the agent of a role names it.",
};

export const formerCommands: Readonly<Record<string, FormerCommand>> = {
  setup: {
    now: plain("thehood doctor (what is missing), thehood mcp config (for agent programs), thehood demo"),
    why: "Nothing has to be set up.",
  },
  "config show": { as: "config" },
  "config edit": { now: plain("thehood config (it names the files), thehood config set KEY VALUE") },
  "config set max-iterations": {
    now: ([n = "N"]) => `thehood config set ${settings["max-iterations"]} ${n}, or for one run: --max-iterations ${n}`,
  },
  "config set fanout-max-items": {
    now: ([n = "N"]) => `thehood config set ${settings["fanout-max-items"]} ${n}`,
  },
  "config set chatgpt-pro-route": route,
  "pro-route": route,
  providers: { as: "models" },
  roster: { as: "roles" },
  ui: { now: plain("thehood (alone in a terminal), or printed once: thehood status --everywhere") },
  "ui approvals": { as: "status --waiting" },
  "ui settings": { now: plain("thehood config --origin; the pages: thehood roles, models, policy, browser status") },
  "ui settings overview": { now: plain("thehood config --origin") },
  "ui settings all": { now: plain("thehood config --origin") },
  "ui settings budgets": { now: plain("thehood config get policy.budgets") },
  "ui settings commands": { now: plain("thehood --help --all") },
  "ui settings crew": { as: "roles" },
  "ui settings providers": { as: "models" },
  "ui settings safety": { as: "policy" },
  "ui settings browser": { as: "browser status" },
  "approvals policy": { as: "policy" },
  "approvals policy show": { as: "policy" },
  "approvals policy set": { now: plain("thehood policy set MODE") },
  "approvals policy set mode": {
    now: ([word]) => `thehood policy set ${mode(word)}, or for one run: --approvals ${mode(word)}`,
    why: "A policy is yours and holds in all your repositories.",
  },
  "approvals policy set external-transfers": {
    now: ([word]) => `thehood config set policy.externalTransfers.mode ${mode(word)}`,
    why: "A policy is yours and holds in all your repositories.",
  },
  "mcp tunnel": {
    now: plain("thehood mcp --http --keep-token, and your tunnel in front of it (docs/guides/mcp-tunnels.md)"),
    why: "TheHood opens no tunnel.",
  },
  "browser start": {
    now: plain("thehood browser login"),
    why: "The browser starts when it is needed; you only log in once.",
  },
};

const ownBrowser: FormerOption = {
  now: plain("thehood browser login; TheHood finds its browser and its profile (docs/guides/browser.md)"),
};
const browserOptions = {
  port: ownBrowser,
  profile: ownBrowser,
  "profile-path": ownBrowser,
  "chrome-path": ownBrowser,
  "cdp-url": ownBrowser,
};
const bridge: FormerOption = {
  now: plain("thehood mcp config; the bridge is built in and needs no variables: thehood browser login"),
};
const reason = { reason: { as: "message" } } as const;
const loops = { loop: { same: true } } as const;
const decided = (word: string): FormerOption => ({ now: (run) => `thehood ${word} ${run}` });

/** Options by the command that they were options of; `ui approvals` is here because its own options decide. */
export const formerOptions: Readonly<Record<string, Readonly<Record<string, FormerOption>>>> = {
  approve: reason,
  reject: reason,
  revise: reason,
  run: loops,
  plan: loops,
  goal: { "max-steps": { now: (n) => `--max-cycles ${n}: a round has no number of steps here` } },
  "recommend-loop": {
    constraint: { as: "constraints" },
    acceptance: { as: "acceptance-criteria" },
    validation: { as: "validation-commands" },
    "allowed-path": { as: "allowed-paths" },
    "forbidden-change": { as: "forbidden-changes" },
  },
  diff: {
    "max-bytes": { now: (n) => `thehood show RUN --artifact REF --max-bytes ${n}; thehood diff prints the whole` },
  },
  fanout: {
    "items-json": { as: "items" },
    "max-items": { now: (n) => `thehood config set ${settings["fanout-max-items"]} ${n}` },
  },
  "mcp config": { "chatgpt-web": bridge, "chatgpt-atlas": bridge, "cdp-url": bridge },
  "browser status": browserOptions,
  "browser stop": browserOptions,
  "ui approvals": { approve: decided("approve"), reject: decided("reject"), revise: decided("revise") },
};
