// The fields of operations on the user's configuration.
import { configKeys } from "../../core/contract/index.ts";
import { flag, text } from "../define/index.ts";

export const key = text("the name of the setting, with dots: policy.approvals", {
  cli: { suggest: configKeys },
});
export const user = flag("for all your repositories, instead of this one");
export const scopeOf = (forUser: boolean) => (forUser ? ("user" as const) : ("repo" as const));
