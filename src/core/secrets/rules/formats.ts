// Token formats of further services, as data: one row is one format.
import type { SecretRule } from "../rule.ts";
import { token } from "./token.ts";

type Row = readonly [label: string, literals: string | readonly string[], pattern: RegExp, random?: "random"];

const end = "(?![A-Za-z0-9])";
const rows: readonly Row[] = [
  ["dependency_track_key", "odt_", RegExp(`odt_([A-Za-z0-9]{32,40})${end}`)],
  ["sourcegraph_token", "sgp_", RegExp(`sgp_((?:(?:[A-Fa-f0-9]{16}|local)_){0,2}[A-Fa-f0-9]{40})${end}`)],
  ["sourcegraph_cody_key", "slk_", RegExp(`slk_([a-f0-9]{64})${end}`)],
  ["pagarme_key", "ak_live_", RegExp(`ak_live_([A-Za-z0-9]{30})${end}`)],
  ["fleetbase_key", "flb_live_", RegExp(`flb_live_([A-Za-z0-9]{20})${end}`)],
  ["flexport_key", "shltm_", /shltm_([A-Za-z0-9_-]{40})(?![A-Za-z0-9])/],
  ["nightfall_key", "NF-", RegExp(`NF-([A-Za-z0-9]{32})${end}`), "random"],
  ["ubidots_token", "BBFF-", RegExp(`BBFF-([A-Za-z0-9]{30})${end}`)],
  ["zoho_token", "1000.", RegExp(`1000\\.([a-f0-9]{32}\\.[a-f0-9]{32})${end}`)],
  ["posthog_key", ["phs_", "pha_", "phr_"], RegExp(`ph[sar]_([A-Za-z0-9]{40,70})${end}`), "random"],
  ["together_key", "tgp_v1_", /tgp_v1_([A-Za-z0-9_-]{43})(?![A-Za-z0-9])/],
  ["cloudflare_token", ["cfut_", "cfat_", "cfk_"], RegExp(`cf(?:ut|at|k)_([A-Za-z0-9]{40,60})${end}`)],
  ["bitbucket_token", "BBDC-", /BBDC-([A-Za-z0-9+/=]{40,60})(?![A-Za-z0-9])/],
  ["defined_networking_key", "dnkey-", RegExp(`dnkey-([A-Z0-9]{26}-[A-Z0-9]{52})${end}`)],
  ["llamaindex_key", "llx-", /llx-([A-Za-z0-9_-]{40,60})(?![A-Za-z0-9])/, "random"],
  [
    "newrelic_key",
    ["NRAA-", "NRIQ-", "NRII-", "NRIK-", "NRSP-", "NRBR-", "NRJS-", "NRRA-", "NRAK-"],
    /NR(?:AA|IQ|II|IK|SP|BR|JS|RA|AK)-([A-Za-z0-9_-]{19,48})(?![A-Za-z0-9])/,
    "random",
  ],
  ["twitch_stream_key", "live_", RegExp(`live_(\\d{6,12}_[A-Za-z0-9]{30})${end}`), "random"],
  ["teamwork_token", "tkn.v1_", /tkn\.v1_([A-Za-z0-9+/_-]{60,100}={0,2})(?![A-Za-z0-9])/],
  ["grafana_key", "eyJrIjoi", /eyJrIjoi([A-Za-z0-9+/_-]{50,160}={0,2})(?![A-Za-z0-9])/],
  ["mapbox_token", "tk.eyJ", /tk\.(eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{20,40})/],
  ["scrapfly_key", "scp-live-", RegExp(`scp-live-([a-f0-9]{32})${end}`)],
  ["deepseek_key", "sk-", RegExp(`sk-([a-f0-9]{32})${end}`), "random"],
  ["square_oauth", "sq0idp-", RegExp(`sq0idp-([A-Za-z0-9_-]{22})${end}`)],
  [
    "planetscale_token",
    ["pscale_tkn_", "pscale_oauth_"],
    /pscale_(?:tkn|oauth)_([A-Za-z0-9_.-]{32,64})(?![A-Za-z0-9])/,
  ],
  [
    "doppler_token",
    ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
    /dp\.(?:pt|st|ct|sa|scim|audit)\.((?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44})(?![A-Za-z0-9])/,
  ],
  ["linear_key", ["lin_api_", "lin_oauth_"], RegExp(`lin_(?:api|oauth)_([A-Za-z0-9]{40,64})${end}`)],
  ["notion_token", ["secret_", "ntn_"], RegExp(`(?:secret|ntn)_([A-Za-z0-9]{43,50})${end}`), "random"],
  ["airtable_token", "pat", RegExp(`pat([A-Za-z0-9]{14}\\.[a-f0-9]{64})${end}`)],
  ["databricks_token", "dapi", RegExp(`dapi([a-f0-9]{32}(?:-\\d)?)${end}`), "random"],
  ["figma_token", ["figd_", "figo_", "figu_"], /fig[dou]_([A-Za-z0-9_-]{36,48})(?![A-Za-z0-9])/],
  ["sentry_token", ["sntrys_", "sntryu_"], /sntry[su]_([A-Za-z0-9+/=_-]{60,300})/],
  ["supabase_key", ["sbp_", "sb_secret_"], /(?:sbp|sb_secret)_([A-Za-z0-9_-]{31,48})(?![A-Za-z0-9])/],
  ["frameio_token", "fio-u-", /fio-u-([A-Za-z0-9_=-]{64})/],
  ["rubygems_key", "rubygems_", RegExp(`rubygems_([a-f0-9]{48})${end}`)],
  [
    "tailscale_key",
    "tskey-",
    /tskey-((?:api|auth|client|webhook|scim)-[A-Za-z0-9]{6,20}-[A-Za-z0-9]{20,40})(?![A-Za-z0-9])/,
  ],
  ["intra42_secret", "s-s4t2", RegExp(`s-s4t2(?:ud|af)-([a-f0-9]{64})${end}`)],
  ["adafruit_key", "aio_", RegExp(`aio_([A-Za-z0-9]{28})${end}`), "random"],
  ["apify_token", "apify_api_", RegExp(`apify_api_([A-Za-z0-9]{34,40})${end}`)],
  [
    "authress_key",
    ["sc_", "ext_", "scauth_", "authress_"],
    /(?:sc|ext|scauth|authress)_([a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120})/,
  ],
  ["aws_mws_key", "amzn.mws.", /amzn\.mws\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9a-f])/],
  ["aws_appsync_key", "da2-", RegExp(`da2-([a-z0-9]{26})${end}`)],
  ["endorlabs_key", "endr+", /endr\+([A-Za-z0-9-]{16})(?![A-Za-z0-9])/, "random"],
  ["friendli_key", "flp_", RegExp(`flp_([A-Za-z0-9]{44,48})${end}`)],
  ["gocardless_token", ["live_", "sandbox_"], /(?:live|sandbox)_([A-Za-z0-9_=-]{40,42})(?![A-Za-z0-9_])/, "random"],
  ["helicone_key", "sk-helicone-", /sk-helicone-([a-z0-9]{7}(?:-[a-z0-9]{7}){3})(?![A-Za-z0-9])/],
  ["infracost_key", "ico-", RegExp(`ico-([A-Za-z0-9]{32})${end}`), "random"],
  ["ionic_token", "ion_", RegExp(`ion_([A-Za-z0-9]{42})${end}`), "random"],
  // Base64 of `reftkn:01:`, an end and a random part.
  ["jfrog_token", "cmVmdGtuOjAxOj", RegExp(`cmVmdGtuOjAxOj([A-Za-z0-9]{50})${end}`)],
  ["jfrog_key", ["AKCp5", "AKCp8"], RegExp(`AKCp[58]([A-Za-z0-9]{68})${end}`), "random"],
  ["launchdarkly_key", "api-", /api-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9a-f])/],
  ["mandrill_key", "md-", /md-([A-Za-z0-9_-]{22})(?![A-Za-z0-9_-])/, "random"],
  ["onesignal_key", ["os_v2_app_", "os_v2_org_"], RegExp(`os_v2_(?:app|org)_([a-z0-9]{100,110})${end}`)],
  ["pubnub_key", "sec-c-", /sec-c-([A-Za-z0-9]{40,64}={0,2})(?![A-Za-z0-9])/, "random"],
  ["runpod_key", "rpa_", RegExp(`rpa_([A-Za-z0-9]{42,50})${end}`), "random"],
  ["segment_token", "sgp_", RegExp(`sgp_([A-Za-z0-9]{64})${end}`), "random"],
  ["statsig_key", ["secret-", "console-"], RegExp(`(?:secret|console)-([A-Za-z0-9]{43,54})${end}`), "random"],
  ["telnyx_key", "KEY0", RegExp(`KEY0([0-9A-F]{31}_[A-Za-z0-9]{22})${end}`)],
  ["trello_token", "ATTA", RegExp(`ATTA([a-f0-9]{72})${end}`)],
  ["wakatime_key", "waka_", /waka_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9a-f])/],
  ["sidekiq_login", "CONTRIBSYS__COM", /CONTRIBSYS__COM["']?[\s:=]{1,4}["']?([0-9a-f]{8}:[0-9a-f]{8})(?![0-9a-f])/],
  [
    "truenas_key",
    "login_with_api_key",
    /login_with_api_key["']?,[\s\w"':[]{1,40}["'](\d{1,5}-[A-Za-z0-9]{64})(?![A-Za-z0-9])/,
  ],
  ["rdp_password", "password 51:b:", /password 51:b:([0-9A-Fa-f]{64,2000})/],
  [
    "ngrok_token",
    ["add-authtoken ", "authtoken: "],
    /(?:add-authtoken |authtoken: )["']?([A-Za-z0-9]{24,28}_[A-Za-z0-9]{20,24})(?![A-Za-z0-9])/,
  ],
  ["opsgenie_key", "GenieKey ", /GenieKey ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f])/],
  ["instagram_token", ["IGQVJ", "IGQWR"], RegExp(`IGQ(?:VJ|WR)([A-Za-z0-9_-]{100,300})${end}`)],
  ["nats_seed", ["SUA", "SAA", "SOA", "SNA", "SCA", "SXA"], RegExp(`S[UAONCX]A([A-Z2-7]{55})${end}`), "random"],
  ["ngc_key", "nvapi-", /nvapi-([A-Za-z0-9_-]{40,80})(?![A-Za-z0-9])/],
];

/** Tokens in the path of a URL. */
const addresses: readonly SecretRule[] = [
  token(
    "zapier_webhook",
    "hooks.zapier.com/hooks/catch/",
    /hooks\.zapier\.com\/hooks\/catch\/(\d{5,10}\/[a-z0-9]{5,10})/,
    {
      glued: true,
      scheme: true,
    },
  ),
  token("mattermost_webhook", "/hooks/", /\/hooks\/([a-z0-9]{26})(?![A-Za-z0-9])/, {
    glued: true,
    groupOnly: true,
    random: true,
  }),
  token(
    "teams_webhook",
    "outlook.office.com/webhook/",
    /outlook\.office\.com\/webhook\/([0-9a-f@-]{60,90}\/IncomingWebhook\/[0-9a-f]{32}\/[0-9a-f-]{36})/,
    { glued: true, scheme: true },
  ),
  token(
    "thingsboard_token",
    "thingsboard.cloud/api/v1/",
    /thingsboard\.cloud\/api\/v1\/([A-Za-z0-9]{16,40})(?![A-Za-z0-9])/,
    {
      glued: true,
      groupOnly: true,
    },
  ),
];

/** Passwords as systems store them: guessing one takes a machine hours. */
const hashes: readonly SecretRule[] = [
  token(
    "password_hash",
    ["$1$", "$5$", "$6$", "$8$", "$9$", "$2a$", "$2b$", "$2x$", "$2y$", "$apr1$", "$y$", "$argon2"],
    /\$(?:(?:1|apr1)\$[A-Za-z0-9./]{1,8}\$([A-Za-z0-9./]{22})|[56]\$(?:rounds=\d{1,9}\$)?[A-Za-z0-9./]{1,16}\$([A-Za-z0-9./]{43,86})|[89]\$[A-Za-z0-9./]{14}\$([A-Za-z0-9./]{43})|2[abxy]\$\d\d\$([A-Za-z0-9./]{53})|y\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{1,40}\$([A-Za-z0-9./]{43})|argon2(?:id?|d)\$v=\d{1,3}\$[mtp=,\d]{5,40}\$[A-Za-z0-9+/]{8,64}\$([A-Za-z0-9+/]{20,90}))(?![A-Za-z0-9./])/,
    { glued: true, notInCode: true },
  ),
  token("password_hash", "sha1:", /sha1:[0-9a-f]{12}:([0-9a-f]{40})(?![0-9a-f])/, { notInCode: true }),
  token("password_hash", ["$P$", "$H$"], /\$[PH]\$([A-Za-z0-9./]{31})(?![A-Za-z0-9./])/, {
    glued: true,
    notInCode: true,
  }),
  token("password_hash", "pbkdf2_sha", /pbkdf2_sha\d{1,3}\$\d{4,8}\$[A-Za-z0-9]{8,40}\$([A-Za-z0-9+/]{40,90}={0,2})/, {
    notInCode: true,
  }),
  token(
    "password_hash",
    "SCRAM-SHA-256$",
    /SCRAM-SHA-256\$\d{4,8}:[A-Za-z0-9+/=]{16,64}\$([A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=)/,
    { notInCode: true },
  ),
  token(
    "password_hash",
    ["aad3b435b51404ee", "AAD3B435B51404EE"],
    /(?:aad3b435b51404ee|AAD3B435B51404EE){2}:([0-9A-Fa-f]{32})(?![0-9A-Fa-f])/,
  ),
  token("jenkins_secret", "{AQAAABAAAA", /\{(AQAAABAAAA[A-Za-z0-9+/]{20,400}={0,2})(?=\})/, {
    glued: true,
    groupOnly: true,
  }),
  token("password_hash", "$krb5", /\$krb5(?:asrep|tgs|pa)\$\d{1,2}\$([^\s"']{40,4000})/, { glued: true }),
];

export const formatRules: readonly SecretRule[] = [
  ...rows.map(([label, literals, pattern, random]) => token(label, literals, pattern, random ? { random: true } : {})),
  token("maxmind_key", "_mmk", /[A-Za-z0-9]{6}_([A-Za-z0-9]{29})_mmk(?![A-Za-z0-9])/, { lead: 36 }),
  token("newrelic_key", "NRAL", /(?:[a-f0-9]{36}|eu01xx?[a-f0-9]{30,31})NRAL(?![A-Za-z0-9])/, { lead: 36 }),
  ...addresses,
  ...hashes,
];
