import { invariantsSuite } from "../../../tests/support/invariants-suite.ts";

invariantsSuite(120);
