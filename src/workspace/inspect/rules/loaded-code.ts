// Code of a project that its tools load when they are called: configurations, build files, set-up of tests. Such files are
// ordinary; they are reported where they start a program that fetches or hides something.
import { shown } from "../finding.ts";
import { field, readJsonFile, type FileRule } from "./file-rule.ts";

/** Ways to start a program or to run a text. */
const starts =
  /child_process|\bexec(?:Sync|File|FileSync)?\s*\(|\bspawn(?:Sync)?\s*\(|\$\(shell\b|\.execute\(\)|ProcessBuilder|\bexec\s*\{|commandLine|getRuntime\(\)|\bos\.(?:system|popen)|subprocess|\bsystem\s*\(|\bsystem\s+["']|%x[({[]|execute_process|run_command|\bProcess\.run|\bpopen\b|\beval\s*\(|new Function\(|\bfetch\s*\(|urlopen|https?\.(?:get|request)\s*\(|local-exec|repository_ctx\.execute|genrule|!=\s/;
/** Things that an ordinary build hardly does in the same file. */
const hazards =
  /\bcurl\b|\bwget\b|\|\s*(?:ba|z)?sh\b|\bnc\s+-|\/dev\/tcp\/|powershell|base64|atob\(|\bssh-|~\/\.\w|\$HOME\/\.|\.(?:ssh|aws|npmrc|netrc)\b|id_rsa|process\.env\)|os\.environ\)|JSON\.stringify\(process\.env|(?:fetch|request|get|urlopen)\s*\(\s*["'`]https?:/;

const remedy = "Read it before you let a tool run here.";

function lookForHazard(why: string): FileRule["look"] {
  return (text, report) => {
    if (!starts.test(text)) return;
    const line = text.split(/\r?\n/).find((one) => hazards.test(one));
    if (line !== undefined) report({ kind: "build_config", severity: "medium", what: shown(line.trim()), why, remedy });
  };
}

export const loadedCodeRules: readonly FileRule[] = [
  {
    path: /(^|\/)(GNUmakefile|[Mm]akefile|[\w.-]+\.mk|[Jj]ustfile|Taskfile\.ya?ml|[\w.-]+\.gradle(\.kts)?|build\.sbt|mix\.exs|Package\.swift|build\.zig|project\.clj|rebar\.config\.script|CMakeLists\.txt|[\w.-]+\.cmake|meson\.build|configure\.(ac|in)|WORKSPACE(\.bazel)?|MODULE\.bazel|BUILD(\.bazel)?|[\w.-]+\.bzl|SConstruct|wscript|Rakefile|Guardfile|Capfile|Podfile|Fastfile|Dangerfile|Brewfile|Vagrantfile|[\w.-]+\.(gem|pod)spec)$/,
    onlyHidden: true,
    look: lookForHazard("run by the build tool, often already when it reads the project or an editor imports it"),
  },
  {
    path: /(^|\/)(\.?[\w-]+\.conf(ig)?|\.(eslint|prettier|babel|stylelint|mocha|lintstaged|commitlint|cz)rc|[Gg](ulp|runt)file|[\w.-]*([Ss]etup|[Tt]eardown)[\w.-]*|preload|register|instrumentation)\.[cm]?[jt]sx?$/,
    onlyHidden: true,
    look: lookForHazard("loaded by a tool at every call, before the code that was asked for"),
  },
  {
    path: /(^|\/)((nox|fab)file|tasks|dodo|conf|setup_tests|__init__|manage|hatch_build|build)\.py$/,
    onlyHidden: true,
    look: lookForHazard("run by a tool or by an import, before the code that was asked for"),
  },
  {
    path: /(^|\/)[tj]sconfig[\w.-]*\.json$/,
    look: (text, report) => {
      const plugins = field(field(readJsonFile(text), "compilerOptions"), "plugins");
      for (const plugin of Array.isArray(plugins) ? plugins.slice(0, 50) : []) {
        const name = field(plugin, "name") ?? field(plugin, "transform");
        if (typeof name === "string" && /^([./]|\w:)/.test(name))
          report({
            kind: "editor",
            severity: "medium",
            what: `a plugin by path: ${shown(name)}`,
            why: "loaded by the language server of an editor that opens the folder",
            remedy,
          });
      }
    },
  },
];
