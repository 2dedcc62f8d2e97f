// All known programs: the rows of programs.json and the families that need code. A name belongs to one family.
import type { ProgramJudge, ProgramJudges } from "../call.ts";
import { archives } from "./archives.ts";
import { builtins } from "./builtins.ts";
import { cloud, databases } from "./cloud.ts";
import { devTools } from "./dev-tools.ts";
import { edits } from "./edits.ts";
import { environment } from "./environment.ts";
import { files } from "./files.ts";
import { gitPrograms } from "./git/git.ts";
import { interpreters } from "./interpreters.ts";
import { network } from "./network.ts";
import { nodePackages } from "./node-packages.ts";
import { otherPackages } from "./other-packages.ts";
import { readers } from "./readers.ts";
import { search } from "./search.ts";
import { shells } from "./shells.ts";
import { system } from "./system.ts";
import { tableRows } from "./table.ts";
import { textTools } from "./text-tools.ts";
import { wrappers } from "./wrappers.ts";

export const families: Readonly<Record<string, ProgramJudges>> = {
  ...tableRows,
  archives,
  builtins,
  cloud,
  databases,
  devTools,
  edits,
  environment,
  files,
  gitPrograms,
  interpreters,
  network,
  nodePackages,
  otherPackages,
  readers,
  search,
  shells,
  system,
  textTools,
  wrappers,
};

const programs: ReadonlyMap<string, ProgramJudge> = new Map(
  Object.values(families).flatMap((family) => Object.entries(family)),
);

/** `python3.12` and `pip3.12` are judged as `python3` and `pip3`. */
export const findProgramJudge = (name: string): ProgramJudge | undefined =>
  programs.get(name) ?? programs.get(name.replace(/^(python3|pip3)\.\d+$/, "$1"));
