// All tables of programs as one map. A name belongs to one family.
import type { ProgramJudge, ProgramJudges } from "../call.ts";
import { archives } from "./archives.ts";
import { builtins } from "./builtins.ts";
import { cloud } from "./cloud.ts";
import { databases } from "./databases.ts";
import { devTools } from "./dev-tools.ts";
import { environment } from "./environment.ts";
import { files } from "./files.ts";
import { gitPrograms } from "./git/index.ts";
import { interpreters } from "./interpreters.ts";
import { network } from "./network.ts";
import { nodePackages } from "./node-packages.ts";
import { otherPackages } from "./other-packages.ts";
import { readers } from "./readers.ts";
import { search } from "./search.ts";
import { shells } from "./shells.ts";
import { system } from "./system.ts";
import { textTools } from "./text-tools.ts";
import { wrappers } from "./wrappers.ts";

export const families: Readonly<Record<string, ProgramJudges>> = {
  archives,
  builtins,
  cloud,
  databases,
  devTools,
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

export const programs: ReadonlyMap<string, ProgramJudge> = new Map(
  Object.values(families).flatMap((family) => Object.entries(family)),
);
