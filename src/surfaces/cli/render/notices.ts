// What became of a test notice, one line for each way.
import type { SentNotice } from "../../../core/contract/index.ts";
import { safe } from "./list.ts";
import { texts } from "./view.ts";

export const sentNotices = texts<{ readonly sent: readonly SentNotice[] }>(({ sent }, { style }) =>
  sent
    .map(({ by, sent: arrived, problem }) =>
      arrived ? `${style.green("✔")} ${by}: sent\n` : `${style.red("✘")} ${by}: not sent: ${safe(problem ?? "")}\n`,
    )
    .join(""),
);
