// Every row of the tables of token formats, with values drawn from the row itself or written for it.
import { describe, expect, it } from "vitest";
import { b36, b62, b64, b64u, drawFor, hex, pick, up, uuid } from "../../../tests/support/secrets/kinds.ts";
import { findSecrets, redact } from "./index.ts";
import { type PrefixRow, prefixRows } from "./rules/prefixes.ts";
import { shapeRules } from "./rules/shapes.ts";

const characters: Readonly<Record<PrefixRow[2], (length: number) => string>> = {
  hex,
  lower: b36,
  upper: up,
  plain: b62,
  url: (length) => b62(1) + b64u(length - 2) + b62(1),
  dotted: (length) => b64u(length - 12) + "." + b62(11),
  base64: (length) => b62(length),
};

const draws = 20;
/** The values that are not covered from the first character to the last. */
const missed = (values: readonly string[], before: string, after: string) =>
  values.filter(
    (value) =>
      !findSecrets(before + value + after).some(
        ({ start, end }) => start <= before.length && end >= before.length + value.length,
      ),
  );

describe("[T-23] tokens with a prefix of their service", () => {
  it.each(prefixRows.map((row) => [row[0], row[1], row] as const))(
    "%s %s",
    (name, prefixes, [, , alphabet, ...row]) => {
      const [least, most, random] = row;
      drawFor(name);
      for (const prefix of prefixes.split(" ")) {
        const values = Array.from({ length: draws }, (_, at) => prefix + characters[alphabet](at % 2 ? least : most));
        expect(missed(values, "see ", " there").length).toBeLessThanOrEqual(random ? 2 : 0);
        for (const sample of ["x".repeat(least), "your".padEnd(least, "y")])
          expect(findSecrets(`see ${prefix}${sample} there`)).toEqual([]);
      }
    },
  );
});

/** Each label of the table of shapes with a value, and what stands before it. */
const shaped: readonly (readonly [label: string, before: string, value: () => string])[] = [
  ["azure_search_key", "", () => `${b62(42)}AzSe${b62(6)}`],
  ["azure_functions_key", "", () => `${b62(44)}AzFu${b62(6)}==`],
  ["azure_storage", "", () => `${b64(76)}+ASt${b64(6)}==`],
  ["azure_cosmos_key", "", () => `${b64(76)}ACDb${b64(6)}==`],
  ["azure_batch_key", "", () => `${b64(76)}+ABa${b64(6)}==`],
  ["azure_bus_key", "", () => `${b64(33)}${pick("SE", 1) === "S" ? "+ASb" : "+AEh"}${b64(6)}=`],
  ["azure_cache_key", "", () => `${b62(33)}AzCa${b62(6)}=`],
  ["azure_iot_key", "", () => `${b62(33)}AIoT${b62(6)}=`],
  ["azure_registry_key", "", () => `${b62(42)}+ACR${b62(6)}`],
  ["datastax_token", "", () => `AstraCS:${b62(24)}:${hex(64)}`],
  ["oculus_token", "", () => `OC|1234509876543|${hex(32)}`],
  ["rapidapi_key", "", () => `${b36(10)}msh${b36(15)}p1${b36(6)}jsn${b36(12)}`],
  ["harness_token", "", () => `pat.${b62(22)}.${hex(24)}.${b62(20)}`],
  ["rancher_token", "", () => `token-${b36(5)}:${b36(54)}`],
  ["rancher_token", "kubeconfig-u-", () => `${b36(54)}`],
  ["k3s_token", "", () => `K10${hex(64)}::server:${hex(32)}`],
  ["proxmox_token", "PVEAPIToken=root@pam!ci=", uuid],
  ["voiceflow_key", "", () => `VF.DM.${hex(24)}.${b62(16)}`],
  ["amazon_token", "", () => `Atzr|${b64u(200)}`],
  ["unleash_token", "default:development.", () => hex(56)],
  ["feishu_webhook", "https://open.feishu.cn/open-apis/bot/v2/hook/", uuid],
  ["wecom_webhook", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", uuid],
  ["ifttt_key", "https://maker.ifttt.com/trigger/a/with/key/", () => b62(22)],
  ["make_webhook", "https://hook.eu1.make.com/", () => b36(32)],
];

describe("[T-23] tokens that carry a mark inside", () => {
  it.each(shaped)("%s", (label, before, value) => {
    drawFor(label);
    const full = before === "kubeconfig-u-" ? `${before}${b36(5)}:` : before;
    const values = Array.from({ length: draws }, value);
    expect(missed(values, full, " \n").length).toBeLessThanOrEqual(1);
    expect(findSecrets(full + value()).map((found) => found.label)).toContain(label);
  });

  it("has a value for each row", () => {
    const known = new Set(shaped.map(([label]) => label));
    expect(shapeRules.map(({ label }) => label).filter((label) => !known.has(label))).toEqual([]);
  });
});

it("[T-23] takes out a counted sequence after a prefix that names its service, and leaves a sample", () => {
  const counted = `glpat-${"1234567890abcdef".repeat(2)}`;
  expect(redact(`token ${counted}`).text).not.toContain("1234567890");
  for (const sample of ["glpat-xxxxxxxxxxxxxxxxxxxx", "glpat-your-token-goes-in-here", `glpat-${"ab".repeat(12)}`])
    expect(findSecrets(`token ${sample}`)).toEqual([]);
});
