// Chooses a model in the menu, then reads it back from the page. A choice that cannot be read back is a failure.
import type { OptionLook } from "../shapes.ts";
import { mustPress, refuseStep, rest, snapshotPage, until, type Drive } from "./context.ts";

const plain = (label: string): string =>
  label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.]+/gu, " ")
    .trim();

/** The labels of a model name: those of the site's data, or the name itself. */
const labelsOf = ({ site }: Drive, model: string): readonly string[] => site.models[model] ?? [model];

const shows = (shown: string, labels: readonly string[]) =>
  labels.some((label) => ` ${plain(shown)} `.includes(` ${plain(label)} `));

/** An option whose first words are the label, the shortest such: "Pro" is not "Pro preview". */
export function pickModel(options: readonly OptionLook[], labels: readonly string[]): OptionLook | null {
  const fits = options.filter(
    (option) =>
      !option.submenu &&
      labels.some(
        (label) => plain(option.label) === plain(label) || `${plain(option.label)} `.startsWith(`${plain(label)} `),
      ),
  );
  return fits.sort((left, right) => left.label.length - right.label.length)[0] ?? null;
}

/** Returns the label that the page shows afterwards; null where it shows none and none was requested. */
export async function chooseModel(drive: Drive, model: string): Promise<string | null> {
  const { model: shown } = await snapshotPage(drive);
  if (model === "current") return shown;
  const labels = labelsOf(drive, model);
  if (shown !== null && shows(shown, labels)) return shown;
  await mustPress(drive, "modelButton");
  const option = await findOption(drive, model, labels);
  await drive.tab.press(await drive.tab.page("aimOption", drive.site.marks, option.id));
  const after = await until(drive, {
    name: "model",
    ms: drive.site.times.modelMs,
    test: (snapshot) => (snapshot.model !== null && shows(snapshot.model, labels) ? snapshot.model : null),
    late: (snapshot) => ({
      code: "model_unavailable",
      message: `the model "${model}" was chosen and the page shows "${snapshot.model ?? "nothing"}".`,
      remedy: "Choose a model your plan has, or use --model current.",
    }),
  });
  // A page that rejects a selection reverts it at once.
  await rest(drive.site.times.pollMs, drive);
  const again = await snapshotPage(drive);
  if (again.model === null || !shows(again.model, labels))
    return refuseStep(drive, "model", {
      code: "model_unavailable",
      message: `the page went back from "${after}" to "${again.model ?? "nothing"}".`,
      remedy: "Choose a model your plan has, or use --model current.",
    });
  return again.model;
}

async function findOption(drive: Drive, model: string, labels: readonly string[]): Promise<OptionLook> {
  const { tab, site } = drive;
  const end = Date.now() + site.times.modelMs;
  let seen: readonly OptionLook[] = [];
  const opened = new Set<string>();
  while (Date.now() < end) {
    seen = await tab.page("options", site.marks);
    const found = pickModel(seen, labels);
    if (found) return found;
    const submenu = seen.find((option) => option.submenu && !opened.has(option.id));
    if (submenu) {
      opened.add(submenu.id);
      await tab.press(await tab.page("aimOption", site.marks, submenu.id));
    } else if (seen.length > 0 && opened.size >= seen.filter((option) => option.submenu).length) break;
    await rest(site.times.pollMs, drive);
  }
  await tab.key("Escape", 27);
  return refuseStep(drive, "model", {
    code: "model_unavailable",
    message: `the page offers no model "${model}"; it offers: ${seen.map(({ label }) => label).join(", ") || "none"}.`,
    remedy: "Choose one of them, or use --model current.",
  });
}

export function answeredByOther(model: string, drive: Drive, shownModel: string | null): boolean {
  return model !== "current" && shownModel !== null && !shows(shownModel, labelsOf(drive, model));
}
