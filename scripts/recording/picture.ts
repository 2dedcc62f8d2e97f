// Frames of a terminal as one animated picture: each different line stands in it once, and a strip of frames moves step by
// step. It needs no script, so that pages which show pictures only play it too.
import type { Row } from "./terminal.ts";

export interface Frame {
  readonly rows: readonly Row[];
  readonly ms: number;
}

const [charWidth, lineHeight, margin, bar] = [8.4, 18, 14, 30];
const colours = ["#7d8a84", "#ff8f8f", "#6fcf97", "#e8bd62", "#7cc7f0", "#c6a2f2", "#6fd3c7", "#e4e8e6"];

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const lineOf = (row: Row): string =>
  row
    .map(({ column, text, style }) => {
      const x = Math.round(column * charWidth * 10) / 10;
      const width = Math.round(text.length * charWidth * 10) / 10;
      const [, on] = /\bk(\d)/.exec(style) ?? [];
      const ground = /\bi\b/.test(style)
        ? `<rect x="${x}" y="-13" width="${width}" height="${lineHeight}" class="g"${on === undefined ? "" : ` style="fill:${colours[Number(on)]}"`}/>`
        : "";
      return `${ground}<text x="${x}"${style === "" ? "" : ` class="${style}"`}>${escaped(text)}</text>`;
    })
    .join("");

const percent = (part: number): string => `${Math.round(part * 10_000) / 100}%`;

function keyframes(frames: readonly Frame[], width: number): string {
  const total = frames.reduce((sum, { ms }) => sum + ms, 0);
  let at = 0;
  const steps = frames.map(({ ms }, index) => {
    const step = `${percent(at / total)}{transform:translateX(${-index * width}px)}`;
    at += ms;
    return step;
  });
  return `@keyframes play{${steps.join("")}}.s{animation:play ${Math.round(total)}ms steps(1,end) infinite}`;
}

const style = (frames: readonly Frame[], width: number, still: number): string =>
  [
    "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d6dbd8;white-space:pre}",
    ...colours.map((colour, index) => `.c${index},.c${index + 8}{fill:${colour}}`),
    ".b{font-weight:700}.d{opacity:.65}.i{fill:#14171a}.g{fill:#d6dbd8}",
    keyframes(frames, width),
    `@media (prefers-reduced-motion:reduce){.s{animation:none;transform:translateX(${-still * width}px)}}`,
  ].join("");

/** `still` is the frame for readers who want no movement. */
export function pictureOf(
  frames: readonly Frame[],
  [columns, rows]: [number, number],
  still: number,
  title: string,
): string {
  const [width, height] = [Math.ceil(columns * charWidth) + 2 * margin, rows * lineHeight + 2 * margin + bar];
  const lines = new Map<string, number>();
  const strip = frames
    .map((frame, index) => {
      const uses = frame.rows.map((row, at) => {
        const line = lineOf(row);
        if (line === "") return "";
        if (!lines.has(line)) lines.set(line, lines.size);
        return `<use href="#l${lines.get(line)}" y="${at * lineHeight}"/>`;
      });
      return `<g transform="translate(${index * width})">${uses.join("")}</g>`;
    })
    .join("\n");
  const defined = [...lines].map(([line, id]) => `<g id="l${id}">${line}</g>`).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>${style(frames, width, still)}</style>
<rect width="${width}" height="${height}" rx="10" fill="#14171a"/>
<circle cx="20" cy="18" r="6" fill="#ff8f8f"/><circle cx="40" cy="18" r="6" fill="#e8bd62"/><circle cx="60" cy="18" r="6" fill="#6fcf97"/>
<defs>${defined}</defs>
<svg x="${margin}" y="${margin + bar}" width="${width - 2 * margin}" height="${rows * lineHeight}" viewBox="0 -13 ${width - 2 * margin} ${rows * lineHeight}"><g class="s">
${strip}
</g></svg>
</svg>
`;
}
