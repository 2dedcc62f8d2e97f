// The form in which an answer came: some servers ignore `stream` and answer in one piece; a web page is no answer.
import { fail } from "../../core/contract/index.ts";
import { readJsonBody } from "./exchange.ts";
import { errorIn, modelFailed } from "./failures.ts";
import type { HttpReply } from "./http.ts";

/** The whole answer where it came in one piece; undefined where it is a stream, which is not read yet. */
export async function inOnePiece(reply: HttpReply): Promise<{ readonly whole: unknown } | undefined> {
  const type = (reply.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "text/html" || type === "application/xhtml+xml")
    return fail(
      "provider_unavailable",
      "The server answered with a web page (text/html), not with an answer of the API.",
      {
        remedy: "Check the base URL; a portal or a proxy may stand before the API.",
      },
    );
  if (!/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return undefined;
  const whole = await readJsonBody(reply);
  const told = errorIn(whole);
  if (told) modelFailed(told.code, told.message);
  return { whole };
}
