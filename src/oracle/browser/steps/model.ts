// Chooses a model and an effort, then reads both back from the page. A choice that cannot be read back is a failure.
import type { ReasoningEffort } from "../../../core/contract/transport/index.ts";
import { refuseStep, rest, snapshotPage, tryPress, type Drive } from "./context.ts";
import { agreesWith, fitsOne, pickModel } from "./labels.ts";
import {
  closeMenu,
  findOption,
  openMenu,
  pressOption,
  readMenu,
  shownModel,
  slideTo,
  within,
  type Found,
} from "./picker.ts";
import { effortsDisagree, namesOther, shows, versionDiffers, wantedOf, type Wanted } from "./wanted.ts";

const other = "Choose another one that your plan has, or use --model current.";

function refuse(drive: Drive, message: string): never {
  return refuseStep(drive, "model", { code: "model_unavailable", message, remedy: other });
}

const notOffered = (drive: Drive, { name }: Wanted, seen: readonly string[]): never =>
  refuse(drive, `the page offers no model "${name}"; it offers: ${[...new Set(seen)].join(", ") || "none"}.`);

/** Returns the label that the page shows afterwards; null where it shows none and none was requested. */
export async function chooseModel(
  drive: Drive,
  model: string,
  effort: ReasoningEffort | null = null,
): Promise<string | null> {
  const wanted = wantedOf(drive.site, model, effort);
  const before = await shownModel(drive);
  if (wanted === null) return before;
  if (effortsDisagree(drive.site, model, effort))
    return refuse(drive, `"${model}" names an effort, and --reasoning-effort ${effort ?? ""} is another one.`);
  if (effort !== null && wanted.effort.length === 0)
    return refuse(drive, `the data of the site knows no effort "${effort}".`);
  if (before !== null && shows(wanted, before)) return before;
  const shown = await choose(drive, wanted);
  // A page that rejects a selection reverts it at once.
  await rest(drive.site.times.pollMs, drive);
  const after = await shownModel(drive);
  if (after !== shown.button)
    return refuse(drive, `the page went back from "${shown.button ?? ""}" to "${after ?? "nothing"}".`);
  return shown.label;
}

interface Shown {
  readonly label: string;
  /** The text of the closed button. */
  readonly button: string | null;
}

async function choose(drive: Drive, wanted: Wanted): Promise<Shown> {
  const named = [...wanted.ids, ...wanted.any, ...wanted.model].length > 0;
  const { found, seen } = named ? await findOption(drive, wanted) : { found: null, seen: [] };
  if (found) await takeOption(drive, found);
  else if (wanted.model.length > 0) {
    await closeMenu(drive);
    return notOffered(
      drive,
      wanted,
      seen.map(({ label }) => label),
    );
  }
  if (found?.whole === true) return await readBack(drive, wanted, found.option.label, null);
  const effort = await chooseEffort(
    drive,
    wanted,
    seen.map(({ label }) => label),
  );
  return await readBack(drive, wanted, found?.option.label ?? null, effort);
}

async function takeOption(drive: Drive, { option }: Found): Promise<void> {
  if (option.checked !== true) await pressOption(drive, option);
}

/** By the slider, by an option of the menu, or by the menu of a second button. */
async function chooseEffort(drive: Drive, wanted: Wanted, offered: readonly string[]): Promise<string> {
  const { tab, site } = drive;
  if (wanted.effort.length === 0) return notOffered(drive, wanted, offered);
  const menu = await openMenu(drive);
  const seen = [...offered];
  // The view of the models may be shown instead of the one of the effort.
  if (menu.effort === null && pickModel(menu.options, wanted.effort) === null && (await tryPress(drive, "modelView")))
    await within(drive, 1_000, async () => await tab.page("effort", site.marks));
  if ((await tab.page("effort", site.marks)) !== null) {
    const slid = await slideTo(drive, wanted);
    if (slid.label !== null) return slid.label;
    seen.push(...slid.seen);
  } else {
    let option = pickModel((await readMenu(drive)).options, wanted.effort);
    if (option === null && site.marks.effortButton.length === 0)
      option = (await findOption(drive, labelled(wanted.effort))).found?.option ?? null;
    if (option === null && site.marks.effortButton.length > 0) {
      await closeMenu(drive);
      if (await tryPress(drive, "effortButton"))
        option = await within(drive, site.times.modelMs, async () =>
          pickModel((await readMenu(drive)).options, wanted.effort),
        );
    }
    if (option !== null) {
      if (option.checked !== true) await pressOption(drive, option);
      return option.label;
    }
    seen.push(...(await readMenu(drive)).options.map(({ label }) => label));
  }
  await closeMenu(drive);
  return notOffered(drive, wanted, seen);
}

/** By the closed button where it names the choice, else by the open menu. */
async function readBack(drive: Drive, wanted: Wanted, model: string | null, effort: string | null): Promise<Shown> {
  await closeMenu(drive);
  const isSeen = (button: string) =>
    [model, effort].every((label) => label === null || agreesWith(button, label) || fitsOne(button, [label]));
  // No button names a model and an effort in full.
  const patience = model !== null && effort !== null ? 0 : Math.min(1_500, drive.site.times.modelMs);
  const button = await within(drive, patience, async () => {
    const shown = await shownModel(drive);
    return shown !== null && isSeen(shown) ? shown : null;
  });
  const label = [model, effort].filter((part) => part !== null).join(", ");
  if (button !== null && (effort === null || model === null)) return { label: button, button };
  await proveInMenu(drive, wanted, model, effort);
  const { model: closed } = await snapshotPage(drive);
  if (closed !== null && versionDiffers(wanted, closed))
    return refuse(drive, `the model "${wanted.name}" was chosen and the page shows "${closed}".`);
  return { label, button: closed };
}

async function proveInMenu(drive: Drive, wanted: Wanted, model: string | null, effort: string | null): Promise<void> {
  const shown = await shownModel(drive);
  const isModel = model === null || (await isChosen(drive, [model]));
  const menu = await openMenu(drive);
  const slid = menu.effort;
  const isEffort =
    effort === null ||
    (slid !== null && fitsOne(slid.label, wanted.effort)) ||
    (shown !== null && fitsOne(shown, [effort])) ||
    (await isShownBeside(drive, effort)) ||
    (await isChosen(drive, [effort]));
  await closeMenu(drive);
  if (isModel && isEffort) return;
  refuse(drive, `the model "${wanted.name}" was chosen and the page shows "${shown ?? "nothing"}".`);
}

const labelled = (any: readonly string[]): Wanted => ({ name: "", ids: [], any, model: [], effort: [], version: null });

/** The second button names the effort. */
async function isShownBeside({ tab, site }: Drive, effort: string): Promise<boolean> {
  const shown = await tab.page("buttonLabel", site.marks.effortButton);
  return shown !== null && fitsOne(shown, [effort]);
}

/** The open menu marks the option as chosen. */
async function isChosen(drive: Drive, labels: readonly string[]): Promise<boolean> {
  const { found } = await findOption(drive, labelled(labels));
  return found?.option.checked === true;
}

export function answeredByOther(
  drive: Drive,
  model: string,
  effort: ReasoningEffort | null,
  shownModel: string | null,
): boolean {
  const wanted = wantedOf(drive.site, model, effort);
  return wanted !== null && model !== "current" && shownModel !== null && namesOther(wanted, shownModel);
}
