// The usual way to get a program that a check needs.
import type { CheckSpec } from "../../../core/contract/index.ts";

const known: Readonly<Record<string, string>> = {
  pnpm: "npm install -g pnpm (or corepack enable pnpm)",
  yarn: "npm install -g yarn (or corepack enable yarn)",
  bun: "npm install -g bun",
  npm: "Install Node.js: https://nodejs.org",
  node: "Install Node.js: https://nodejs.org",
  deno: "Install Deno: https://deno.com",
  cargo: "Install Rust: https://rustup.rs",
  go: "Install Go: https://go.dev/dl",
  dotnet: "Install .NET: https://dot.net",
  mix: "Install Elixir: https://elixir-lang.org/install.html",
  bundle: "gem install bundler",
  composer: "Install Composer: https://getcomposer.org",
};
const ofPython = new Set(["pytest", "mypy", "flake8", "ruff", "tox", "nox", "black", "pyright"]);

export function remedyFor(name: string, spec?: CheckSpec): string {
  const told = known[name];
  if (told !== undefined) return told;
  if (ofPython.has(name)) return `python3 -m pip install ${name}`;
  const manager = spec?.argv[0];
  return manager !== undefined && /^(?:npm|pnpm|yarn|bun)$/.test(manager)
    ? `${manager} install`
    : `Install ${name} with the package manager of your system`;
}
