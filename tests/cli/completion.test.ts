// Completions as the shells themselves give them: each shell reads the printed script and is asked for the next word.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTerminal } from "../terminal/terminal.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { bin, openTestDesk } from "./program.ts";

const isThere = (shell: string) => spawnSync(shell, ["-c", "exit"]).status === 0;
const titled = (shell: string, title: string): readonly [string, boolean] => {
  const missing = !isThere(shell);
  return [missing ? `${title} (skipped: ${shell} is not installed)` : title, missing];
};

/** A home of its own in which both programs are on the path by their names. */
function place() {
  const { repo, env } = openTestDesk();
  const folder = tempFolder("bin-");
  for (const name of ["thehood", "oracle"]) symlinkSync(join(bin, "..", `${name}.js`), join(folder, name));
  const oracleHome = tempFolder("oracle-");
  mkdirSync(join(oracleHome, "sessions", "why-does-it-hang"), { recursive: true });
  writeFileSync(join(oracleHome, "sessions", "why-does-it-hang", "meta.json"), "{}");
  return { cwd: repo.dir, env: { ...env, ORACLE_HOME_DIR: oracleHome, PATH: `${folder}${delimiter}${env["PATH"]}` } };
}

interface Line {
  readonly typed: string;
  readonly offers: string;
}

const lines: readonly Line[] = [
  { typed: "thehood compl", offers: "completion" },
  { typed: "thehood check comm", offers: "command" },
  { typed: "thehood run --team gem", offers: "gemini-builder" },
  { typed: "thehood run --verifier gem", offers: "gemini-cli:default" },
  { typed: "thehood run --approvals auto_", offers: "auto_low_risk" },
  { typed: "thehood roles set crit", offers: "critic" },
  { typed: "oracle compl", offers: "completion" },
  { typed: "oracle attach why-", offers: "why-does-it-hang" },
];

const quoted = (text: string) => `'${text}'`;

describe("completions", () => {
  const [inBash, noBash] = titled("bash", "bash offers the words of both programs");
  it.skipIf(noBash)(inBash, () => {
    const asked = lines.map(({ typed }) => {
      const words = typed.split(" ");
      return `COMP_WORDS=(${words.map(quoted).join(" ")}); COMP_CWORD=${words.length - 1}; _${words[0]}; echo "\${COMPREPLY[*]}"`;
    });
    const script = ["source <(thehood completion bash)", "source <(oracle completion bash)", ...asked];
    const ran = spawnSync("bash", ["-c", script.join("\n")], { ...place(), encoding: "utf8" });
    expect(ran.stderr).toBe("");
    const answers = ran.stdout.split("\n");
    for (const [at, { typed, offers }] of lines.entries()) expect(answers[at]?.split(" "), typed).toContain(offers);
  });

  const [inFish, noFish] = titled("fish", "fish offers the words of both programs");
  it.skipIf(noFish)(inFish, () => {
    const asked = lines.map(({ typed }) => `complete -C ${quoted(typed)}; echo ---`);
    const script = ["thehood completion fish | source", "oracle completion fish | source", ...asked];
    const ran = spawnSync("fish", ["--no-config", "-c", script.join("\n")], { ...place(), encoding: "utf8" });
    expect(ran.stderr).toBe("");
    const answers = ran.stdout.split("---\n");
    for (const [at, { typed, offers }] of lines.entries())
      expect(
        answers[at]?.split("\n").map((one) => one.split("\t")[0]),
        typed,
      ).toContain(offers);
  });

  /** Types each line and a tab; the shell puts the one word that fits on the line. */
  async function inZshTerminal(setup: (home: string) => string) {
    const { cwd, env } = place();
    const home = tempFolder("zsh-");
    const terminal = openTerminal({
      argv: ["zsh", "-f", "-i"],
      cwd,
      env: { ...env, HOME: home, LC_ALL: "C" },
      rows: 60,
    });
    terminal.keys(`${setup(home)}; echo set-up-$((40 + 2))\r`);
    await terminal.shows("set-up-42");
    for (const { typed, offers } of lines) {
      terminal.keys(`${typed}\t`);
      await terminal.shows(`${typed.replace(/\S*$/, "")}${offers}`);
      terminal.keys("\u0015");
    }
    expect(terminal.written()).not.toMatch(/not found|error/);
    // The shell is gone before its home is removed.
    terminal.keys("exit\r");
    await terminal.ended;
  }

  const [sourced, noZsh] = titled("zsh", "zsh offers the words of both programs when it reads them");
  it.skipIf(noZsh)(sourced, () =>
    inZshTerminal(() => "source <(thehood completion zsh); source <(oracle completion zsh)"),
  );

  const [asFile] = titled("zsh", "zsh offers them at the first tab when they are files in a folder of its functions");
  it.skipIf(noZsh)(asFile, () =>
    inZshTerminal((home) => {
      const folder = join(home, "functions");
      mkdirSync(folder);
      const { env, cwd } = place();
      for (const name of ["thehood", "oracle"]) {
        const printed = spawnSync(name, ["completion", "zsh"], { env, cwd, encoding: "utf8" });
        writeFileSync(join(folder, `_${name}`), printed.stdout);
      }
      expect(existsSync(join(folder, "_oracle"))).toBe(true);
      return `fpath=(${folder} $fpath); autoload -U compinit; compinit -u`;
    }),
  );
});
