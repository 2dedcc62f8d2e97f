// Rules for tokens of services that host, build and publish code, and of development tools.
import { token } from "./token.ts";

const classic = (label: string, letter: string) =>
  token(label, `gh${letter}_`, new RegExp(`gh${letter}_([A-Za-z0-9]{36,255})`), { glued: true });

export const codeHostRules = [
  classic("github_pat", "p"),
  classic("github_oauth", "o"),
  classic("github_user_to_server", "u"),
  classic("github_app", "s"),
  classic("github_refresh", "r"),
  token("github_fine_grained", "github_pat_", /github_pat_([A-Za-z0-9]{20,24}_[A-Za-z0-9]{50,255})/, {
    glued: true,
  }),
  token(
    "gitlab_token",
    [
      "glpat-",
      "gldt-",
      "glrt-",
      "glrtr-",
      "glptt-",
      "glcbt-",
      "glimt-",
      "glft-",
      "glagent-",
      "glsoat-",
      "glffct-",
      "gloas-",
    ],
    /gl(?:pat|dt|rtr?|ptt|cbt|imt|ft|agent|soat|ffct|oas)-([A-Za-z0-9_-]{20,300}(?:\.[A-Za-z0-9_.-]{2,40})?)/,
  ),
  token("gitlab_runner_token", "GR1348941", /GR1348941([A-Za-z0-9_-]{20,50})/),
  token("bitbucket_token", ["ATBB", "ATCTT3xFfGN0"], /AT(?:BB[A-Za-z0-9]{28,60}|CTT3xFfGN0[A-Za-z0-9_=-]{100,400})/, {
    random: true,
  }),
  token("atlassian_token", "ATATT3", /ATATT3([A-Za-z0-9_=-]{100,400})/),
  token("npm_token", "npm_", /npm_([A-Za-z0-9]{36,64})(?![A-Za-z0-9])/),
  token("pypi_token", ["pypi-AgEI", "pypi-AgEN"], /pypi-AgE[IN]([A-Za-z0-9_-]{50,1000})/, { glued: true }),
  token("rubygems_token", "rubygems_", /rubygems_([a-f0-9]{48})/),
  token("clojars_token", "CLOJARS_", /CLOJARS_([A-Za-z0-9]{60})/),
  token("artifactory_token", ["AKCp"], /AKCp([1-9A-HJ-NP-Za-km-z]{56,200})(?![A-Za-z0-9])/),
  // `reftkn:01:` and a time, in base64.
  token("artifactory_token", ["cmVmdGtuOjAx"], /cmVmdGtuOjAx([A-Za-z0-9_-]{48,200})/),
  token("sonar_token", ["sqp_", "squ_", "sqa_"], /sq[pua]_([a-f0-9]{40})(?![A-Za-z0-9])/),
  token("circleci_token", ["CCIPAT_", "CCIPRJ_"], /CCIP(?:AT|RJ)_([A-Za-z0-9]{20,24}_[a-f0-9]{40})/),
  token("buildkite_token", "bkua_", /bkua_([a-z0-9]{40})/),
  token("sentry_token", ["sntrys_", "sntryu_", "sntrya_"], /sntry(?:s_([A-Za-z0-9+/=_-]{40,1000})|[ua]_[a-f0-9]{64})/),
  token(
    "hubspot_token",
    ["pat-na", "pat-eu", "pat-ap"],
    /pat-(?:na|eu|ap)\d-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/,
  ),
  token("asana_token", ["0/1", "1/1", "2/1"], /[012]\/\d{12,20}(?:\/\d{12,20})?:([a-f0-9]{32})(?![A-Za-z0-9])/),
  token(
    "onepassword_key",
    "A3-",
    /A3-([A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5})(?![A-Z0-9])/,
  ),
  token("onepassword_token", "ops_eyJ", /ops_(eyJ[A-Za-z0-9_-]{200,2000}={0,2})/),
  token("doppler_token", "dp.", /dp\.(?:pt|st|ct|sa|scim|audit)\.([A-Za-z0-9._-]{40,60})/),
  token("postman_key", "PMAK-", /PMAK-([a-f0-9]{24}-[a-f0-9]{34})/),
  token("grafana_token", ["glsa_", "glc_"], /gl(?:sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|c_[A-Za-z0-9+/]{32,400}={0,2})/),
  token("new_relic_key", ["NRAK-", "NRII-", "NRRA-"], /NR(?:AK|II|RA)-([A-Za-z0-9_-]{26,42})/),
  token("dynatrace_token", "dt0c01.", /dt0c01\.([A-Z0-9]{24}\.[A-Z0-9]{64})/),
  token("linear_key", ["lin_api_", "lin_oauth_"], /lin_(?:api|oauth)_([A-Za-z0-9]{32,64})/),
  token("figma_token", ["figd_", "figo_"], /fig[do]_([A-Za-z0-9_-]{38,64})/),
  token("notion_token", ["ntn_", "secret_"], /(?:ntn_|secret_)([A-Za-z0-9]{40,50})(?![A-Za-z0-9])/, {
    random: true,
  }),
];
