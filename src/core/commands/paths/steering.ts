// Files inside a workspace that make tools run code later, without anybody calling it: writing them is asked about.
import { agentFolderPattern, agentInstructionPattern } from "../../contract/index.ts";

const rules: readonly { readonly what: string; readonly path: RegExp }[] = [
  { what: "git's own folder", path: /(^|\/)\.git(\/|$)/i },
  {
    what: "git hooks",
    path: /(^|\/)(\.husky|\.githooks|\.lefthook)(\/|$)|(^|\/)(lefthook|\.pre-commit-config)\.ya?ml$/i,
  },
  { what: "git settings", path: /(^|\/)(\.gitmodules|\.gitattributes|\.gitconfig)$/i },
  {
    what: "a shell start-up file",
    path: /(^|\/)(\.envrc|\.(bash|zsh|k|c)?rc|\.(bash_)?profile|\.bash_login|\.zshenv|\.zprofile)$/i,
  },
  { what: "editor tasks", path: /(^|\/)(\.vscode|\.idea|\.devcontainer|\.fleet|\.zed)(\/|$)/i },
  {
    what: "agent settings",
    path: /(^|\/)\.(cursor|thehood|windsurf|clinerules|cline|roo|continue|amazonq|kiro|junie|augment|goose|factory|trae|qwen|crush|kilocode|openhands|aiassistant|amp|agents)(\/|$)|(^|\/)\.?mcp\.json$|(^|\/)\.(cursor|windsurf|cline|roo|goose|trae|kilo)(rules|hints)$/i,
  },
  { what: "agent settings", path: new RegExp(`(^|/)(${agentFolderPattern})(/|$)`, "i") },
  {
    what: "instructions for agents",
    path: new RegExp(
      String.raw`^(?!docs?/)(.*/)?(${agentInstructionPattern}|(AGENT|QWEN|WARP|CRUSH)\.md)$|^\.github/copilot-instructions\.md$`,
      "i",
    ),
  },
  {
    what: "a build tool of the project",
    path: /(^|\/)(gradlew|mvnw)(\.bat|\.cmd)?$|(^|\/)(gradle|\.mvn)\/wrapper(\/|$)/i,
  },
  { what: "CI instructions", path: /(^|\/)\.(github\/workflows|gitlab-ci\.yml|circleci)(\/|$)/i },
];

export const steers = (path: string) => rules.find((rule) => rule.path.test(path))?.what;
