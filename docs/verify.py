#!/usr/bin/env python3
"""Verifies commits of TheHood without TheHood: python3 verify.py KEY.pem COMMIT|RANGE. Needs git and nothing else.
One line for each commit: its id, verified | unbound | tampered, and the reason. Exit code 0, 1 or 5, as `thehood verify`."""
import base64, hashlib, json, re, subprocess, sys

REF, PAYLOAD = "refs/thehood/evidence", "application/vnd.in-toto+json"
PREDICATE, STATEMENT = "https://github.com/thehood/thehood/run/v1", "https://in-toto.io/Statement/v1"
DIFF = ("diff-tree -r -p --text --full-index --no-renames --unified=3 --diff-algorithm=myers --no-indent-heuristic"
        " --inter-hunk-context=0 --src-prefix=a/ --dst-prefix=b/ --submodule=short --ignore-submodules=none"
        " --no-ext-diff --no-textconv --no-color").split()

def git(*words, stdin=b"", ok=(0,)):
    fixed = ["-c", "diff.suppressBlankEmpty=false", "-c", "core.quotePath=true"]
    done = subprocess.run(["git", "--no-replace-objects", *fixed, *words], input=stdin, capture_output=True)
    if done.returncode not in ok:
        sys.exit("git " + words[0] + " failed: " + done.stderr.decode(errors="replace"))
    return done.stdout

# Ed25519 as in RFC 8032, to verify only.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, I = -121665 * pow(121666, P - 2, P) % P, pow(2, (P - 1) // 4, P)

def point(raw):
    y, sign = int.from_bytes(raw, "little") & (2**255 - 1), raw[31] >> 7
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P: x = x * I % P
    if y >= P or (x * x - x2) % P or (x == 0 and sign): return None
    if x & 1 != sign: x = P - x
    return (x, y, 1, x * y % P)

def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)

def times(s, p):
    q = (0, 1, 1, 0)
    while s:
        if s & 1: q = add(q, p)
        p, s = add(p, p), s >> 1
    return q

def signed(key, message, signature):
    if len(signature) != 64: return False
    a, r, s = point(key), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L: return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    p, q = times(s, (G := point(bytes.fromhex("58" + "66" * 31)))), add(r, times(h, a))
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0

def judge(text, filed, patch, digest, tree, keys):
    try:
        envelope = json.loads(text)
        named = [(keys[s["keyid"]], base64.b64decode(s["sig"], validate=True)) for s in envelope["signatures"] if s["keyid"] in keys]
        body = base64.b64decode(envelope["payload"], validate=True)
        assert envelope["payloadType"] == PAYLOAD and envelope["signatures"]
    except Exception: return "tampered", "the evidence is not a signed envelope"
    if not named: return "unbound", "the evidence is signed with a key that is not trusted here"
    message = b"DSSEv1 %d %s %d %s" % (len(PAYLOAD), PAYLOAD.encode(), len(body), body)
    if not any(signed(key, message, sig) for key, sig in named): return "tampered", "the signature does not fit the evidence"
    try:
        statement = json.loads(body)
        run, subjects = statement["predicate"]["run"], [s["digest"] for s in statement["subject"]]
        assert statement["_type"] == STATEMENT and statement["predicateType"] == PREDICATE
    except Exception: return "tampered", "the evidence is signed and says nothing that can be read"
    if run != filed: return "tampered", f"the evidence of {run} was filed as that of {filed}"
    if not any(d.get("gitPatchId") == patch for d in subjects): return "tampered", "the evidence of another change was filed under this one"
    if not any(d.get("sha256") == digest for d in subjects): return "unbound", "the evidence is about a change that differs in white space"
    where = "this very tree" if statement["predicate"].get("verifiedTree") == tree else "another tree than this one"
    return "verified", f"{run} made it; its checks ran on {where}"

def verify(commit, keys):
    tree, parents = git("log", "-1", "--format=%T%n%P", commit).decode().split("\n")[:2]
    if " " in parents: return "unbound", "a merge has no change of its own"
    diff = git(*DIFF, parents or git("mktree").decode().strip(), commit)
    if not diff: return "unbound", "it changes nothing"
    lines = [b"@@" if line.startswith(b"@@ ") else line for line in diff.split(b"\n") if not line.startswith(b"index ")]
    digest = hashlib.sha256(b"\n".join(lines)).hexdigest()
    patch = git("patch-id", "--stable", stdin=diff).decode().split(" ")[0].strip() or digest[:40]
    if not git("rev-parse", "--verify", "--quiet", REF, ok=(0, 1)): return "unbound", "there is no evidence about this change"
    found = []
    for line in git("ls-tree", "-l", "--full-tree", REF, "--", f"{patch[:2]}/{patch}/").decode().split("\n"):
        entry = re.fullmatch(r"100644 blob ([0-9a-f]+) +(\d+)\t.*/(run_[a-z0-9]+)\.json", line)
        if entry and int(entry[2]) <= 4 << 20:
            found.append(judge(git("cat-file", "-p", entry[1]), entry[3], patch, digest, tree, keys))
    order = ("verified", "tampered", "unbound")
    return min(found, key=lambda one: order.index(one[0])) if found else ("unbound", "there is no evidence about this change")

blocks = re.findall(r"BEGIN PUBLIC KEY-----([^-]*)-----END", open(sys.argv[1]).read())
ders = [base64.b64decode("".join(block.split())) for block in blocks]
keys, codes = {hashlib.sha256(der).hexdigest(): der[-32:] for der in ders}, {"verified": 0, "unbound": 1, "tampered": 5}
single = [] if ".." in sys.argv[2] else ["-1"]
commits = git("log", "--reverse", *single, "--format=%H", "--end-of-options", sys.argv[2]).decode().split()
verdicts = [(commit, *verify(commit, keys)) for commit in commits]
for line in verdicts: print(*line)
sys.exit(max((codes[verdict] for _, verdict, _ in verdicts), default=1))
