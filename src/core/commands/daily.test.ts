import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadJudge, readRows } from "../../../tests/support/commands/load.ts";

interface Row {
  readonly cmd: string;
  readonly asked: boolean;
}

const rows = readRows<Row>(join(import.meta.dirname, "../../../tests/corpus/daily-lines.jsonl"));
const { classify } = await loadJudge();

const installed =
  "tsc eslint prettier vitest jest mocha playwright nx turbo webpack vite rollup esbuild ts-node tsx knip depcheck biome oxlint stylelint commitlint c8 nyc".split(
    " ",
  );
/** The scripts that the last commit of the imagined project holds. */
const scripts = new Set(
  "gradlew mvnw configure manage.py setup.py scripts/generate.js scripts/gen_docs.py scripts/test.sh scripts/lint.sh scripts/check.sh tools/build.sh src/main.ts src/index.ts test/foo_test.rb".split(
    " ",
  ),
);
const baseFile = (path: string) => (scripts.has(path) ? "same" : "changed");
const wrong = (asked: boolean) => {
  const own = rows.filter((row) => row.asked === asked);
  const lines = own
    .map(({ cmd }) => cmd)
    .filter((cmd) => classify(cmd, { root: "/home/u/repo", installed, baseFile }).gated !== asked);
  return { lines, rate: lines.length / own.length };
};

describe("[S-9] lines of a working day, written before the judge was looked at", () => {
  it("fewer than three of a hundred honest lines are asked about", () => {
    const { lines, rate } = wrong(false);
    expect(rate, lines.join("\n")).toBeLessThan(0.03);
  });

  it("no dangerous line goes unasked", () => {
    expect(wrong(true).lines).toEqual([]);
  });
});

describe("[S-9] scripts of the project", () => {
  const judge = (line: string, state: "same" | "changed" | "unknown", cwd?: string) =>
    classify(line, { baseFile: () => state, ...(cwd === undefined ? {} : { cwd }) }).gated;

  it.each(["./scripts/test.sh", "bash scripts/test.sh -v", "node tools/gen.js", "python manage.py test"])(
    "%s is asked about unless the last commit holds the very script",
    (line) => {
      expect([judge(line, "same"), judge(line, "changed"), judge(line, "unknown")]).toEqual([false, true, true]);
    },
  );

  it.each([
    "./scripts/deploy.sh",
    "./scripts/db.sh drop",
    "python manage.py flush",
    "node tools/gen.js /etc/passwd",
    "node tools/gen.js --out=../other",
    "bash scripts/test.sh .env",
    "./scripts/test.sh $X",
    "source scripts/test.sh",
    "cd /tmp && ./scripts/test.sh",
    "/tmp/test.sh",
    "../test.sh",
    "LD_PRELOAD=./x.so ./scripts/test.sh",
    "node -r ./x.js tools/gen.js",
  ])("%s is asked about also when the commit holds the script", (line) => {
    expect(judge(line, "same")).toBe(true);
  });

  it("a build wrapper is the build tool, unless it was changed, with the same rules for its words", () => {
    for (const tool of ["./gradlew", "./mvnw"]) {
      expect([judge(`${tool} test`, "same"), judge(`${tool} test`, "unknown")]).toEqual([false, false]);
      expect(judge(`${tool} test`, "changed")).toBe(true);
      expect(judge(`${tool} publish`, "same")).toBe(true);
      expect(judge(`.${tool} test`, "same")).toBe(true);
    }
    for (const line of ["cp x.sh gradlew && ./gradlew test", "echo x > mvnw", "mv a gradle/wrapper/gradle-wrapper.jar"])
      expect([line, judge(line, "unknown")]).toEqual([line, true]);
    expect(judge("chmod +x gradlew && ./gradlew test", "same")).toBe(false);
    expect(judge("./gradlew -I /tmp/x.gradle build", "same")).toBe(true);
    expect(judge("./mvnw -f /tmp/pom.xml test", "same")).toBe(true);
  });

  it("a script is looked up from the folder that the line runs in", () => {
    const seen: string[] = [];
    const baseFile = (path: string) => {
      seen.push(path);
      return "same" as const;
    };
    classify("./x.sh && cd inner && ./y.sh", { cwd: "packages/a", baseFile });
    expect(seen).toEqual(["packages/a/x.sh", "packages/a/inner/y.sh"]);
  });
});

describe("[S-9] inline code that only looks", () => {
  it.each([
    `node -p "require('./package.json').version"`,
    `node -p process.version`,
    `node -e 'const p=require("./package.json"); console.log(Object.keys(p.scripts||{}).join("\\n"))'`,
    `node -p "JSON.parse(require('fs').readFileSync('package.json','utf8')).name"`,
    `python3 -c "import sys; print(sys.version)"`,
    `python3 -c "import json; print(json.load(open('package.json'))['name'])"`,
  ])("%s is read only", (line) => {
    expect(classify(line).class).toBe("read_only");
  });

  it.each([
    `node -p "require('./x.js')"`,
    `node -p "require('child_process')"`,
    `node -p "require('./a.json').constructor.constructor('x')()"`,
    `node -e "const f=[]['constructor']['constructor']; [1].map(f)"`,
    `node -e "const k='con'+'structor'; const f=[][k][k]; [1].map(f)"`,
    `node -e "const r=require; console.log(r)"`,
    `node -e "[1].map(require)"`,
    `node -e "console.log(process.mainModule)"`,
    `node -e "console['log'](process['env'])"`,
    `node -e "const fs=require('fs'); fs.writeFileSync('x','y')"`,
    `node -e "console.log=1; eval('x')"`,
    `node -p "import('x')"`,
    `node -p "require('fs').readFileSync('.env','utf8')"`,
    "node -p '`x`'",
    `python3 -c "print(open('.env').read())"`,
    `python3 -c "open('x','w').write('y')"`,
    `python3 -c "import os; print(os.listdir())"`,
    `python3 -c "print(().__class__)"`,
    `python3 -c "from evil import print"`,
    `python3 -c "exec('x')"`,
    `python3 -c "print=eval; print('x')"`,
    `python3 -c "import sys; sys.modules['os'].listdir()"`,
    `python3 -c "import json as open; open('x')"`,
  ])("%s is asked about", (line) => {
    expect(classify(line).gated).toBe(true);
  });
});

describe("[S-9] words that another command of the line writes", () => {
  it.each([
    ["git diff $(git merge-base main HEAD) --stat", false],
    ["git show $(git rev-parse HEAD)", false],
    ["git diff $(git rev-parse --show-toplevel)", true],
    ["git diff $(cat x)", true],
    ["git() { echo --output=x; }; command git diff $(git merge-base a b)", true],
    [`cat "$(echo .env)"`, true],
    ["cat `printf '.env'`", true],
    ["sleep 9 & kill $!", false],
    ["sleep 9 & kill %1", false],
    ["kill 1 $!", true],
    ["killall %1", true],
    ["ln -s ../shared/a.js src/a.js", false],
    ["ln -s ../shared/a.js a.js", true],
    ["ln -s ../../shared/a.js src/a.js", true],
    ["RUSTFLAGS='-D warnings -C opt-level=3' cargo build", false],
    ["RUSTFLAGS='-C linker=./x' cargo build", true],
    ["RUSTFLAGS='-D warnings -Zx' cargo build", true],
    [".venv/bin/pytest -q", false],
    [".venv/bin/pip install x", true],
    ["/tmp/.venv/bin/pytest", true],
    ["source .venv/bin/activate && pytest", false],
    ["source /tmp/.venv/bin/activate", true],
    ["node node_modules/.bin/tsc --noEmit", false],
    ["node node_modules/.bin/evil", true],
    ["node ../node_modules/.bin/tsc", true],
    ["perl -ne 'print if /foo/' a.txt", false],
    ["perl -ne 'print if /@{[`id`]}/' a.txt", true],
    ["php vendor/bin/phpunit", false],
    ["php /tmp/vendor/bin/phpunit", true],
    ["ninja -C build install", true],
    ["meson install -C build", true],
    ["ninja -C build", false],
    ["HTTPS_PROXY=http://evil.example npm test", true],
    ["https_proxy= npm test", false],
    ["cpio -i < a.cpio", true],
    ["cpio -it < a.cpio", false],
    ["npm prune", true],
    ["git apply --directory=../x p.patch", true],
    ["git apply --directory=src p.patch", false],
    ["openssl rand -hex 16", false],
    ["openssl rand -out ~/.ssh/id_rsa 16", true],
    ["php -i", true],
    ["make -p", true],
    ["make -pn", true],
    ["cmake -E environment", true],
    ["cmake -E cat .env", true],
    ["cmake -E make_directory build", false],
    ["npm run env", true],
    ["yarn env", true],
    [`sqlite3 x.db "select readfile('.env')"`, true],
    ["git stash show -p stash@{0} -- .env", true],
    ["git stash show -p", false],
    ["fd -H .env -x cat", true],
    ["fd -e ts -x wc -l", false],
    ["cat ~/.gradle/gradle.properties", true],
    ["cat gradle.properties", false],
    ["tcc -run x.c", true],
    ["unison a b", true],
    ["rsync -n -av --delete /src/ /dest/", false],
    ["rsync -n -a src/ host:/dest/", true],
    ["rsync -n -a ~/.ssh/ x/", true],
    ["rsync -a --delete /src/ /dest/", true],
    [`python3 -c 'import json; print(json.dumps({"a": [1, "x"], "b": None}, indent=2))'`, false],
    [`python3 -c 'import json; print(json.dumps({"a": eval("1")}))'`, true],
    [`python3 -c 'import json; print(json.dumps(open(".env").read()))'`, true],
    ["cd /etc && cat shadow", true],
    ["cd /tmp && echo x > a.log", false],
    ["/opt/miniconda3/envs/a/bin/pytest -q", false],
    ["/opt/evil/bin/pytest -q", true],
    ["mvn -o dependency:tree", false],
    ["mvn dependency:tree", true],
  ])("%s asks: %s", (line, asked) => {
    expect(classify(line).gated).toBe(asked);
  });
});
