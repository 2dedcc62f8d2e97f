// The menu of models and efforts: opening it, finding an option in it, choosing it, and setting the effort.
import type { EffortLook, OptionLook } from "../shapes.ts";
import { fitsOne, pickModel } from "./labels.ts";
import { mustPress, rest, snapshotPage, tryPress, type Drive } from "./context.ts";
import type { Wanted } from "./wanted.ts";

export interface Menu {
  readonly options: readonly OptionLook[];
  readonly effort: EffortLook | null;
}

export async function readMenu({ tab, site }: Drive): Promise<Menu> {
  return { options: await tab.page("options", site.marks), effort: await tab.page("effort", site.marks) };
}

const isOpen = ({ options, effort }: Menu): boolean => options.length > 0 || effort !== null;

/** Looks again until the test holds, for at most this long. */
export async function within<T>(drive: Drive, ms: number, look: () => Promise<T | null>): Promise<T | null> {
  for (const end = Date.now() + ms; ;) {
    const found = await look();
    if (found !== null || Date.now() >= end) return found;
    await rest(Math.min(100, drive.site.times.pollMs), drive);
  }
}

export async function openMenu(drive: Drive): Promise<Menu> {
  const before = await readMenu(drive);
  if (isOpen(before)) return before;
  await mustPress(drive, "modelButton");
  const opened = await within(drive, drive.site.times.modelMs, async () => {
    const menu = await readMenu(drive);
    return isOpen(menu) ? menu : null;
  });
  return opened ?? { options: [], effort: null };
}

/** A menu that stays open covers the composer. */
export async function closeMenu(drive: Drive): Promise<void> {
  const closed = async () => (isOpen(await readMenu(drive)) ? null : true);
  if (await closed()) return;
  await drive.tab.key("Escape", 27);
  if (await within(drive, 1_000, closed)) return;
  await tryPress(drive, "modelButton");
  await within(drive, 1_000, closed);
}

export interface Found {
  readonly option: OptionLook;
  /** It names the whole choice, or only the model. */
  readonly whole: boolean;
}

function pick(options: readonly OptionLook[], wanted: Wanted): Found | null {
  const byId = options.find(({ id }) => wanted.ids.includes(id));
  // The id names the model; an effort that is asked for beside it is chosen apart.
  if (byId) return { option: byId, whole: wanted.effort.length === 0 };
  const whole = pickModel(options, wanted.any);
  if (whole) return { option: whole, whole: true };
  const model = pickModel(options, wanted.model);
  if (model) return { option: model, whole: wanted.effort.length === 0 };
  return null;
}

/** Opens folded views and submenus until the option is found; `seen` is everything that was offered. */
export async function findOption(
  drive: Drive,
  wanted: Wanted,
): Promise<{ found: Found | null; seen: readonly OptionLook[] }> {
  const { tab, site } = drive;
  const opened = new Set<string>();
  const seen = new Map<string, OptionLook>();
  let isViewOpened = false;
  for (const end = Date.now() + site.times.modelMs; Date.now() < end;) {
    const { options } = await openMenu(drive);
    // The entries of a menu may be there before their texts.
    if (options.some(({ label }) => label === "")) {
      await rest(100, drive);
      continue;
    }
    for (const option of options) seen.set(option.label, option);
    const found = pick(options, wanted);
    if (found) return { found, seen: [...seen.values()] };
    const submenu = options.find((option) => option.submenu && !opened.has(option.id));
    if (submenu) {
      opened.add(submenu.id);
      await tab.press(await tab.page("aimOption", site.marks, submenu.id));
    } else if (!isViewOpened) {
      isViewOpened = true;
      if (!(await tryPress(drive, "modelView")) && options.length > 0) break;
    } else if (options.length > 0) break;
    await rest(Math.min(200, site.times.pollMs), drive);
  }
  return { found: null, seen: [...seen.values()] };
}

/** Presses the option; some pages take only a click of their own on it. */
export async function pressOption(drive: Drive, option: OptionLook): Promise<void> {
  const { tab, site } = drive;
  const aim = await tab.page("aimOption", site.marks, option.id);
  if (aim.found && !aim.covered) await tab.press(aim);
  const took = async () => {
    const { options } = await readMenu(drive);
    const now = options.find(({ id }) => id === option.id);
    return now === undefined || now.checked === true ? true : null;
  };
  if (await within(drive, Math.min(800, site.times.modelMs), took)) return;
  // Pressed twice, a switch would be off again: only an option that says it is not chosen is clicked.
  const now = (await readMenu(drive)).options.find(({ id }) => id === option.id);
  if (now?.checked === false && (await tab.page("clickOption", site.marks, option.id))) await within(drive, 800, took);
}

const arrows = { right: ["ArrowRight", 39], left: ["ArrowLeft", 37] } as const;

/** Moves the slider one place; false where it does not move. */
async function move(drive: Drive, from: EffortLook, way: keyof typeof arrows): Promise<EffortLook | null> {
  const { tab, site } = drive;
  if (!(await tab.page("focusEffort", site.marks))) return null;
  const [key, code] = arrows[way];
  await tab.key(key, code);
  return await within(drive, Math.min(1_000, site.times.modelMs), async () => {
    const now = await tab.page("effort", site.marks);
    return now !== null && (now.label !== from.label || now.at !== from.at) ? now : null;
  });
}

/** Goes through the places of the slider until its own words name the wanted effort. */
export async function slideTo(
  drive: Drive,
  wanted: Wanted,
): Promise<{ label: string | null; seen: readonly string[] }> {
  let look = await drive.tab.page("effort", drive.site.marks);
  const seen = new Set<string>();
  for (const way of ["right", "left"] as const)
    while (look !== null && seen.size < 30) {
      seen.add(look.label);
      if (fitsOne(look.label, wanted.effort)) return { label: look.label, seen: [...seen] };
      const next = await move(drive, look, way);
      if (next === null) break;
      look = next;
    }
  return { label: null, seen: [...seen] };
}

export const shownModel = async (drive: Drive): Promise<string | null> => (await snapshotPage(drive)).model;
