// Files that are attached as they are: which target takes which kind, and what is refused before anything is sent.
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { attachmentsOf, isAttachable } from "./attachments.ts";

const cwd = tempFolder("attached-");
const zip = Buffer.from("504b030414000600", "hex");
for (const name of ["report.docx", "sheet.XLSX", "slides.pptx", "data.zip"]) writeFileSync(join(cwd, name), zip);
writeFileSync(join(cwd, "paper.pdf"), "%PDF-1.7\n");
writeFileSync(join(cwd, "logo.png"), Buffer.from("89504e470d0a1a0a", "hex"));

type Target = { browser: { site: string } | null; api: { provider: string; baseUrl: string | null } | null };
const page = (site: string): Target => ({ browser: { site }, api: null });
const api = (provider: string, baseUrl: string | null = null): Target => ({
  browser: null,
  api: { provider, baseUrl },
});
const attached = (target: Target, ...names: string[]) =>
  attachmentsOf({
    ...target,
    cwd,
    files: { roots: [], attachments: names.map((name) => join(cwd, name)) },
  } as unknown as RunRequest);

describe("a file that is named itself", () => {
  it.each(["chatgpt", "gemini"])("goes to %s also as an office document or an archive", (site) => {
    const names = ["report.docx", "sheet.XLSX", "slides.pptx", "data.zip", "paper.pdf", "logo.png"];
    const all = attached(page(site), ...names);
    expect(all.map(({ name }) => name)).toEqual(names);
    expect(all[1]?.mediaType).toBe("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
  });

  it.each([
    [page("copilot"), "report.docx", "copilot takes no office document"],
    [page("copilot"), "paper.pdf", "copilot takes no PDF"],
    [api("openai"), "data.zip", "openai takes no archive"],
    [api("anthropic"), "report.docx", "anthropic takes no office document"],
    [api("openai-chat"), "paper.pdf", "openai-chat takes no PDF"],
    [api("auto", "http://127.0.0.1:9/v1"), "data.zip", "the API at http://127.0.0.1:9/v1 takes no archive"],
  ])("is refused where the target does not take it: %j %s", (target, name, why) => {
    expect(() => attached(target, name)).toThrow(why);
  });

  it("is refused when it is something else, too large, elsewhere, or one of two with a name", () => {
    writeFileSync(join(cwd, "false.docx"), "text");
    expect(() => attached(page("chatgpt"), "false.docx")).toThrow(/it is not application/);
    writeFileSync(join(cwd, "huge.zip"), zip);
    truncateSync(join(cwd, "huge.zip"), (20 << 20) + 1);
    expect(() => attached(page("chatgpt"), "huge.zip")).toThrow(/over 20 MB/);
    mkdirSync(join(cwd, "folder.zip"));
    expect(() => attached(page("chatgpt"), "folder.zip")).toThrow(/not a regular file/);
    symlinkSync("gone", join(cwd, "dead.pdf"));
    expect(() => attached(page("chatgpt"), "dead.pdf")).toThrow(/link to nothing/);
    expect(() => attached(page("chatgpt"), "paper.pdf", "paper.pdf")).toThrow(/two files have that name/);
    expect(() => attached(page("chatgpt"), "../elsewhere.pdf")).toThrow(/no file/);
  });

  it("is not one that a pattern finds", () => {
    expect(["a.docx", "b/c.PDF"].map(isAttachable)).toEqual([true, true]);
    expect(["*.docx", "!a.pdf", "{a,b}.zip", "a.txt", "pdf"].map(isAttachable)).toEqual(Array(5).fill(false));
  });
});
