// Commands that start, move, look at and decide about runs, in the order in which help shows them.
import type { CommandSpec } from "../spec.ts";
import { besideTable } from "./beside-table.ts";
import { decideTable } from "./decide-table.ts";
import { lookTable } from "./look-table.ts";
import { startTable } from "./start-table.ts";

export const runTable: readonly CommandSpec[] = [...startTable, ...lookTable, ...decideTable, ...besideTable];
