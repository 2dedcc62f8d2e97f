// The shapes that page code and the drivers exchange. Types only: page code is compiled for the page, drivers for Node.
import type { Marks } from "./marks.ts";

export interface TurnLook {
  readonly key: string;
  readonly role: "user" | "assistant";
  /** The first characters with white space taken out. */
  readonly head: string;
  readonly length: number;
}

/** The newest answer: the last assistant's turn after the last user's turn. */
export interface AnswerLook {
  readonly key: string;
  readonly markdown: string;
  readonly done: boolean;
  readonly busy: boolean;
  readonly placeholder: boolean;
  /** The text reads like an announcement of work. */
  readonly preamble: boolean;
  readonly model: string | null;
  /** Pictures that were made for it and are loaded. */
  readonly pictures: number;
}

export interface ChipLook {
  /** All texts that may name it: its label, title and text. */
  readonly names: readonly string[];
  readonly busy: boolean;
}

export interface PageSnapshot {
  readonly url: string;
  readonly title: string;
  readonly loaded: boolean;
  readonly challenge: boolean;
  readonly loggedIn: boolean;
  readonly loggedOut: boolean;
  readonly throttled: string | null;
  readonly announcement: boolean;
  /** The text of an unknown dialog. */
  readonly dialog: string | null;
  readonly composer: { readonly text: string } | null;
  readonly send: { readonly enabled: boolean } | null;
  readonly stop: boolean;
  readonly idle: boolean;
  readonly chips: readonly ChipLook[];
  readonly uploadError: string | null;
  readonly turns: readonly TurnLook[];
  readonly answer: AnswerLook | null;
  readonly errorBanner: string | null;
  /** A short message outside of the conversation that reports an error. */
  readonly noticeError: string | null;
  readonly model: string | null;
  /** Null where the page has no choice of modes. */
  readonly mode: ModeLook | null;
  /** The names in the page's own file inputs. */
  readonly inputFiles: readonly string[];
}

export interface ModeLook {
  readonly label: string;
  /** A message of this mode is answered in a chat. */
  readonly wanted: boolean;
  /** What a task would work on. */
  readonly target: string | null;
}

export interface EffortLook {
  readonly label: string;
  readonly at: number;
  readonly max: number;
}

/** Where to press, in the coordinates of the window. */
export interface Aim {
  readonly found: boolean;
  /** Another element covers it. */
  readonly covered: boolean;
  readonly x: number;
  readonly y: number;
  readonly selector: string;
}

export interface OptionLook {
  readonly label: string;
  readonly id: string;
  readonly submenu: boolean;
  /** Null where the page does not say. */
  readonly checked: boolean | null;
}

export interface Captured {
  readonly markdown: string;
  readonly html: string;
  /** The text of each code block, for comparison with what the copy button gave. */
  readonly code: readonly string[];
  /** Parts that stayed folded: their text is missing. */
  readonly folded: number;
}

export interface ReportLook {
  readonly markdown: string;
  readonly html: string;
  readonly done: boolean;
}

export interface PictureLook {
  readonly url: string;
  readonly alt: string;
}

/** Whether each list of selectors finds something, for `oracle browser check`. */
export interface Probe {
  readonly name: string;
  readonly found: string | null;
  readonly visible: boolean;
}

/** Selectors that would find a part of the page as it is now. */
export interface Suggestion {
  readonly name: string;
  readonly selectors: readonly string[];
}

/** The functions that page code offers, by name. */
export interface PageCode {
  look(marks: Marks): PageSnapshot;
  aim(selectors: readonly string[], within: "page" | "answer", marks: Marks): Aim;
  focusComposer(marks: Marks): boolean;
  clearComposer(marks: Marks): boolean;
  options(marks: Marks): readonly OptionLook[];
  aimOption(marks: Marks, id: string): Aim;
  /** Clicks an option that takes no press of the mouse. */
  clickOption(marks: Marks, id: string): boolean;
  /** Null while no control for the effort is shown. */
  effort(marks: Marks): EffortLook | null;
  focusEffort(marks: Marks): boolean;
  buttonLabel(selectors: readonly string[]): string | null;
  aimMode(marks: Marks): Aim;
  /** The labels of the open menu of tools. */
  toolLabels(marks: Marks): readonly string[];
  aimTool(marks: Marks, at: number): Aim;
  /** The labels of chosen tools. */
  chosenTools(marks: Marks): readonly string[];
  /** Of a frame: the report that it holds. */
  report(marks: Marks): ReportLook;
  /** Unfolds what is folded in the newest answer and reads it before the page can fold it again. */
  captureOpen(marks: Marks): Promise<Captured | null>;
  fileInput(marks: Marks): { readonly selector: string; readonly index: number } | null;
  element(selector: string, index: number): unknown;
  /** The pictures of the newest answer, each once. */
  pictures(marks: Marks): readonly PictureLook[];
  /** The bytes behind an address of the page itself; null where it gives none. */
  bytes(url: string): Promise<{ readonly base64: string; readonly type: string } | null>;
  /** The labels of what downloads a file in the newest answer. */
  fileLabels(marks: Marks): readonly string[];
  aimFile(marks: Marks, at: number): Aim;
  snapshot(): string;
  /** Hides the account while a screenshot is taken. */
  veil(marks: Marks, on: boolean): void;
  probe(marks: Marks): readonly Probe[];
  suggest(marks: Marks): readonly Suggestion[];
}

/** The code that runs in the page's own JavaScript world while a copy button is pressed. */
export interface ClipboardCode {
  arm(): void;
  taken(): string | null;
  disarm(): void;
}
