// The things that the renderers of this program are given beside the result.
import type { Context } from "../../../operations/index.ts";
import type { ProgramCall, Io, Renderer, Rendering } from "../../argv/index.ts";

export type HoodView = Rendering<Context>;

/** A renderer for results of one type. */
export const renders = <R>(renderer: Renderer<R, Context>): Renderer => renderer as Renderer;

/** A renderer that prints one text. */
export const texts = <R>(text: (result: R, view: HoodView) => string | Promise<string>): Renderer =>
  renders<R>({ print: async (result, view) => view.io.out(await text(result, view)) });

/** The terminal of a person who looks on; with --verbose they want every line. */
export const watchedOn = ({ io, quiet, json, verbose }: ProgramCall): Io["device"] =>
  quiet || json || verbose ? undefined : io.device;
