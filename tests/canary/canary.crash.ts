// Every sink in a repository of its own, with proof that each is armed.
import { canaries, crowds } from "./index.ts";
import { canarySuite } from "./suite.ts";

canarySuite({ driven: canaries, armed: canaries, watched: crowds });
