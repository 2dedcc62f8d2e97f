// The command line of `oracle`.
export { oracleProgram, runOracle, type OracleDeps } from "./program.ts";
