import { describe, expect, it } from "vitest";
import { declaredModes } from "./modes.ts";

describe("[B-25] variables by which code may openly know that it is tested", () => {
  it.each([
    ["node --test", []],
    ["npm run test APP_MODE=ci cross-env NODE_ENV=test vitest run", ["APP_MODE=ci"]],
    ["env DB_URL=sqlite:memory pytest", ["DB_URL=sqlite:memory"]],
    ["PATH=/x:$PATH TZ=UTC PYTHONPATH=lib NODE_OPTIONS=--x pytest", []],
    ["A_B=$(id) C_D='x' E_F=`id` G_H=1;id", ["G_H=1"]],
    ["node --test --name=X_Y=1", []],
  ])("of %j are %j besides that of the runners", (script, found) => {
    expect(declaredModes(script)).toEqual(["NODE_ENV=test", ...found]);
  });

  it("are a few, and each once", () => {
    const many = Array.from({ length: 40 }, (_, at) => `V_${at}=1 V_${at}=1`).join(" ");
    expect(declaredModes(many)).toHaveLength(8);
  });
});
