// The reports in the frames of a page, of its own site and of others.
import type { Params } from "../cdp/client.ts";
import type { Marks } from "../marks.ts";
import { RefusedError } from "../process/connect.ts";
import type { ForeignFrames } from "../process/protocol.ts";
import type { ReportLook } from "../shapes.ts";

/** Without a frame the page itself is asked. */
interface FrameAccess {
  cdp(method: string, params: Params, frame: string | undefined): Promise<Params>;
  evaluate(expression: string, where: Params, frame: string | undefined): Promise<unknown>;
}

interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string; readonly name?: string };
  readonly childFrames?: readonly FrameTree[];
}

const framesOf = ({ frame, childFrames = [] }: FrameTree, withTop: boolean): FrameTree["frame"][] => [
  ...(withTop ? [frame] : []),
  ...childFrames.flatMap((child) => framesOf(child, true)),
];

export async function reportsIn(
  frames: ForeignFrames["frames"],
  marks: Marks,
  program: string,
  access: FrameAccess,
): Promise<ReportLook[]> {
  const matches = (text: string) => marks.reportFrame.some((pattern) => new RegExp(pattern, "i").test(text));
  const reader = { marks, program, access };
  const found = await reportsOf(undefined, matches, reader);
  for (const { session, url } of frames)
    // What stands inside of a matching frame belongs to it, whatever its own address is.
    found.push(...(await reportsOf(session, matches(url) ? () => true : matches, reader)));
  return found;
}

async function reportsOf(
  frame: string | undefined,
  matches: (text: string) => boolean,
  { marks, program, access }: { readonly marks: Marks; readonly program: string; readonly access: FrameAccess },
): Promise<ReportLook[]> {
  const found: ReportLook[] = [];
  try {
    const { frameTree } = await access.cdp("Page.getFrameTree", {}, frame);
    for (const one of framesOf(frameTree as FrameTree, frame !== undefined)) {
      if (!matches(one.url) && !matches(one.name ?? "")) continue;
      const world = { frameId: one.id, worldName: "thehood-report" };
      const { executionContextId } = await access.cdp("Page.createIsolatedWorld", world, frame);
      const contextId = executionContextId as number;
      await access.evaluate(program, { contextId }, frame);
      found.push(
        (await access.evaluate(`thehoodPage.report(${JSON.stringify(marks)})`, { contextId }, frame)) as ReportLook,
      );
    }
  } catch (error) {
    // A frame that goes away while it is read has no report.
    if (!(error instanceof RefusedError)) throw error;
  }
  return found;
}
