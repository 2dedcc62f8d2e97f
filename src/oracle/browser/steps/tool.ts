// Chooses a tool of the page for the next message, after its text was typed: a tool may be an element of the text. What the page
// does not show as chosen is not sent.
import type { PageTool } from "../../../core/contract/transport/index.ts";
import { mustPress, refuseStep, type Drive } from "./context.ts";
import { fitsOne } from "./labels.ts";
import { within } from "./picker.ts";

const names: Readonly<Record<PageTool, string>> = { search: "web search", research: "Deep Research" };

function refuse(drive: Drive, message: string, remedy: string): never {
  return refuseStep(drive, "tool", { code: "model_unavailable", message: `${message}; nothing was sent.`, remedy });
}

export async function chooseTool(drive: Drive, tool: PageTool): Promise<void> {
  const { tab, site, log } = drive;
  const labels = site.tools[tool] ?? [];
  const without = `Leave out --${tool}, or use another page.`;
  if (labels.length === 0) return refuse(drive, `oracle knows no ${names[tool]} in this page`, without);
  const isChosen = async () =>
    (await tab.page("chosenTools", site.marks)).some((label) => fitsOne(label, labels)) ? true : null;
  if (await isChosen()) return;
  await mustPress(drive, "toolOpener");
  const at = await within(drive, site.times.modelMs, async () => {
    const found = (await tab.page("toolLabels", site.marks)).findIndex((label) => fitsOne(label, labels));
    return found < 0 ? null : found;
  });
  if (at === null) {
    const offered = (await tab.page("toolLabels", site.marks)).filter((label) => label !== "");
    await tab.key("Escape", 27);
    return refuse(drive, `the page offers no ${names[tool]}; it offers: ${offered.join(", ") || "none"}`, without);
  }
  await tab.press(await tab.page("aimTool", site.marks, at));
  if (!(await within(drive, site.times.modelMs, isChosen)))
    return refuse(
      drive,
      `${names[tool]} was chosen and the page does not show it`,
      "Try again, or choose it in a window.",
    );
  log(`the page shows that ${names[tool]} is chosen`);
}
