// Prints a patch as bytes: the exact inverse of `parsePatch`.
import { toBytes } from "../bytes.ts";
import type { BinaryPart, FileLine, Patch, Section } from "../model.ts";
import { printExtended } from "./extended.ts";
import { printHunkHeader } from "./hunk.ts";
import { printName } from "./name.ts";

const printFileLine = (mark: string, { name, tail }: FileLine): string =>
  `${mark} ${name === null ? "/dev/null" : printName(name)}${tail}`;

function printPart(part: BinaryPart, eol: string): string {
  return `${part.method} ${part.size}${eol}${part.data}${eol}`;
}

function printBody({ body }: Section, eol: string): string {
  if (body.kind === "hunks") {
    return body.hunks.map((hunk) => printHunkHeader(hunk) + eol + hunk.body).join("");
  }
  if (body.kind === "binary-notice") return body.text + eol;
  if (body.kind === "none") return "";
  const reverse = body.reverse ? printPart(body.reverse, eol) : "";
  return `GIT binary patch${eol}${printPart(body.forward, eol)}${reverse}`;
}

function printSection(section: Section, eol: string): string {
  const { header, extended, files, before } = section;
  const head = [
    `diff --git ${printName(header.old)} ${printName(header.new)}`,
    ...extended.map(printExtended),
    ...(files ? [printFileLine("---", files.old), printFileLine("+++", files.new)] : []),
  ];
  return `${before}${head.join(eol)}${eol}${printBody(section, eol)}`;
}

export const printText = ({ sections, after, eol }: Patch): string =>
  sections.map((section) => printSection(section, eol)).join("") + after;

export const printPatch = (patch: Patch): Uint8Array => toBytes(printText(patch));
