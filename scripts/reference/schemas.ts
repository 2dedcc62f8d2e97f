// Writes the JSON Schemas that the code checks by: what is published, and what every directive carries.
import { contractNames, makeResponseJsonSchema } from "../../src/core/contract/answers/contracts.ts";
import { resultJsonSchema } from "../../src/core/contract/transport/schema/index.ts";
import { jsonText, writeIfStale } from "./keep.ts";

writeIfStale("docs/schemas/result.schema.json", jsonText(resultJsonSchema()));
const ofAnswers = contractNames.map((name) => [name, makeResponseJsonSchema(name)] as const);
writeIfStale("src/core/contract/answers/schemas.json", jsonText(Object.fromEntries(ofAnswers)));
