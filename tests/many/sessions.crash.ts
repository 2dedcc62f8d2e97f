// Everything that is tried with the sessions of one machine, on a shared database.
import { sessionsSuite } from "../oracle/sessions-suite.ts";
import { postgresForTests } from "./fleet-scene.ts";

const server = postgresForTests();

sessionsSuite("on a shared database", async () => ({ THEHOOD_DATABASE_URL: await server().database() }));
