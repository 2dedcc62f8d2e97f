import { invariantsSuite } from "../../../tests/support/invariants-suite.ts";

invariantsSuite(5_000);
