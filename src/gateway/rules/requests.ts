// The values that an agent asked for and the user has not submitted yet: a fold of requests and answers.
import { toolNamed } from "./tools.ts";

export interface RequestedValue {
  readonly key: string;
  readonly description?: string | undefined;
  readonly type?: "env" | "secret" | undefined;
  readonly required?: boolean | undefined;
  readonly suggestions?:
    | readonly {
        readonly label: string;
        readonly value?: string | undefined;
        readonly instructions?: string | undefined;
      }[]
    | undefined;
}

/** The tool whose call asks the user for values. */
export const requestTool = "request_env_variables";

/** The values that a call asks for; none if its arguments are invalid. */
export function requestedIn(args: unknown): readonly RequestedValue[] {
  const parsed = toolNamed(requestTool)?.args.safeParse(args);
  return parsed?.success ? (parsed.data["keys"] as RequestedValue[]) : [];
}

const mostRequested = 200;

/** A later request for the same key replaces the earlier one. */
export const addRequested = (
  open: readonly RequestedValue[],
  asked: readonly RequestedValue[],
): readonly RequestedValue[] =>
  [...open.filter(({ key }) => asked.every((one) => one.key !== key)), ...asked].slice(-mostRequested);

/** A key is required unless the request says otherwise. */
export const isRequired = ({ required }: Pick<RequestedValue, "required">): boolean => required ?? true;

/** The request is closed as soon as each required key has a value; optional keys do not keep it open. */
export function afterAnswer(open: readonly RequestedValue[], keys: readonly string[]): readonly RequestedValue[] {
  const left = open.filter(({ key }) => !keys.includes(key));
  return left.some(isRequired) ? left : [];
}
