// Tokens whose mark is inside them or at their end, or that have several parts: one row is one format.
import type { SecretRule } from "../rule.ts";
import { token } from "./token.ts";

const end = "(?![A-Za-z0-9])";
const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

type Shape = readonly [
  label: string,
  literals: readonly string[],
  pattern: RegExp,
  options?: Parameters<typeof token>[3],
];

const shapes: readonly Shape[] = [
  // Azure writes the name of the service into its keys, after a random part of fixed length.
  ["azure_search_key", ["AzSe"], RegExp(`[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{6}${end}`), { lead: 42 }],
  ["azure_functions_key", ["AzFu"], RegExp(`[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{6}==`), { lead: 44 }],
  ["azure_storage", ["+ASt"], /[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{6}==/, { lead: 76 }],
  ["azure_cosmos_key", ["ACDb"], /[A-Za-z0-9+/]{76}ACDb[A-Za-z0-9+/]{6}==/, { lead: 76 }],
  ["azure_batch_key", ["+ABa"], /[A-Za-z0-9+/]{76}\+ABa[A-Za-z0-9+/]{6}==/, { lead: 76 }],
  ["azure_bus_key", ["+ASb", "+AEh", "+ARm"], /[A-Za-z0-9+/]{33}\+A(?:Sb|Eh|Rm)[A-Za-z0-9+/]{6}=/, { lead: 33 }],
  ["azure_cache_key", ["AzCa"], /[A-Za-z0-9]{33}AzCa[A-Za-z0-9+/]{6}=/, { lead: 33 }],
  ["azure_iot_key", ["AIoT"], /[A-Za-z0-9+/]{33}AIoT[A-Za-z0-9+/]{6}=/, { lead: 33 }],
  ["azure_registry_key", ["+ACR"], /[A-Za-z0-9+/]{42}\+ACR[A-Za-z0-9+/]{6}(?![A-Za-z0-9])/, { lead: 42 }],
  ["datastax_token", ["AstraCS:"], RegExp(`AstraCS:([A-Za-z0-9]{20,30}:[a-f0-9]{64})${end}`)],
  ["oculus_token", ["OC|"], RegExp(`OC\\|(\\d{8,20}\\|[a-f0-9]{32})${end}`)],
  ["rapidapi_key", ["msh"], RegExp(`[a-z0-9]{10}msh[a-z0-9]{15}p1[a-z0-9]{6}jsn[a-z0-9]{12}${end}`), { lead: 10 }],
  ["harness_token", ["pat.", "sat."], RegExp(`[ps]at\\.([A-Za-z0-9_-]{22}\\.[0-9a-f]{24}\\.[A-Za-z0-9]{20})${end}`)],
  ["rancher_token", ["token-"], RegExp(`token-([a-z0-9]{5}:[a-z0-9]{54})${end}`)],
  ["rancher_token", ["kubeconfig-"], RegExp(`kubeconfig-(?:u-|user-)[a-z0-9.-]{5,40}:([a-z0-9]{54})${end}`)],
  ["k3s_token", ["K10"], /K10([0-9a-f]{64}::[a-z0-9-]{1,40}:[0-9a-f]{32,64})(?![0-9a-f])/],
  ["proxmox_token", ["PVEAPIToken="], RegExp(`PVEAPIToken=[^\\s=!"']{1,80}![^\\s="']{1,80}=(${uuid})(?![0-9a-f])`)],
  ["voiceflow_key", ["VF."], RegExp(`VF\\.(?:DM\\.|WS\\.)?([a-f0-9]{24}\\.[A-Za-z0-9]{16})${end}`)],
  ["amazon_token", ["Atza|", "Atzr|", "Atna|"], /At(?:z[ar]|na)\|([A-Za-z0-9+/=_-]{80,2000})/],
  [
    "unleash_token",
    [":development.", ":production.", "*:*."],
    /(?::development|:production|\*:\*)\.([0-9a-f]{56,64})(?![0-9a-f])/,
    { glued: true, groupOnly: true },
  ],
  [
    "feishu_webhook",
    ["/open-apis/bot/v2/hook/"],
    RegExp(`/open-apis/bot/v2/hook/(${uuid})`),
    { glued: true, groupOnly: true },
  ],
  [
    "wecom_webhook",
    ["/cgi-bin/webhook/send?key="],
    RegExp(`/cgi-bin/webhook/send\\?key=(${uuid})`),
    { glued: true, groupOnly: true },
  ],
  [
    "ifttt_key",
    ["/with/key/"],
    RegExp(`/with/key/([A-Za-z0-9_-]{20,50})${end}`),
    { glued: true, groupOnly: true, random: true },
  ],
  ["make_webhook", [".make.com/"], RegExp(`\\.make\\.com/([a-z0-9]{32})${end}`), { glued: true, groupOnly: true }],
];

export const shapeRules: readonly SecretRule[] = shapes.map((shape) => token(...shape));
