import { describe, expect, it } from "vitest";
import { loadJudge } from "../../tests/support/commands/load.ts";

const { classify } = await loadJudge();

/** Each line looks like code that only reads, and does more. */
const ways = [
  "python3 -c 'import sys; sys.path=[\"/tmp/x\"]; import yaml'",
  "python3 -c 'import sys; sys.path.extend([\"/tmp/x\"]); import yaml'",
  "node -e \"const fs=require('fs'); ['x','src/index.ts'].sort(fs.writeFileSync)\"",
  "node -e \"const f=require('fs'); ['src/a.ts','src/b.ts'].sort(f.renameSync)\"",
  "node -e \"['src/a.ts','src/b.ts'].sort(require('fs').copyFileSync)\"",
  "python3 -c 'import yaml; print(min([\"!!python/object/apply:posix.system [id]\"], key=yaml.unsafe_load))'",
  "python3 -c 'from yaml import load as l; print(min([\"!!python/object/apply:posix.system [id]\"], key=l))'",
  "node -pe \"require('child_process').spawnSync('rm',['-rf','build']).status\"",
  "python3 -c 'import sys; sys.meta_path=[]; print(1)'",
  "python3 -c 'import glob; print(sorted([\"x\"], key=glob.os.remove))'",
  'python3 -c \'import pathlib; print([p.read_text() for p in pathlib.Path(".").glob(".e*v")])\'',
  'python3 -c \'f=".e"+"nv"; print(open(f).read())\'',
  "node -e \"const fs=require('fs'); fs.readdirSync('.').map(x=>fs.readFileSync(x))\"",
  'python3 -c \'import json,sys; json.dump({}, open("package.json","w"))\'',
  'python3 -c \'import sys; sys.stdout=open("src/a.py","a"); print("x")\'',
  'python3 - <<\'PY\'\nfrom pathlib import Path\np = Path("a.py")\ns = p.read_text()\np.write_text("")\nPY',
  'python3 - <<\'PY\'\nfrom pathlib import Path\np = Path(".git/config")\np.write_text(p.read_text().replace("a","b"))\nPY',
  "perl -pi -e 's/a/b/' .git/config",
  "perl -pi -e 's/a/b/' .bashrc ~/.bashrc",
  'node -pe "1" -r ./evil.js',
  "node -p -r ./evil.js 1",
  "node -e \"const p=process; ['x'].forEach(p.chdir)\"",
  "node -e \"['SIGKILL'].map(process.abort)\"",
  "node -e \"['src/x','a'].sort(require('fs').promises.rename)\"",
  "python3 -ic 'print(1)'",
  'python3 -c \'from pathlib import Path; Path("a.txt").rename; print(sorted([Path("src")], key=Path.touch))\'',
  "perl -pe 's/a/b/' 'touch x|'",
  "perl -ne 'print if /x/' 'rm -rf build|'",
  "echo 'import os' | python3 -ic 'print(1)'",
  "python3 -ic 'print(1)' < x.py",
  "node -ie 1 < x.js",
  "node -i -e 1 < x.js",
  "perl -ne 'print if /x/' '>src/a'",
  "ruby -pe 'sub(\"a\",\"b\")' '|touch x'",
  'python3 -c \'from pathlib import Path; p=Path("a.txt"); print(max(["b.txt"], key=p.rename))\'',
  'python3 -c \'from pathlib import Path; p=Path("a.txt"); print(max(["b.txt"], key=p.replace))\'',
  "python3 -c 'import json; print(max([\"b.txt\"], key=json.decoder.scanner))'",
];

const honest = [
  `node -p "require('./package.json').scripts.watch"`,
  `node -p "process.versions.node + ' ' + process.platform"`,
  `node -e "const fs=require('fs');console.log(JSON.parse(fs.readFileSync('a.json','utf8')).name)"`,
  `python3 -c 'import sys; print(sys.path)'`,
  `python3 -c 'import json,sys; print(len(json.load(sys.stdin)))' < a.json`,
  `python3 -c 'import ast; print([n.name for n in ast.walk(ast.parse(open("a.py").read())) if isinstance(n, ast.FunctionDef)])'`,
  `python3 -c 'import re; print(re.findall(r"x+", open("a.txt").read(), re.M))'`,
  `perl -pe 's/a/b/' src/a.txt`,
];

describe("[S-9] inline code that is said to only look", () => {
  it.each(ways)("%s is asked about", (line) => {
    expect(classify(line, {}).gated).toBe(true);
  });

  it.each(honest)("%s is not asked about", (line) => {
    expect(classify(line, {}).gated).toBe(false);
  });
});
