// The list of mutants that `npm run test:mutants` tries. Each breaks one promise; a test that shows the promise must notice.
import { doors } from "./doors.ts";
import { hands } from "./hands.ts";
import { machine } from "./machine.ts";
import type { Mutant } from "./mutant.ts";
import { person } from "./person.ts";
import { proof } from "./proof.ts";
import { records } from "./records.ts";
import { rim } from "./rim.ts";
import { secrets } from "./secrets.ts";
import { trust } from "./trust.ts";
import { views } from "./views.ts";

export type { Mutant } from "./mutant.ts";

export const mutants: readonly Mutant[] = [
  ...machine,
  ...rim,
  ...trust,
  ...proof,
  ...hands,
  ...doors,
  ...records,
  ...views,
  ...secrets,
  ...person,
];
