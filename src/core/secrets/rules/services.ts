// Rules for keys of model providers and of payment, work, wallet, mail and chat services.
import { token } from "./token.ts";

const modelRules = [
  token("anthropic_api_key", "sk-ant-", /sk-ant-([A-Za-z0-9_-]{20,300})/, { glued: true }),
  token("openrouter_key", "sk-or-", /sk-or-(?:v1-)?([a-f0-9]{64})/),
  token(
    "openai_api_key",
    "sk-",
    /sk-(?!ant-|or-)((?:proj|svcacct|admin|service|None)-[A-Za-z0-9_-]{20,300}|[A-Za-z0-9]{20,64}(?![A-Za-z0-9_-]))/,
    { random: true },
  ),
  token("openai_session", "sess-", /sess-([A-Za-z0-9]{40})(?![A-Za-z0-9])/, { random: true }),
  token("huggingface_token", ["hf_", "api_org_"], /(?:hf|api_org)_([A-Za-z]{34}|[A-Za-z0-9]{34,60})(?![A-Za-z0-9_])/),
  token("xai", "xai-", /xai-([A-Za-z0-9]{60,100})/),
  token("groq_key", "gsk_", /gsk_([A-Za-z0-9]{40,60})/),
  token("perplexity_key", "pplx-", /pplx-([A-Za-z0-9]{40,64})/),
  token("replicate_key", "r8_", /r8_([A-Za-z0-9]{37,40})(?![A-Za-z0-9])/),
  token("fireworks_key", "fw_", /fw_([A-Za-z0-9]{22,40})(?![A-Za-z0-9])/, { random: true }),
  token("langsmith_key", ["lsv2_pt_", "lsv2_sk_"], /lsv2_(?:pt|sk)_([a-f0-9]{32}_[a-f0-9]{10})/),
  token("cerebras_key", "csk-", /csk-([a-z0-9]{40,64})(?![A-Za-z0-9])/),
  token("jina_key", "jina_", /jina_([A-Za-z0-9_-]{50,80})(?![A-Za-z0-9])/),
  token("tavily_key", "tvly-", /tvly-((?:dev|prod)-[A-Za-z0-9_-]{20,64}|[A-Za-z0-9]{28,48})(?![A-Za-z0-9])/),
  token("elevenlabs_key", "sk_", /sk_([a-f0-9]{48})(?![A-Za-z0-9])/),
  token("voyage_key", "pa-", /pa-([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/, { random: true }),
  token("firecrawl_key", "fc-", /fc-([a-f0-9]{32})(?![A-Za-z0-9])/),
  token("nvidia_key", "nvapi-", /nvapi-([A-Za-z0-9_-]{60,80})/),
  token(
    "launchdarkly_key",
    ["sdk-", "mob-"],
    /(?:sdk|mob)-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9a-f])/,
  ),
  token("prefect_key", ["pnu_", "pnb_"], /pn[ub]_([A-Za-z0-9]{36})(?![A-Za-z0-9])/),
  token("vercel_token", ["vcp_", "vci_", "vca_", "vcr_", "vck_"], /vc[piark]_([A-Za-z0-9]{24,80})(?![A-Za-z0-9])/, {
    random: true,
  }),
  token("posthog_personal_key", "phx_", /phx_([A-Za-z0-9]{40,60})/),
];

const paymentRules = [
  token("stripe_secret", ["sk_live_", "sk_test_"], /sk_(?:live|test)_([A-Za-z0-9]{16,250})/),
  token("stripe_restricted", ["rk_live_", "rk_test_"], /rk_(?:live|test)_([A-Za-z0-9]{16,250})/),
  token("stripe_webhook", "whsec_", /whsec_([A-Za-z0-9+/]{24,100}={0,2})/),
  token(
    "square_token",
    ["sq0atp-", "sq0csp-", "EAAA"],
    /(?:sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}|EAAA[A-Za-z0-9_-]{60})(?![A-Za-z0-9])/,
  ),
  token("shopify", ["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"], /shp(?:at|ca|pa|ss|tka)_([A-Fa-f0-9]{32})/),
  token(
    "plaid_token",
    ["access-production-", "access-sandbox-", "access-development-"],
    /access-(?:production|sandbox|development)-([0-9a-f]{8}-[0-9a-f-]{27})/,
  ),
  token("braintree_token", "access_token$", /access_token\$(?:production|sandbox)\$([a-z0-9]{16}\$[a-f0-9]{32})/),
  token("flutterwave_key", "FLWSECK", /FLWSECK(?:_TEST)?-([A-Za-z0-9]{12,40}(?:-X)?)/),
  token("easypost_key", ["EZAK", "EZTK"], /EZ[AT]K([A-Za-z0-9]{54})/),
  token("shippo_key", ["shippo_live_", "shippo_test_"], /shippo_(?:live|test)_([a-f0-9]{40})/),
  token("duffel_token", ["duffel_live_", "duffel_test_"], /duffel_(?:live|test)_([A-Za-z0-9_-]{43})/),
];

const workRules = [
  token("crates_token", "cio", /cio([A-Za-z0-9]{32})(?![A-Za-z0-9])/, { random: true }),
  token("nuget_key", "oy2", /oy2([a-z0-9]{43})(?![A-Za-z0-9])/, { random: true }),
  token("infisical_token", "st.", /st\.([0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32})(?![0-9a-f])/),
  token("pinecone_key", "pcsk_", /pcsk_([A-Za-z0-9_]{50,80})/, { random: true }),
  token("adyen_key", "AQE", /AQE([A-Za-z0-9+/]{40,120}-[A-Za-z0-9+/]{40,60}=-[A-Za-z0-9^(;.]{10,40})/, {
    random: true,
  }),
  token("alchemy_key", "alchemy.com/v2/", /alchemy\.com\/v2\/([A-Za-z0-9_-]{32})(?![A-Za-z0-9])/, {
    glued: true,
    groupOnly: true,
  }),
  token("infura_key", "infura.io/v3/", /infura\.io\/v3\/([0-9a-f]{32})(?![0-9a-f])/, {
    glued: true,
    groupOnly: true,
  }),
  token("salesforce_session", "00D", /00D([A-Za-z0-9]{12}![A-Za-z0-9._]{80,130})/),
  token("clickup_key", "pk_", /pk_(\d{6,10}_[A-Z0-9]{32})(?![A-Za-z0-9])/),
  token("honeycomb_key", ["hcaik_", "hcbik_", "hcalk_"], /hc(?:aik|bik|alk)_([a-z0-9]{58})/),
  token("render_key", "rnd_", /rnd_([A-Za-z0-9]{28,34})(?![A-Za-z0-9])/, { random: true }),
  token("yandex_oauth", "y0_", /y0_([A-Za-z0-9_-]{54,62})(?![A-Za-z0-9])/, { random: true }),
  token("elastic_key", "essu_", /essu_([A-Za-z0-9+/=]{40,200})/, { random: true }),
  token("firebase_server_key", "APA91b", /[A-Za-z0-9_-]{11}:APA91b([A-Za-z0-9_-]{120,160})/, { lead: 12 }),
  token("readme_key", "rdme_", /rdme_([a-z0-9]{60,80})/),
];

const walletRules = [
  token("nostr_key", "nsec1", /nsec1([a-z0-9]{58})(?![A-Za-z0-9])/),
  token(
    "bitcoin_extended_key",
    ["xprv", "zprv", "yprv", "tprv"],
    /[xyzt]prv([1-9A-HJ-NP-Za-km-z]{107})(?![A-Za-z0-9])/,
  ),
];

const mailRules = [
  token("sendgrid", "SG.", /SG\.([A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64})/),
  token("mailgun", "key-", /key-([0-9a-f]{32})(?![A-Za-z0-9])/),
  token("mailchimp", "-us", /[0-9a-f]{32}-us\d{1,2}(?!\d)/, { lead: 32 }),
  token("brevo_key", ["xkeysib-", "xsmtpsib-"], /x(?:key|smtp)sib-([a-f0-9]{64}-[A-Za-z0-9]{16})/),
  token("resend_key", "re_", /re_([A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,30})(?![A-Za-z0-9])/, { random: true }),
  token("typeform_token", "tfp_", /tfp_([A-Za-z0-9_.=-]{44,80})/),
  token("contentful_token", "CFPAT-", /CFPAT-([A-Za-z0-9_-]{43})/),
];

const chatRules = [
  token("slack_bot_token", "xoxb-", /xoxb-([A-Za-z0-9-]{20,200})/, { glued: true }),
  token("slack_user_token", "xoxp-", /xoxp-([A-Za-z0-9-]{20,250})/, { glued: true }),
  token(
    "slack_token",
    ["xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-", "xoxe."],
    /xox[arsocde][-.]((?:xox[bp]-)?[A-Za-z0-9%+/=-]{20,400})/,
    { glued: true },
  ),
  token("slack_app_token", "xapp-", /xapp-(\d-[A-Z0-9]{5,20}-\d{5,20}-[A-Za-z0-9]{20,128})/, { glued: true }),
  token(
    "slack_webhook",
    "hooks.slack.com/",
    /hooks\.slack\.com\/((?:services|workflows|triggers)\/[A-Za-z0-9_]{6,20}\/[A-Za-z0-9_]{6,24}\/[A-Za-z0-9_]{16,64}(?:\/[A-Za-z0-9_]{16,64})?)/,
    {
      glued: true,
      scheme: true,
    },
  ),
  token(
    "discord_webhook",
    ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    /discord(?:app)?\.com\/api\/webhooks\/(\d{15,21}\/[A-Za-z0-9_-]{40,90})/,
    {
      glued: true,
      scheme: true,
    },
  ),
  token(
    "teams_webhook",
    "webhook.office.com/",
    /webhook\.office\.com\/webhookb2\/([0-9a-f@-]{60,90}\/IncomingWebhook\/[0-9a-f]{32}\/[0-9a-f-]{36})/,
    {
      glued: true,
      scheme: true,
    },
  ),
  token(
    "twilio_api_key",
    [..."0123456789abcdef"].map((digit) => `SK${digit}`),
    /SK([0-9a-f]{32})(?![A-Za-z0-9])/,
  ),
  token("twitter_bearer", "AAAAAAAAAAAAAAAAAAAAA", /A{21,26}((?:[A-Za-z0-9]|%2[BF]|%3D){40,100})/, {
    random: true,
  }),
  token("facebook_token", ["EAAC", "EAAG", "EAAB", "EAAJ", "EAAM"], /EAA[CGBJM][A-Za-z0-9]{80,300}/),
  token("dropbox_token", "sl.", /sl\.((?:u\.)?[A-Za-z0-9_-]{130,1500})(?![A-Za-z0-9])/, { random: true }),
  token("mapbox_token", "sk.eyJ", /sk\.(eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{20,40})/),
];

export const serviceRules = [...modelRules, ...paymentRules, ...workRules, ...walletRules, ...mailRules, ...chatRules];
