// The options of steipete/oracle: what each of them is here. Data of its README, help, skill and reference.
import { reasoningEfforts } from "../../core/contract/transport/index.ts";

/** How hard the model thinks, in upstream's words. */
const efforts: Readonly<Record<string, string>> = {
  light: "low",
  standard: "medium",
  extended: "high",
  heavy: "xhigh",
  "extra-high": "xhigh",
  pro: "max",
};

/** A time without a unit is in milliseconds there and in seconds here. */
const fromMs = (value: string): string => (/^\d+$/.test(value) ? `${value}ms` : value);

export type Meaning =
  /** Another name here. */
  | { readonly to: string; readonly read?: (value: string) => readonly string[]; readonly choices?: readonly string[] }
  /** Changes nothing here. `silent`: without a word. */
  | { readonly drop: "flag" | "value"; readonly silent?: true }
  /** Something else does it here: the run is refused with this text. */
  | { readonly instead: string };

const to = (name: string): Meaning => ({ to: name });
const reads = (read: (value: string) => readonly string[]): Meaning => ({ to: "", read });
const instead = (text: string): Meaning => ({ instead: text });
const flag: Meaning = { drop: "flag" };
const value: Meaning = { drop: "value" };

const ownEfforts: readonly string[] = reasoningEfforts;
const effort: Meaning = {
  to: "",
  read: (given) => ["--reasoning-effort", efforts[given] ?? given],
  choices: [...Object.keys(efforts), ...ownEfforts],
};
const picture = instead(
  "Ask for the picture in the prompt; what the page makes is saved into files/ of the session. A picture to change goes along with -f.",
);
const azure = instead("Use: oracle --provider azure --base-url https://NAME.openai.azure.com -m DEPLOYMENT …");

export const upstreamOptions: Readonly<Record<string, Meaning>> = {
  "--include": to("--file"),
  "--files": to("--file"),
  "--path": to("--file"),
  "--paths": to("--file"),
  "--copy": to("--copy-markdown"),
  "--render-markdown": to("--render"),
  "--render-plain": to("--render"),
  "--max-file-size-bytes": to("--max-file-size"),
  "--chatgpt-url": to("--browser-url"),
  "--preview": to("--dry-run"),
  "--silent": to("--quiet"),
  "--max-output": to("--max-output-tokens"),
  "--browser-follow-up": to("--next"),
  "--message": to("--prompt"),
  "--remote-host": to("--remote"),
  "--thinking-time": effort,
  "--browser-thinking-time": effort,
  "--browser-timeout": reads((given) => ["--timeout", fromMs(given)]),
  "--browser-research": {
    to: "",
    read: (given) => (given === "deep" ? ["--research"] : []),
    choices: ["deep", "off"],
  },

  "-v": { drop: "flag", silent: true },
  "--verbose": { drop: "flag", silent: true },
  "--browser-keep-browser": { drop: "flag", silent: true },
  "--browser-manual-login": { drop: "flag", silent: true },
  "--allow-partial": flag,
  "--browser-allow-cookie-errors": flag,
  "--browser-cookie-sync": flag,
  "--browser-headless": flag,
  "--browser-hide-window": flag,
  "--browser-inline-files": flag,
  "--browser-no-cookie-sync": flag,
  "--gemini-show-thoughts": flag,
  "--no-azure": flag,
  "--no-notify-sound": flag,
  "--notify-sound": flag,
  "--perf-trace": flag,
  "--verbose-render": flag,
  "--write-output-latest": flag,
  "--zombie-last-activity": flag,
  "--browser-archive": value,
  "--browser-attachment-timeout": value,
  "--browser-attachments": value,
  "--browser-auto-reattach-delay": value,
  "--browser-auto-reattach-interval": value,
  "--browser-auto-reattach-timeout": value,
  "--browser-chrome-path": value,
  "--browser-chrome-profile": value,
  "--browser-cookie-names": value,
  "--browser-cookie-path": value,
  "--browser-cookie-wait": value,
  "--browser-cookies": value,
  "--browser-debug-port": value,
  "--browser-inline-cookies": value,
  "--browser-inline-cookies-file": value,
  "--browser-input-timeout": value,
  "--browser-manual-login-profile-dir": value,
  "--browser-max-concurrent-tabs": value,
  "--browser-model-strategy": value,
  "--browser-port": value,
  "--browser-profile-lock-timeout": value,
  "--browser-recheck-delay": value,
  "--browser-recheck-timeout": value,
  "--browser-reuse-wait": value,
  "--copy-profile": value,
  "--followup-model": value,
  "--http-timeout": value,
  "--max-input": value,
  "--partial": value,
  "--perf-trace-path": value,
  "--remote-browser": value,
  "--remote-token": value,
  "--retain-hours": value,
  "--temperature": value,
  "--zombie-timeout": value,

  "--aspect": picture,
  "--edit-image": picture,
  "--generate-image": picture,
  "--output": picture,
  "--youtube": instead("Give the address of the video in the prompt."),
  "--azure-api-version": azure,
  "--azure-deployment": azure,
  "--azure-endpoint": azure,
  "--browser-attach-running": instead(
    "The Chrome that you use is chosen by a variable: ORACLE_BROWSER_ATTACH=chrome oracle …",
  ),
  "--browser-tab": instead(
    "A run has a tab of its own. Go on in a conversation with --followup SESSION, or name its address in --browser-url.",
  ),
  "--remote-chrome": instead(
    "Use the browser of another machine with --remote ssh://HOST, or one on this machine by its port: ORACLE_BROWSER_ATTACH=9222 oracle …",
  ),
  "--preflight": instead("Ask whether key and model are right, at no cost: oracle models NAME"),
  "--route": instead("Where a run would go is shown by --dry-run; oracle models lists all ways."),
  "--reasoning-mode": instead("Name a Pro model (-m gpt-5.5-pro), or use --reasoning-effort max."),
  "--api-key": instead(
    "Keys come from the environment, where no list of processes shows them: OPENAI_API_KEY=… oracle …",
  ),
  "--system": instead("Put it into the prompt."),
  "--status": instead("Use: oracle status"),
  "--session": instead("Use: oracle session ID"),
};
