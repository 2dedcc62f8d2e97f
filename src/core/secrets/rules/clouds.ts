// Rules for keys of cloud providers and of the services on them.
import { token } from "./token.ts";

const digits = [..."0123456789"];

export const cloudRules = [
  token("aws_access_key_id", ["AKIA", "ASIA", "ABIA", "ACCA"], /A(?:KIA|SIA|BIA|CCA)([A-Z0-9]{16})(?![A-Za-z0-9])/),
  token(
    "aws_secret_access_key",
    ["AKIA", "ASIA"],
    /A[KS]IA[A-Z0-9]{16}["']?[ \t]{0,4}[,:;|\t ][ \t]{0,4}["']?([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/,
    { groupOnly: true },
  ),
  token(
    "aws_session_token",
    ["FwoGZXIvYXdz", "IQoJb3JpZ2lu", "FQoGZXIvYXdz"],
    /[FI][QwQ]o[GJ][A-Za-z0-9+/]{80,4000}={0,2}/,
  ),
  token("aws_bedrock_key", "ABSKQmVkcm9ja0FQSUtleS", /ABSKQmVkcm9ja0FQSUtleS[A-Za-z0-9+/]{60,400}={0,2}/),
  token("gcp_api_key", "AIza", /AIza([A-Za-z0-9_-]{35})(?![A-Za-z0-9])/),
  token("google_oauth_access", "ya29.", /ya29\.([A-Za-z0-9_-]{20,2048}(?:\.[A-Za-z0-9_-]{1,512})?)/),
  token("google_oauth_refresh", "1//0", /1\/\/0([A-Za-z0-9_-]{30,512})/),
  token("google_oauth_client_secret", "GOCSPX-", /GOCSPX-([A-Za-z0-9_-]{20,64})/),
  token(
    "gcp_service_account_key",
    "private_key_id",
    /private_key_id["']?\s{0,4}[:=]\s{0,4}["']?([0-9a-f]{40})(?![0-9a-f])/,
    {
      glued: true,
      groupOnly: true,
    },
  ),
  token(
    "azure_storage",
    ["AccountKey", "accountKey", "account_key"],
    /[Aa]ccount_?[Kk]ey["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z0-9+/]{86}==)/,
    {
      glued: true,
      groupOnly: true,
    },
  ),
  token(
    "azure_shared_access_key",
    "SharedAccessKey",
    /SharedAccessKey["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z0-9+/]{43}=)/,
    {
      glued: true,
      groupOnly: true,
    },
  ),
  token(
    "azure_ad_secret",
    digits.map((digit) => `${digit}Q~`),
    /[A-Za-z0-9_~.-]{3}\dQ~([A-Za-z0-9_~.-]{31,34})(?![A-Za-z0-9])/,
    {
      lead: 3,
    },
  ),
  token("azure_sas", "sig=", /sig=((?:[A-Za-z0-9+/_-]|%2[BbFf]){43,90}(?:=|%3[Dd]))/, { groupOnly: true }),
  token("azure_devops_pat", "AZDO", /[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/, { lead: 76 }),
  token("azure_service_key", "JQQJ99", /[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{20,30}(?![A-Za-z0-9])/, {
    lead: 52,
  }),
  token("digitalocean_pat", ["dop_v1_", "doo_v1_", "dor_v1_"], /do[opr]_v1_([a-f0-9]{64})/),
  token("alibaba_access_key", "LTAI", /LTAI([A-Za-z0-9]{16,26})(?![A-Za-z0-9])/, { random: true }),
  token(
    "alibaba_secret_key",
    "LTAI",
    /LTAI[A-Za-z0-9]{16,26}["']?[ \t]{0,4}[,:;|\t ][ \t]{0,4}["']?([A-Za-z0-9]{30})(?![A-Za-z0-9])/,
    { groupOnly: true, random: true },
  ),
  token(
    "tencent_secret_key",
    "AKID",
    /AKID[A-Za-z0-9]{32}["']?[ \t]{0,4}[,:;|\t ][ \t]{0,4}["']?([A-Za-z0-9]{32})(?![A-Za-z0-9])/,
    { groupOnly: true, random: true },
  ),
  token("tencent_secret_id", "AKID", /AKID([A-Za-z0-9]{32})(?![A-Za-z0-9])/, { random: true }),
  token("yandex_key", ["AQVN", "YCAJ"], /(?:AQVN|YCAJ)([A-Za-z0-9_-]{21,60})/, { random: true }),
  token("cloudflare_key", "v1.0-", /v1\.0-([a-f0-9]{24}-[a-f0-9]{146})/),
  token("heroku_key", "HRKU-", /HRKU-([A-Za-z0-9_-]{36,80})/),
  token("fly_token", ["fm1_", "fm2_", "fo1_"], /f(?:m1|m2|o1)_([A-Za-z0-9+/_-]{40,2048}={0,2})/),
  token("netlify_token", "nfp_", /nfp_([A-Za-z0-9]{36,64})/),
  token("supabase_key", ["sbp_", "sb_secret_"], /sb(?:p|_secret)_([A-Za-z0-9_-]{20,80})/, { random: true }),
  token(
    "planetscale_token",
    ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
    /pscale_(?:tkn|pw|oauth)_([A-Za-z0-9=._-]{32,80})/,
  ),
  token("databricks", "dapi", /dapi([a-f0-9]{32}(?:-\d)?)(?![A-Za-z0-9])/),
  token("vault_token", ["hvs.", "hvb.", "hvr."], /hv[sbr]\.([A-Za-z0-9_-]{24,300})/, { random: true }),
  token("terraform_cloud_token", ".atlasv1.", /[A-Za-z0-9]{14}\.atlasv1\.([A-Za-z0-9_=-]{60,70})/, {
    lead: 14,
  }),
  token("pulumi_token", "pul-", /pul-([a-f0-9]{40})(?![A-Za-z0-9])/),
  token(
    "doppler_token",
    ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
    /dp\.(?:pt|st|ct|sa|scim|audit)\.((?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44})/,
  ),
  token("tailscale_key", "tskey-", /tskey-[a-z]{3,12}-([A-Za-z0-9-]{16,80})/, { random: true }),
  token("docker_token", ["dckr_pat_", "dckr_oat_"], /dckr_[po]at_([A-Za-z0-9_-]{27,64})/),
  token("age_secret_key", "AGE-SECRET-KEY-1", /AGE-SECRET-KEY-1([0-9A-Z]{58})/),
  token("onepassword_token", "ops_eyJ", /ops_(eyJ[A-Za-z0-9+/_-]{200,4000}={0,3})/),
];
