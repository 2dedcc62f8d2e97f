// Tokens that begin with a prefix of their service, as data: one row is one format, and the tests draw values from its row.
import type { SecretRule } from "../rule.ts";
import { token } from "./token.ts";

/** The characters after the prefix. */
export const alphabets = {
  hex: "0-9a-f",
  lower: "0-9a-z",
  upper: "0-9A-Z",
  plain: "0-9A-Za-z",
  url: "0-9A-Za-z_-",
  dotted: "0-9A-Za-z_.-",
  base64: "0-9A-Za-z+/=_-",
} as const;

/** `random`: the prefix is short or a word, and the rest must look random. */
export type PrefixRow = readonly [
  service: string,
  prefixes: string,
  alphabet: keyof typeof alphabets,
  least: number,
  most: number,
  random?: "random",
];

export const prefixRows: readonly PrefixRow[] = [
  // Models, their tools and their data
  ["e2b", "e2b_", "hex", 40, 40],
  ["daytona", "dtn_", "hex", 64, 64],
  ["browserbase", "bb_live_ bb_test_", "url", 20, 48],
  ["brave_search", "BSA", "url", 28, 28, "random"],
  ["cartesia", "sk_car_", "url", 20, 40],
  ["langfuse", "sk-lf-", "url", 36, 36],
  ["langsmith", "ls__", "hex", 32, 32],
  ["nomic", "nk-", "url", 43, 43, "random"],
  ["mem0", "m0-", "plain", 40, 40, "random"],
  ["turbopuffer", "tpuf_", "plain", 24, 60],
  ["vectara", "zwt_ zut_ zqt_", "url", 30, 70],
  ["openpipe", "opk-", "plain", 40, 60, "random"],
  ["predibase", "pb_", "url", 22, 22, "random"],
  ["anyscale", "esecret_", "lower", 24, 40],
  ["playht", "ak-", "hex", 32, 32, "random"],
  ["context7", "ctx7sk-", "url", 36, 36],
  ["modelscope", "ms-", "url", 36, 36, "random"],
  ["kaggle", "KGAT_", "hex", 32, 32],
  ["wandb", "wandb_v1_", "url", 60, 100],
  ["roboflow", "rf_", "plain", 20, 28, "random"],
  ["botpress", "bp_pat_ bp_bak_", "plain", 30, 44],
  ["aws_bedrock", "bedrock-api-key-", "base64", 80, 2000],
  // Secret keys as many services name them
  ["secret", "sk_ rk_ sk_prod_ sk_sbx_ sk_org_ skey_ skey_live_ skey_test_", "plain", 24, 128, "random"],
  ["secret", "key_ api_key_ apikey_ api_live_ api_test_ pat_ api-key-", "plain", 24, 128, "random"],
  ["secret", "live_ test_ prod_ production_ sandbox_", "plain", 30, 80, "random"],
  ["secret", "secret-live- secret-test- secret_live_ secret_test_ secret_prod_", "url", 24, 80],
  // Data stores
  ["secret", "secret-token:", "url", 20, 200],
  ["neon", "napi_", "lower", 50, 80],
  ["xata", "xau_", "plain", 36, 60],
  ["aiven", "AVNS_", "url", 16, 28, "random"],
  ["aiven", "aivenv1_", "base64", 100, 600],
  ["mongodb_atlas", "mdb_sa_sk_", "url", 36, 60],
  ["crunchy", "cbkey_", "plain", 24, 80],
  ["cockroach", "CCDB1_", "url", 50, 90],
  ["tinybird", "p.eyJ", "dotted", 60, 400],
  ["databricks", "dose", "hex", 32, 32],
  ["dbt", "dbtc_ dbtu_ dbts_", "url", 30, 80],
  ["confluent", "cflt", "base64", 60, 60, "random"],
  ["backblaze", "K001 K002 K003 K004 K005", "base64", 27, 27, "random"],
  // Logins and networks
  ["ory", "ory_pat_ ory_at_ ory_rt_ ory_st_ ory_mt_", "dotted", 32, 100],
  ["jumpcloud", "jca_", "plain", 30, 50],
  ["netbird", "nbp_", "plain", 30, 44],
  ["akamai", "akab-", "url", 30, 60, "random"],
  ["pangea", "pts_ pus_ pmt_", "plain", 32, 32, "random"],
  ["palo_alto", "LUFRPT1", "base64", 50, 300],
  ["cloudflared", "eyJhIjoi", "base64", 100, 400],
  ["censys", "censys_", "url", 24, 60, "random"],
  // Mail and messages
  ["mailersend", "mlsn.", "hex", 64, 64],
  ["courier", "pk_prod_ pk_test_", "upper", 28, 28],
  ["klaviyo", "pk_", "hex", 34, 34],
  ["ntfy", "tk_", "lower", 29, 29, "random"],
  ["intercom", "dG9rOi", "base64", 50, 90],
  ["discord_mfa", "mfa.", "url", 80, 90],
  ["matrix", "syt_", "base64", 36, 200],
  ["dingtalk", "SEC", "hex", 64, 64],
  // Payments and shops
  ["paddle", "pdl_live_apikey_ pdl_sdbx_apikey_ pdl_ntfset_", "url", 40, 100],
  ["polar", "polar_oat_ polar_pat_ polar_whs_", "plain", 24, 80],
  ["xendit", "xnd_production_ xnd_development_", "url", 40, 90],
  ["midtrans", "Mid-server- SB-Mid-server-", "url", 20, 40],
  ["mercadopago", "APP_USR-", "url", 50, 100],
  ["razorpay", "rzp_live_ rzp_test_", "plain", 14, 14],
  ["cashfree", "cfsk_ma_prod_ cfsk_ma_test_", "url", 30, 80],
  ["asaas", "$aact_", "base64", 100, 300],
  ["woocommerce", "ck_ cs_", "hex", 40, 40, "random"],
  ["ebay", "PRD- SBX-", "url", 36, 60, "random"],
  ["wix", "IST.eyJ", "dotted", 100, 1200],
  ["amazon_oauth", "amzn1.oa2-cs.v1.", "hex", 64, 64],
  ["imagekit", "private_", "base64", 28, 28, "random"],
  // Code, builds and flags
  ["open_vsx", "ovsxat_ ovsxp_", "url", 32, 44],
  ["thunderstore", "tss_", "plain", 30, 60, "random"],
  ["unkey", "unkey_", "plain", 20, 60],
  ["settlemint", "sm_pat_ sm_aat_ sm_sat_", "plain", 16, 40],
  ["gitbook", "gb_api_", "plain", 30, 60],
  ["depot", "depot_project_ depot_user_ depot_org_", "plain", 40, 100],
  ["chromatic", "chpt_", "plain", 12, 20],
  ["snyk", "snyk_sat. snyk_uat.", "dotted", 40, 140],
  ["socket", "sktsec_", "url", 40, 70],
  ["packagist", "packagist_ort_ packagist_uut_ packagist_ost_ packagist_out_", "plain", 40, 100],
  ["deno_deploy", "ddp_ ddo_ ddw_", "plain", 36, 40],
  ["codesandbox", "csb_v1_", "url", 36, 60],
  ["deepsource", "dsp_", "hex", 40, 40],
  ["apidog", "APS-", "plain", 32, 32, "random"],
  ["postman", "PMAT-", "upper", 26, 26],
  ["linear", "lin_wh_", "plain", 32, 64],
  ["configcat", "configcat-sdk-1/", "base64", 40, 60],
  ["devcycle", "dvc_server_ dvc_client_ dvc_mobile_", "url", 30, 80],
  ["flagsmith", "ser.", "plain", 22, 22, "random"],
  ["builder_io", "bpk-", "hex", 32, 32],
  ["calcom", "cal_live_ cal_", "hex", 32, 32],
  ["tally", "tly-", "plain", 32, 40, "random"],
  ["pinterest", "pina_", "plain", 32, 120],
  ["linkedin", "WPL_AP1.", "base64", 16, 60],
  ["google_code", "4/0A", "url", 60, 90],
  // Watching
  ["axiom", "xaat- xapt- xait-", "url", 36, 36],
  ["rootly", "rootly_", "hex", 64, 64],
  ["firehydrant", "fhb-", "hex", 32, 64],
  ["healthchecks", "hcw_ hcr_", "plain", 28, 28],
  ["dynatrace", "dt0s01. dt0s02. dt0s03. dt0s04. dt0s06. dt0s08. dt0s16.", "dotted", 60, 120],
  // Clouds and clusters
  ["netlify", "nfc_ nfo_ nfu_ nfb_", "plain", 36, 64],
  ["scaleway", "SCW", "upper", 17, 17, "random"],
  ["exoscale", "EXO", "hex", 24, 24],
  ["upcloud", "ucat_", "plain", 26, 40],
  ["baidu", "ALTAK", "plain", 21, 40, "random"],
  ["volcengine", "AKLT", "plain", 40, 60, "random"],
  ["jdcloud", "JDC_", "upper", 28, 28],
  ["gcp_hmac", "GOOG1E", "upper", 57, 58],
  ["yandex_iam", "t1.9eu", "dotted", 60, 400],
  ["docker_swarm", "SWMTKN-1-", "url", 70, 90],
  ["ubidots", "BBUS- BBAU-", "plain", 30, 40],
];

const ruleOf = ([service, prefixes, alphabet, least, most, random]: PrefixRow): SecretRule => {
  const starts = prefixes.split(" ");
  const begin = starts.map((prefix) => prefix.replaceAll(/[.$/]/g, String.raw`\$&`)).join("|");
  const pattern = new RegExp(`(?<!_)(?:${begin})([${alphabets[alphabet]}]{${least},${most}})(?![A-Za-z0-9_])`);
  return token(`${service}_key`, starts, pattern, random ? { random: true } : {});
};

export const prefixRules: readonly SecretRule[] = prefixRows.map(ruleOf);
