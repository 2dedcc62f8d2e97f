// The table of paths that hold logins, keys or private data. Every judge uses it: commands, paths and bundles.
import { agentHomePattern } from "./agent-programs.ts";

export interface SecretFile {
  readonly what: string;
  readonly path: RegExp;
  /** The name alone is not a proof: a command that reads the file needs approval, but a bundle does not omit the file. */
  readonly guess?: true;
  /** Such a file often only names variables: where its content can be read, the content decides. */
  readonly byContent?: true;
  /** Only reading it is sensitive, not writing. */
  readonly onlyRead?: true;
}

export const secretFiles: readonly SecretFile[] = [
  {
    what: "environment secrets",
    path: /(^|\/)\.env(\.(?!(example|sample|template|dist|defaults|schema)$)[\w.-]+)?$/i,
  },
  {
    what: "environment secrets",
    path: /(^|\/)(\.envrc|[\w.-]+\.env|env\.(prod|production|local|staging))$/i,
  },
  {
    what: "SSH keys",
    path: /(^|\/)\.ssh(\/(?!.*\.pub$)|$)|(^|\/)id_(rsa|dsa|ecdsa|ed25519)(_sk)?(\.(?!pub$)[\w-]+)?$|(^|\/)authorized_keys$/i,
  },
  { what: "SSH host keys", path: /^\/etc\/ssh\/.*key/i },
  { what: "a private key or key store", path: /\.(pem|key|p12|pfx|p8|jks|keystore|kdbx?|ppk|gpg)$/i },
  {
    what: "cloud or cluster logins",
    path: /(^|\/)\.(aws|azure|kube|gcloud|oci|aliyun|bluemix|ibmcloud|linode|scw|fly|minikube)(\/|$)/i,
  },
  {
    what: "cloud logins",
    path: /(^|\/)(\.s3cfg|\.boto|\.dockercfg|\.passwd-s3fs|[\w.-]*kubeconfig([\w.-]*\.(ya?ml|json|conf))?)$/i,
  },
  { what: "encryption keys", path: /(^|\/)\.(gnupg|password-store|age|pki)(\/|$)/i },
  {
    what: "container registry logins",
    path: /(^|\/)\.docker\/config\.json$|^(~|\/root|\/home\/[^/]+)\/\.docker(\/|$)/i,
  },
  {
    what: "registry tokens",
    path: /(^|\/)(\.npmrc|\.yarnrc(\.yml)?|\.pypirc|\.bunfig\.toml|\.cargo\/credentials(\.toml)?|\.gem\/credentials|\.gradle\/gradle\.properties|\.m2\/settings(-security)?\.xml|\.nuget\/.*config|nuget\.config|\.composer\/auth\.json|pip\.conf)$/i,
  },
  {
    what: "stored logins",
    path: /(^|\/)[._]netrc$|(^|\/)\.(git-credentials|pgpass|my\.cnf|mylogin\.cnf|vault-token|htpasswd|fetchmailrc|msmtprc|muttrc|smbcredentials|cifs-creds|pwpolicy|rclone\.conf|terraformrc)$/i,
  },
  {
    what: "stored logins",
    path: /(^|\/)\.config\/(gh|hub|glab|gcloud|op|rclone|sops|age|doctl|heroku|stripe|configstore|fish\/fish_history|git\/credentials|filezilla|thehood|github-copilot|opencode|goose|crush|containers\/auth\.json)(\/|$)/i,
  },
  {
    what: "agent logins",
    path: new RegExp(
      String.raw`(^|/)(${agentHomePattern}|\.(cursor|copilot|openai|anthropic|continue|aider|oracle))/.*(credential|auth|token|oauth|login|session).*$|^(~|/root|/home/[^/]+)/(${agentHomePattern}|\.(cursor|copilot|oracle))(\.json|/.*)?$`,
      "i",
    ),
  },
  {
    what: "a browser profile",
    path: /(^|\/)(\.mozilla|\.config\/(google-chrome|chromium|BraveSoftware|microsoft-edge|vivaldi|opera)[\w-]*|snap\/firefox|Application Support\/(Google|Firefox|Chromium|BraveSoftware|Microsoft Edge|com\.apple))(\/|$)|(^|\/)(Cookies(\.binarycookies)?|Login Data|key[34]\.db|logins\.json|(cookies|places)\.sqlite)$|(^|\/)(Firefox|Chrome|Chromium|Safari)\/(.*\/)?(Bookmarks(\.plist)?|History)$/i,
  },
  {
    what: "a keychain",
    path: /(^|\/)(Library\/Keychains|\.local\/share\/(keyrings|kwalletd)|keyrings)(\/|$)|\.keychain(-db)?$/i,
  },
  {
    what: "a credentials file",
    guess: true,
    path: /(^|\/)\.?credentials?(\.(json|ya?ml|toml|xml|csv|txt|ini|enc|properties|conf|cfg|db|plist))?$/i,
  },
  {
    what: "a credentials file",
    guess: true,
    path: /^(?!(.*\/)?(locales?|i18n|lang|languages|translations|messages|schemas?|themes?|design-tokens)\/)(.*\/)?\.?(secrets?|client_secrets?|passwords?|tokens?)\.(json|ya?ml|toml|csv|txt|ini|enc|properties|conf|cfg|db|plist)$/i,
  },
  {
    what: "a credentials file",
    guess: true,
    path: /^(?!(.*\/)?(locales?|i18n|lang|languages|translations|messages|schemas?|themes?|design-tokens)\/)(.*\/)?(auth|([\w.-]+[-_.])?service[-_]?account[\w.-]*|client_secret[\w.-]*|gcp-key[\w.-]*|firebase-adminsdk[\w.-]*|application_default_credentials)\.json$|(^|\/)(wp-config\.php|master\.key|\.terraform\.d\/credentials.*|secring\.\w+|[\w.-]*credentials\.json)$/i,
  },
  {
    what: "environment secrets",
    path: /(^|\/)(\.dev\.vars(\.[\w-]+)?|\.secrets|local\.settings\.json|\.?vault[-_]?pass(word|wd)?(\.txt|[-_]file)?|\.ansible[-_]vault[\w-]*)$/i,
  },
  { what: "a VPN login", path: /\.(ovpn|mobileconfig)$|(^|\/)wg\d*\.conf$/i },
  {
    what: "stored logins",
    path: /(^|\/)\.(databrickscfg|sentryclirc|snowsql\/config|ngrok2\/ngrok\.yml|npm-auth|cloudflared\/[\w.-]+\.(json|pem)|wakatime\.cfg|pulumi\/credentials\.json|twilio-cli\/[\w.-]+|vercel\/auth\.json|expo\/state\.json|platformio\/\.appstate\.json)$/i,
  },
  {
    what: "stored logins",
    path: /(^|\/)\.(kaggle|snowflake)(\/|$)|^(~|\/root|\/home\/[^/]+|\/Users\/[^/]+)\/\.(supabase|sentry|solana|railway|render|doppler|infisical|akamai|hcloud|vercel|netlify|wrangler|qwen|huggingface|modal|wandb|cachix)(\/|$)|(^|\/)\.supabase\/access-token$|(^|\/)\.(ethereum|bitcoin|electrum|litecoin|monero)(\/|$)|(^|\/)\.cache\/huggingface\/(stored_)?tokens?$/i,
  },
  {
    what: "stored logins",
    path: /(^|\/)\.config\/(netlify|glab-cli|pypoetry|ngrok|solana|\.?wrangler|vercel|railway|supabase|fly|flyctl|hcloud|scw|linode-cli|neonctl|turso|doppler|infisical|snowflake|dagger|helm|argocd|cachix|kaggle|huggingface|gws|joplin|Bitwarden CLI|1Password|keepassxc)(\/|$)/i,
  },
  {
    what: "logins of the application",
    guess: true,
    byContent: true,
    onlyRead: true,
    path: /(^|\/)config\/(database|mongoid|redis|cable)\.ya?ml$|(^|\/)(parameters\.ya?ml|local_settings\.py|LocalSettings\.php|appsettings\.(Production|Staging|Local)\.json|application-(prod|production|staging|local)\.(ya?ml|properties))$/i,
  },
  { what: "a wallet", path: /(^|\/)wallet\.dat$/i },
  {
    what: "settings of a home, with the tokens that shells are given",
    onlyRead: true,
    path: /^(~|\/root|\/home\/[^/]+|\/Users\/[^/]+)\/(\.(bashrc|bash_(profile|login|aliases|logout)|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|tcshrc|login|xprofile|xsessionrc|pam_environment)|\.config\/(fish\/(config\.fish|fish_variables|conf\.d\/.*)|environment\.d\/.*))$/i,
  },
  { what: "infrastructure state with secrets", path: /\.(tfstate(\.backup)?|tfvars(\.json)?)$/i },
  {
    what: "a shell or tool history",
    path: /(^|\/)(\.\w*_history|\.lesshst|\.viminfo|\.histfile|\.local\/share\/fish\/fish_history|ConsoleHost_history\.txt)$/i,
  },
  {
    what: "password hashes or account data",
    path: /^\/(private\/)?etc\/(g?shadow-?|sudoers(\.d(\/.*)?)?|master\.passwd|passwd-?|krb5\.keytab|ppp\/.*secrets|ipsec\.secrets|openvpn(\/.*)?|wireguard(\/.*)?|ssl\/private(\/.*)?|pki\/.*private.*|letsencrypt(\/.*)?|kubernetes(\/.*)?|docker\/.*|NetworkManager\/system-connections(\/.*)?)$/i,
  },
  {
    what: "the environment or memory of a process",
    path: /^\/proc\/[^/]+\/(task\/[^/]+\/)?(environ|mem|maps|fd(\/.*)?|root(\/.*)?|cwd(\/.*)?|auxv|stack|pagemap)$|^\/proc\/(kcore|keys|key-users)$|^\/dev\/(k?mem|port)$/i,
  },
  {
    what: "mounted secrets",
    path: /^\/(var\/)?run\/(secrets|credentials|user\/[^/]+\/(keyring|gnupg|bus|ssh-agent.*))(\/|$)/i,
  },
];
