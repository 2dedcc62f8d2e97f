// The table of path kinds: which names, folders and paths are tests, manifests, hooks and so on. Names are compared in
// lower case; a change of an `exec` or `protected` path needs its own approval.
import { agentFolderPattern, agentInstructionPattern } from "../../contract/index.ts";
import { anyOf, configEnding, exactly, hiddenName, type PathRule, startOf } from "./rule.ts";

const testRunners = anyOf`
  jest vitest ava playwright cypress wdio nightwatch karma mocha protractor stryker c8 nyc testem codecept
  detox web-test-runner jasmine
`;

const agentNames = anyOf`
  claude agents? gemini qwen codex copilot warp crush amp opencode jules replit grok kilo droid
`;

const bundlers = anyOf`
  webpack rollup vite esbuild rspack rsbuild tsup tsdown rolldown babel postcss swc metro next nuxt svelte
  astro remix vue angular turbopack parcel snowpack
`;

const linters = anyOf`
  eslint prettier stylelint commitlint markdownlint secretlint textlint jshint jscs tslint oxlint oxfmt
  swiftlint dependency-cruiser htmlhint solhint ls-lint cspell remark xo-config depcheck jscpd sass-lint
  alex
`;

const securityWords = anyOf`
  auth\w* login log-?in sign-?in sso saml oauth\d? oidc jwt sessions? passwords? passwd credentials?
  permissions? acl rbac roles? crypto\w* encryption secrets? security tokens? csrf cors middleware
`;

const testedLanguages = anyOf`
  java kts? scala groovy cs fs vb php swift m mm cpp cc cxx h hpp hs dart ts js py rb
`;

const checked: readonly PathRule[] = [
  {
    kinds: ["test"],
    level: "protected",
    folder: exactly`
      __tests?__
      (?:[\w.]+[._-])?(?:tests?|specs?|e2e|unit-?tests?|integration-?tests?|functional-?tests?|acceptance-?tests?)
      tests?[._-][\w.-]+ (?:android|connected|integration|functional)tests? unittests? testing cypress
      playwright testcafe t conformance
    `,
    name: new RegExp(
      [
        String.raw`(?:^|[._-])(?:tests?|specs?|e2e|cy|unittest|doctest)[._-]`,
        String.raw`[._-](?:tests?|specs?|e2e)$`,
        exactly`
          conftest\.py tests?\.\w+ specs?\.\w+ setuptests\.\w+ (?:test|spec|rails)[-_]?helper\.\w+
          [\w.]+\.(?:bats|feature|t)
        `.source,
      ].join("|"),
    ),
    cased: {
      name: new RegExp(
        String.raw`(?:[a-z0-9](?:Tests?|TestCase|TestSuite|Specs?|IT)|^(?:Test|IT)[A-Z]\w*)\.${testedLanguages}$`,
      ),
      folder: /[a-z0-9](?:Unit|Integration|UI|Functional|Acceptance)?(?:Tests?|Specs?)$/,
    },
  },
  {
    kinds: ["fixture"],
    level: "protected",
    folder: exactly`
      __fixtures?__ (?:[\w.]+[._-])?fixtures? test-?fixtures? test[-_]?data __mocks?__ mocks __recordings__
      cassettes __testfixtures__
    `,
    name: /(?:^|[._-])fixtures?[._-]/,
  },
  {
    kinds: ["snapshot"],
    level: "protected",
    folder: /^(?:__(?:image_)?snapshots?__|snapshots?|goldens?|golden[-_]?files|__golden__)$/,
    name: /\.(?:snap|snapshot|ambr|golden|approved(?:\.\w+)?)$|(?:^|[._-])(?:snapshot|golden)[._-]/,
  },
  {
    kinds: ["eval"],
    level: "protected",
    folder: /^(?:__evals?__|(?:[\w.]+[._-])?evals?|evaluations?|evals?[._-][\w.-]+)$/,
    name: /(?:^|[._-])evals?[._-]|^promptfoo/,
  },
  {
    kinds: ["runner"],
    level: "protected",
    name: exactly`
      ${testRunners}(?:[.-][\w.-]+)?[._-](?:config|conf|setup|workspace)(?:[.-][\w.-]+)?\.${configEnding}
      cypress\.json \.?pytest\.(?:ini|toml) thehood\.json tox\.ini noxfile\.py phpunit\.xml(?:\.dist)?
      phpunit\.\w+\.xml testng\.xml nextest\.toml codecov\.ya?ml
    `,
    hidden: hiddenName`
      (?:mocharc|nycrc|c8rc|jestrc|taprc|detoxrc)(?:\.\w+)? coveragerc rspec testcafe\w*\.\w+ codecov\.ya?ml
      bazelrc
    `,
  },
];

/** Modules that Python or a test runner loads from the folder it starts in, before any file of the project. */
const loadedFirst = anyOf`
  _?pytest py pluggy iniconfig unittest doctest nose2? mypy flake8 ruff tox nox coverage hypothesis
  (?:site|user)customize abc argparse ast asyncio atexit base64 bdb builtins bisect calendar cmd code codecs
  collections contextlib copy copyreg csv ctypes dataclasses datetime decimal difflib dis enum errno
  faulthandler fnmatch fractions functools gc genericpath getopt gettext glob gzip hashlib heapq hmac html
  http importlib inspect io itertools json keyword linecache locale logging marshal math multiprocessing
  numbers opcode operator os pathlib pdb pickle pkgutil platform plistlib posix posixpath pprint queue
  random re reprlib runpy sched secrets select selectors shlex shutil signal socket sqlite3 ssl stat string
  struct subprocess sys sysconfig tempfile textwrap threading time timeit token tokenize tomllib traceback
  types typing unicodedata urllib uuid warnings weakref xml zipfile zipimport zlib
`;

const otherAgentFolders = anyOf`
  claude-plugin cursor windsurf clinerules cline roo continue aider[\w.-]* copilot amazonq kiro junie
  augment goose agents? factory trae qwen crush kilocode zencoder devin openhands aiassistant amp serena
  rovodev firebender sourcegraph cody tabnine grok void pearai plandex ruler rulesync jules warp blackbox
  antigravity mcp codeium qodo taskmaster specify bmad[\w-]* superdesign greptile ellipsis korbit lovable
  bolt v0 ai prompts agent-os phoenix sweep cosine vibe pi
`;

const runs: readonly PathRule[] = [
  {
    kinds: ["runner"],
    level: "exec",
    path: new RegExp(
      `^(?:src/)?${loadedFirst}(?:\\.(?:py[cdiw]?|so)$|\\.[\\w.-]+\\.(?:so|pyd)$|/(?:__init__|__main__)\\.py$)`,
    ),
    name: /^[\w.-]+\.pth$|^node\.config\.json$/,
  },
  // Compiled Python is loaded instead of its source, unseen.
  { kinds: ["build"], level: "exec", folder: /^__pycache__$/, name: /\.py[co]$/ },
  // Metadata of an installed package: its entry points are loaded by name, plugins of a runner among them.
  { kinds: ["runner"], level: "exec", folder: /^[\w.-]+\.(?:dist|egg)-info$/ },
  {
    kinds: ["dependency"],
    level: "exec",
    folder: exactly`
      node_modules bower_components \.?venv site-packages dist-packages \.tox \.nox \.eggs __pypackages__
      \.pnpm-store
    `,
    path: /(?:^|\/)vendor\/bin\//,
    name: /^\.pnp\.(?:[cm]?js|loader\.mjs|data\.json)$/,
  },
  {
    kinds: ["dependency"],
    level: "protected",
    path: /^(?:vendor|deps)\//,
  },
  {
    kinds: ["ci"],
    level: "exec",
    path: startOf`
      \.github/(?:workflows|actions|scripts)/ \.(?:forgejo|gitea)/(?:workflows|actions)/
      \.gitlab/(?:ci|[\w-]*\.ya?ml) ci/ action\.ya?ml$
    `,
    folder: /^\.(?:circleci|buildkite|azure-pipelines|jenkins|teamcity|semaphore|woodpecker|ci|builds|expeditor)$/,
    name: exactly`
      [\w.-]*gitlab-ci\.ya?ml travis\.ya?ml azure-pipelines(?:[.-][\w.-]+)?\.ya?ml jenkinsfile(?:[.-]\w+)?
      bitbucket-pipelines\.ya?ml appveyor\.ya?ml codefresh\.ya?ml cloudbuild\.(?:ya?ml|json)
      buildspec\.ya?ml netlify\.toml wercker\.ya?ml screwdriver\.ya?ml
    `,
    hidden: hiddenName`
      gitlab-ci(?:[.-][\w.-]+)?\.ya?ml travis\.ya?ml drone\.(?:ya?ml|star|jsonnet) woodpecker\.ya?ml
      appveyor\.ya?ml cirrus\.(?:ya?ml|star) wercker\.ya?ml build\.yml
    `,
  },
  {
    kinds: ["ci"],
    level: "protected",
    name: /^(?:codeowners|dangerfile(?:\.\w+)?)$/,
    hidden: /^\.mergify\.ya?ml$/,
  },
  {
    kinds: ["hook"],
    level: "exec",
    folder: /^(?:\.husky|\.?git-?hooks|\.lefthook|\.hooks|\.trunk)$/,
    name: exactly`
      prek\.toml hk\.pkl lefthook(?:-local)?\.(?:ya?ml|toml|json) simple-git-hooks\.\w+ husky\.config\.\w+
      lint-?staged(?:rc|\.config)?(?:\.\w+)? captainhook\.json grumphp\.ya?ml
    `,
    hidden: hiddenName`
      lefthook(?:-local)?\.(?:ya?ml|toml|json) pre-commit-(?:config|hooks)\.ya?ml overcommit\.ya?ml
      simple-git-hooks\.\w+ huskyrc(?:\.\w+)? lint-?staged(?:rc|\.config)?(?:\.\w+)?
    `,
  },
  {
    kinds: ["agent"],
    level: "exec",
    folder: new RegExp(String.raw`^(?:${agentFolderPattern})$|^\.${otherAgentFolders}$`),
    path: startOf`
      \.github/(?:copilot-|(?:instructions|prompts|agents|chatmodes|skills|hooks)/)
      (?:conventions|best_practices|replit|agents?[-_]guidelines|ai[-_]instructions)\.md$
      llms(?:-full)?\.txt$ (?:ai-rules|\.?agent-rules)/ hooks/hooks\.json$
    `,
    name: exactly`
      ${agentNames}(?:\.(?:local|override))?\.md ${agentInstructionPattern.toLowerCase()}
      skill\.md mcp\.json mcp[-_]\w+\.json opencode\.jsonc? crush\.json firebender\.json rulesync\.jsonc?
      ruler\.toml apm\.ya?ml gemini-extension\.json pr_agent\.toml greptile\.json
      (?:ellipsis|sweep|coderabbit|goose)\.ya?ml
    `,
    hidden: hiddenName`
      mcp\.json mcp[-_]\w+\.json cursorrules cursorignore windsurfrules clinerules roorules continuerules
      aiderrules traerules kilorules kilocoderules kilocodemodes roomodes goosehints augment-guidelines
      replit rules airules llmrc openhands_instructions phoenix-rules cursorindexingignore roorules-[\w-]+
      continuerc\.json pr_agent\.toml (?:coderabbit|sweep|sourcery|bito|ellipsis|greptile)\.(?:ya?ml|json)
      aider[\w.-]* crush\.json claude\.json
    `,
  },
  {
    kinds: ["editor"],
    level: "exec",
    folder: /^\.(?:vscode|idea|zed|fleet|vs|nova|theia|gitpod|helix|idx|codesandbox|kak|lapce|cloud9|c9)$/,
    name: /^[\w.-]+\.(?:code-workspace|sublime-project)$/,
    hidden: hiddenName`
      sublime-project exrc n?vim\.lua n?vimrc lvimrc dir-locals\.el gitpod\.(?:ya?ml|dockerfile) projectile
      stackblitzrc
    `,
  },
  {
    kinds: ["registry", "dependency"],
    level: "exec",
    folder: /^\.(?:yarn|mvn|cargo|bundle)$/,
    path: /(?:^|\/)gradle\/wrapper\//,
    name: exactly`
      pnpmfile\.[cm]?js bunfig\.toml pip\.conf nuget\.config uv\.toml gradlew(?:\.bat)? mvnw(?:\.cmd)?
      init\.gradle(?:\.kts)? gradle\.properties auth\.json
    `,
    hidden: /^\.(?:npmrc|yarnrc(?:\.ya?ml)?|pnpmfile\.[cm]?js|pypirc|gemrc|condarc|bowerrc|netrc)$/,
  },
  { kinds: ["git"], level: "exec", name: /^gitatt~\d$/, hidden: /^\.(?:gitattributes|gitconfig|lfsconfig)$/ },
  {
    kinds: ["environment"],
    level: "exec",
    folder: /^\.(?:mise|flox|hermit|devbox)$/,
    path: /^(?:\.config\/)?mise\/[\w./-]+\.toml$|^bin\/activate-hermit$/,
    name: exactly`
      replit\.nix devbox\.json pkgx\.ya?ml process-compose\.ya?ml procfile\.dev mise(?:\.[\w.-]+)?\.toml
      devenv\.(?:nix|yaml) ansible\.cfg cdk\.json tiltfile vagrantfile nodemon\.json setup\.hs fastfile
      appfile
    `,
    hidden: hiddenName`
      pkgx\.ya?ml prototools pdbrc(?:\.py)? pythonrc(?:\.py)? ocamlinit kakrc ansible\.cfg terraformrc
      buckconfig envrc mise(?:\.[\w.-]+)?\.toml rtx\.toml autoenv env\.zsh gdbinit lldbinit rprofile
      renviron ghci iex\.exs irbrc pryrc user\.ini htaccess perltidyrc psqlrc sqliterc inputrc screenrc
      tmux\.conf bash_profile bashrc zshrc zshenv profile
    `,
  },
  { kinds: ["container"], level: "exec", folder: /^\.devcontainer$/, name: /^\.?devcontainer\.json$/ },
  {
    kinds: ["manifest", "dependency"],
    level: "exec",
    name: /^(?:package\.json5?|package\.yaml|composer\.json|setup\.py|build\.rs|binding\.gyp|extconf\.rb)$/,
  },
];

const defines: readonly PathRule[] = [
  {
    kinds: ["lockfile", "dependency"],
    level: "protected",
    name: exactly`
      package-lock\.json npm-shrinkwrap\.json pnpm-lock\.ya?ml bun\.lockb? go\.sum go\.work\.sum
      packages\.lock\.json package\.resolved cartfile\.resolved [\w.-]+\.(?:lock|lockfile)
      cabal\.project\.freeze requirements\.lock
    `,
    hidden: /^\.terraform\.lock\.hcl$/,
  },
  {
    kinds: ["manifest", "dependency"],
    level: "protected",
    path: /(?:^|\/)requirements\/[^/]+\.(?:txt|in)$|(?:^|\/)gradle\/[^/]+\.toml$/,
    name: exactly`
      deno\.jsonc? jsr\.json import_map\.json pyproject\.toml setup\.cfg pipfile
      (?:[\w.-]+[-_.])?requirements(?:[-_.][\w.-]+)?\.(?:txt|in) constraints\.txt environment\.ya?ml
      cargo\.toml gemfile gems\.rb [\w.-]+\.gemspec go\.(?:mod|work) pom\.xml build\.sbt [\w.-]+\.sbt
      [\w.-]+\.(?:cs|fs|vb)proj [\w.-]+\.sln directory\.(?:build|packages)\.(?:props|targets)
      packages\.config global\.json mix\.exs rebar\.config pubspec\.ya?ml package\.swift podfile
      [\w.-]+\.podspec cartfile build\.zig(?:\.zon)? dune-project [\w.-]+\.(?:opam|cabal|nimble|rockspec)
      stack\.yaml cabal\.project shard\.yml deps\.edn project\.clj elm\.json vcpkg\.json conanfile\.\w+
      flake\.nix default\.nix shell\.nix bower\.json lerna\.json nx\.json project\.json turbo\.json
      pnpm-workspace\.ya?ml rush\.json workspace(?:\.bazel)? module\.bazel description cpanfile makefile\.pl
    `,
  },
  {
    kinds: ["build"],
    level: "protected",
    path: /^[^/]+\.config\.[cm]?[jt]s$/,
    name: exactly`
      (?:gnu)?makefile(?:\.[\w.-]+)? [\w.-]+\.mk justfile taskfile\.ya?ml rakefile [\w.-]+\.rake
      cmakelists\.txt cmakepresets\.json [\w.-]+\.cmake meson\.build meson_options\.txt
      configure(?:\.ac|\.in)? build\.xml build\.gradle(?:\.kts)? settings\.gradle(?:\.kts)?
      [\w.-]+\.gradle(?:\.kts)? gulpfile\.[\w.]+ gruntfile\.[\w.]+ jakefile(?:\.\w+)?
      ${bundlers}(?:[.-][\w-]+)?\.config(?:\.[\w-]+)?\.${configEnding}
      angular\.json build(?:\.bazel)? [\w.-]+\.bzl buck sconstruct wscript premake\d?\.lua xmake\.lua
      dockerfile\.test rust-toolchain(?:\.toml)? runtime\.txt procfile
    `,
    hidden: hiddenName`
      justfile babelrc(?:\.\w+)? swcrc parcelrc (?:node|python|ruby|java|go|terraform)-version nvmrc
      tool-versions sdkmanrc
    `,
  },
  {
    kinds: ["lint"],
    level: "protected",
    name: exactly`
      (?:ts|js)config(?:[.-][\w.-]+)?\.json
      (?:eslint|prettier|stylelint|commitlint|knip|oxlint|lint-staged|cspell|textlint|xo|syncpack)(?:\.config)?\.${configEnding}
      tslint\.json biome\.jsonc? ruff\.toml pylintrc(?:\.toml)? mypy\.ini pyrightconfig\.json
      (?:clippy|rustfmt)\.toml deny\.toml checkstyle[\w.-]*\.xml pmd[\w.-]*\.xml spotbugs[\w.-]*\.xml
      detekt\.ya?ml phpstan\.neon(?:\.dist)? phpstan-baseline\.\w+ psalm\.xml(?:\.dist)?
      phpcs\.xml(?:\.dist)? sonar-project\.properties selene\.toml analysis_options\.yaml
    `,
    hidden: hiddenName`
      ${linters}(?:rc|ignore|cli2?)?(?:[.-][\w.-]+)?
      ruff\.toml flake8 pylintrc(?:\.toml)? mypy\.ini bandit rubocop(?:_todo)?\.yml standard\.yml
      golangci\.(?:ya?ml|toml|json) (?:clippy|rustfmt)\.toml clang-(?:format|tidy) swiftformat
      swiftlint\.ya?ml php[-_]cs[\w.-]* credo\.exs formatter\.exs dialyzer\w* scala(?:fmt|fix)\.conf
      yamllint(?:\.ya?ml)? shellcheckrc hadolint\.ya?ml semgrep(?:ignore|\.ya?ml)? gitleaks\.toml
      gitleaksignore trivyignore snyk editorconfig-checker\.json luacheckrc
    `,
  },
  // A cache that comes with the work tells a tool that it has nothing to look at.
  {
    kinds: ["build"],
    level: "protected",
    folder: /^\.(?:mypy|pytest|ruff)_cache$/,
    name: /\.tsbuildinfo$/,
    hidden: /^\.(?:tsbuildinfo|(?:eslint|stylelint|prettier)cache)$/,
  },
  { kinds: ["environment"], level: "protected", name: /^\.env(?:\.[\w.-]+)?$/ },
  { kinds: ["state"], level: "exec", folder: /^\.thehood$/, name: /^\.thehood$/ },
];

const signals: readonly PathRule[] = [
  {
    kinds: ["container"],
    level: "plain",
    name: exactly`
      (?:docker|container)file(?:[.-][\w.-]+)? [\w.-]+\.dockerfile
      (?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml vagrantfile chart\.yaml [\w.-]+\.(?:tf|tfvars|hcl)
    `,
    hidden: /^\.dockerignore$/,
  },
  {
    kinds: ["auth"],
    level: "plain",
    path: new RegExp(String.raw`(?:^|[/._-])${securityWords}(?=[/._-]|$)`),
  },
  {
    kinds: ["schema"],
    level: "plain",
    folder: /^(?:migrations?|migrate|alembic|db|prisma|proto|protos|schemas?)$/,
    name: /(?:^|[._-])schema[._-]|\.(?:sql|prisma|proto|graphqls?|avsc|xsd|thrift)$|^openapi[\w.-]*$|^swagger[\w.-]*$/,
  },
];

export const pathRules: readonly PathRule[] = [...checked, ...runs, ...defines, ...signals];
