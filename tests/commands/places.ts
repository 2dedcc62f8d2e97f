// Every place of the shell's grammar where text may stand, filled with every way to run a program there. A real bash says
// which of the lines run it; each of those must be asked about.

/** Places for a piece of text; `#` stands for it. */
const wordPlaces: readonly string[] = [
  "echo #",
  'echo "#"',
  "echo a#b",
  "x=#",
  'x="#"; echo "$x"',
  "x=(#)",
  "x[0]=#",
  "declare x=#",
  "export x=#",
  "local x=#",
  "readonly x=#",
  "for i in #; do :; done",
  "for i in a #; do :; done",
  "case # in a) ;; esac",
  "case a in #) ;; esac",
  "[[ # == a ]]",
  "[[ a == # ]]",
  "[[ a =~ # ]]",
  "[[ -n # ]]",
  "[ # = a ]",
  "test -n #",
  "cat < #",
  "echo a > #",
  "cat <<< #",
  'cat <<< "#"',
  "echo {a,#}",
  "echo a#{1..2}",
  "cat <<E\n#\nE",
  "cat <<-E\n\t#\n\tE",
  'cat <<E\na "#" b\nE',
  "cat <<E\n'#'\nE",
  "printf '%s' #",
  "if [ # ]; then :; fi",
  "while [ # ]; do break; done",
  "until true #; do :; done",
  "echo ~#",
  "echo *#",
  "f() { echo #; }; f",
  "( echo # )",
  "{ echo #; }",
  "echo a | cat #",
  "true && echo #",
  "false || echo #",
  "! echo #",
  "time echo #",
  "select i in #; do break; done < /dev/null",
  "a=1 b=# true",
  "echo $(echo #)",
  "echo `echo #`",
  "cat <(echo #)",
  "set -- #",
  "shift #",
  "eval echo #",
  "trap 'echo #' EXIT",
  "coproc echo #",
];
/** Places inside an expansion. */
const expansionPlaces: readonly string[] = [
  "${x:-#}",
  "${x-#}",
  "${x:=#}",
  "${x=#}",
  "${PWD:+#}",
  "${PWD+#}",
  "${PWD##}",
  "${PWD#*#}",
  "${PWD###}",
  "${PWD%#}",
  "${PWD%%#}",
  "${PWD/#/a}",
  "${PWD/a/#}",
  "${PWD//#/a}",
  "${PWD/##/a}",
  "${PWD/%#/a}",
  "${PWD^#}",
  "${PWD^^#}",
  "${PWD,#}",
  "${PWD,,#}",
  "${PWD:#}",
  "${PWD:0:#}",
  "${x:?#}",
  "${x?#}",
  "${a[#]}",
  "${a[@]:#}",
  "${x:-${y:-#}}",
  "${x:-a#b}",
  '${x:-"#"}',
  "$((#))",
  "$((1+#))",
  "$(( a[#] ))",
  "$[#]",
  "$(echo #)",
  "${x:-`echo #`}",
];
/** Ways to run a program named evil. */
const payloads: readonly string[] = [
  "$(evil)",
  "`evil`",
  "$(echo a; evil)",
  "$( (evil) )",
  '$(: ")"; evil)',
  "$(: ')'; evil)",
  "$(case a in a) evil;; esac)",
  "$(# it's\nevil)",
  "${x:-$(evil)}",
  "${x:-`evil`}",
  "$(echo `evil`)",
  "`echo $(evil)`",
  "$((0+$(evil >&2; echo 1)))",
  "$(evil & wait)",
  "$(true && evil)",
  "$(x=1 evil)",
];
const quotings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `"${text}"`,
  (text) => `'${text}'`,
  (text) => `"'${text}'"`,
  (text) => `a${text}b`,
];

const fill = (place: string, text: string): string => {
  // `${PWD##}` has the operator `#`; the last `#` of a place is the one to fill.
  const at = place.lastIndexOf("#");
  return place.slice(0, at) + text + place.slice(at + 1);
};

/** All lines, in a fixed order. */
export function* placedLines(): Generator<string> {
  for (const payload of payloads)
    for (const quoting of quotings) {
      const text = quoting(payload);
      for (const place of wordPlaces) {
        yield fill(place, text);
        for (const inner of expansionPlaces) yield fill(place, fill(inner, text));
      }
      for (const inner of expansionPlaces) {
        yield `echo ${fill(inner, text)}`;
        yield `x=${fill(inner, text)}`;
        yield `echo "${fill(inner, text)}"`;
        for (const outer of expansionPlaces) yield `echo "${fill(outer, fill(inner, text))}"`;
      }
    }
  yield* arithmeticLines();
}

/** Arithmetic evaluates what variables hold. */
function* arithmeticLines(): Generator<string> {
  for (const value of ["'a[$(evil)]'", '"a[\\$(evil)]"', "'a[`evil`]'", "$'a[\\x24(evil)]'"])
    for (const use of [
      "(( x ))",
      "echo $((x))",
      "echo $[x]",
      "[[ $x -eq 0 ]]",
      "[[ x -gt 1 ]]",
      "echo ${PWD:x}",
      "echo ${PWD:0:x}",
      "b[x]=1",
      "echo ${b[x]}",
      "declare -i n=x",
      "let n=x",
      "for ((i=x; i<0; i++)); do :; done",
      "(( n = x ))",
      "(( b[x] ))",
      '[ -v "$x" ]',
      "test -v $x",
      "[[ -v $x ]]",
      "unset $x",
      'printf -v "$x" a',
      'read "$x" <<< a',
      "echo $((n+=x))",
    ])
      yield `x=${value}; ${use}`;
}
