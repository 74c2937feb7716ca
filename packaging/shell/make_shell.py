#!/usr/bin/env python3
"""Manual pages and completions for bash, zsh and fish, from what the programs print of their options (`--option-tables`).

  make_shell.py -o FOLDER cutaway.json cutaway-cli.json ...

FOLDER/<component>/man1/*.1 and FOLDER/<component>/completions/{bash-completion,zsh,fish}/... . What the parser does not know, files and
environment, is in program_pages.json beside this script. The same tables give the same bytes.
"""
import argparse
import json
import pathlib
import re
import shutil
import sys

PAGES = json.loads(pathlib.Path(__file__).with_name("program_pages.json").read_text())
PATH_TYPES = {"FILE", "DIR", "PATH", "FOLDER", "FILE|LINE", "MODEL"}


# Manual pages

def roff(text):
    """Plain text as roff: backslashes, hyphens, and what a line must not begin with."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in text.split("\n"))


def value_word(option):
    if option["flag"]:
        return ""
    return "|".join(option["choices"]) or option["type"]


def option_head(option):
    if option["position"]:
        dots = " ..." if option["repeats"] else ""
        return f"\\fI{roff(option['position'])}\\fR{dots}"
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in option["names"])
    word = value_word(option)
    return names + (f" \\fI{roff(word)}\\fR" if word else "")


def option_text(option):
    text = option["help"] or "no description"
    facts = []
    if option["default"]:
        facts.append(f"default: {option['default']}")
    if option["limits"]:
        facts.append(option["limits"])
    if option["required"]:
        facts.append("required")
    if option["repeats"] and not option["position"]:
        facts.append("may be given several times")
    return roff(text + (f" ({', '.join(facts)})" if facts else ""))


def synopsis(command, options, verbs):
    words = [f"\\fB{roff(command)}\\fR"]
    if verbs:
        return " ".join(words + ["\\fIVERB\\fR", "[\\fIOPTIONS\\fR]"])
    words.append("[\\fIOPTIONS\\fR]")
    for option in options:
        if option["position"]:
            word = f"\\fI{roff(option['position'])}\\fR" + ("..." if option["repeats"] else "")
            words.append(word if option["required"] else f"[{word}]")
    return " ".join(words)


def rows(title, pairs):
    if not pairs:
        return []
    lines = [f".SH {title}"]
    for head, text in pairs:
        lines += [".TP", head, text]
    return lines


def examples(footer):
    _, mark, text = footer.partition("Example:")
    lines = [line.strip() for line in text.strip().split("\n") if line.strip()] if mark else []
    return [".SH EXAMPLES", ".nf", *(roff(line) for line in lines), ".fi"] if lines else []


def sentence(text):
    return roff(text[:1].upper() + text[1:] + ("" if text.endswith(".") else "."))


def manual_page(name, summary, description, table, tables, see):
    page = PAGES["programs"][tables["program"]]
    title = f'.TH "{name.upper()}" 1 "" "Cutaway {tables["version"]}" "Cutaway"'
    lines = [title, ".SH NAME", f"{roff(name)} \\- {roff(summary)}", ".SH SYNOPSIS",
             synopsis(name if table is tables else f"{tables['program']} {table['name']}", table["options"], table.get("verbs")),
             ".SH DESCRIPTION", sentence(description)]
    lines += rows("VERBS", [(f"\\fB{roff(verb['name'])}\\fR", f"{sentence(verb['help'])} See \\fB{roff(tables['program'] + '-' + verb['name'])}\\fR(1).")
                            for verb in table.get("verbs", [])])
    lines += rows("OPTIONS", [(option_head(option), option_text(option)) for option in table["options"]])
    lines += examples(table["footer"])
    lines += rows("EXIT STATUS", [(f"\\fB{each['code']}\\fR", sentence(each["meaning"])) for each in tables["exits"]])
    if table is tables:
        lines += rows("FILES", [(f"\\fI{roff(path)}\\fR", sentence(text)) for path, text in page["files"]])
    lines += rows("ENVIRONMENT", [(f"\\fB{key}\\fR", sentence(text)) for key, text in PAGES["environment"]])
    lines += [".SH SEE ALSO", ",\n".join(f".BR {roff(other)} (1)" for other in see).replace(" (1),\n", " (1),\n")]
    return "\n".join(lines) + "\n"


def manual_pages(tables):
    program = tables["program"]
    page = PAGES["programs"][program]
    yield program, manual_page(program, page["summary"], tables["help"], tables, tables, page["see"])
    for verb in tables["verbs"]:
        name = f"{program}-{verb['name']}"
        yield name, manual_page(name, verb["help"], verb["help"], verb, tables, [program])


# Completions

def takes_path(option):
    return not option["flag"] and not option["choices"] and option["type"] in PATH_TYPES


def named(options):
    return [option for option in options if option["names"]]


def quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def bash_function(program):
    return "_" + re.sub(r"\W", "_", program)


def bash_cases(options):
    """What comes after an option that takes a value."""
    lines = []
    for option in named(options):
        if option["flag"]:
            continue
        names = "|".join(option["names"])
        if option["choices"]:
            lines.append(f"      {names}) COMPREPLY=($(compgen -W {quote(' '.join(option['choices']))} -- \"$cur\")); return ;;")
        elif takes_path(option):
            lines.append(f"      {names}) compopt -o default; return ;;")
        else:
            lines.append(f"      {names}) return ;;")
    return lines


def bash_scope(label, options):
    words = " ".join(name for option in named(options) for name in option["names"])
    cases = bash_cases(options)
    lines = [f"    {label})"]
    if cases:
        lines += ['      case "$prev" in', *("  " + line for line in cases), "      esac"]
    return [*lines, f"      words={quote(words)} ;;"]


def bash_completion(tables):
    program, verbs = tables["program"], tables["verbs"]
    lines = [f"# bash completion for {program}, written from the options that the program has.",
             f"{bash_function(program)}() {{",
             '  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb="" words i',
             "  COMPREPLY=()"]
    if verbs:
        lines += ["  for ((i = 1; i < COMP_CWORD; i++)); do",
                  '    case "${COMP_WORDS[i]}" in -*) ;; *) verb=${COMP_WORDS[i]}; break ;; esac',
                  "  done"]
    lines.append('  case "$verb" in')
    lines += bash_scope("''", tables["options"])
    for verb in verbs:
        lines += bash_scope(verb["name"], verb["options"])
    lines += ["    *) compopt -o default; return ;;", "  esac",
              '  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); return; fi']
    if verbs:
        names = " ".join(verb["name"] for verb in verbs)
        lines.append(f"  if [[ -z $verb ]]; then COMPREPLY=($(compgen -W {quote(names)} -- \"$cur\")); return; fi")
    lines += ["  compopt -o default", "}", f"complete -F {bash_function(program)} {program}", ""]
    return "\n".join(lines)


def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def zsh_value(option):
    if option["flag"]:
        return ""
    if option["choices"]:
        return f":{zsh_text(option['type'] or 'value')}:({' '.join(option['choices'])})"
    action = "_files" if takes_path(option) else " "
    return f":{zsh_text(option['type'] or 'value')}:{action}"


def zsh_specs(options):
    specs = []
    for option in options:
        if option["position"]:
            specs.append(quote(f"{'*' if option['repeats'] else ''}:{zsh_text(option['position'])}:_files"))
            continue
        star = "*" if option["repeats"] else ""
        for name in option["names"]:
            others = "" if option["repeats"] or len(option["names"]) < 2 else f"({' '.join(option['names'])})"
            specs.append(quote(f"{others}{star}{name}[{zsh_text(option['help'])}]{zsh_value(option)}"))
    return specs


def zsh_arguments(options, indent):
    gap = f" \\\n{indent}  "
    return f"{indent}_arguments -s{gap}" + gap.join(zsh_specs(options))


def zsh_completion(tables):
    program, verbs = tables["program"], tables["verbs"]
    function = bash_function(program)
    lines = [f"#compdef {program}", "# Written from the options that the program has.", f"{function}() {{"]
    if not verbs:
        return "\n".join([*lines, zsh_arguments(tables["options"], "  "), "}", f'{function} "$@"', ""])
    gap = " \\\n    "
    lines += ["  local context state state_descr line", "  typeset -A opt_args",
              f"  _arguments -C{gap}" + gap.join([*zsh_specs(tables["options"]), "'1:verb:->verb'", "'*::argument:->argument'"]),
              "  case $state in", "    verb)", "      local -a verbs", "      verbs=("]
    lines += [f"        {quote(verb['name'] + ':' + verb['help'])}" for verb in verbs]
    lines += ["      )", "      _describe verb verbs ;;", "    argument)", "      case $line[1] in"]
    for verb in verbs:
        lines += [f"        {verb['name']})", zsh_arguments(verb["options"], "          ") + " ;;"]
    return "\n".join([*lines, "      esac ;;", "  esac", "}", f'{function} "$@"', ""])


def fish_option(program, option, condition):
    words = [f"complete -c {program}"] + ([f"-n {quote(condition)}"] if condition else [])
    for name in option["names"]:
        words.append(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}")
    if option["choices"]:
        words.append(f"-x -a {quote(' '.join(option['choices']))}")
    elif not option["flag"]:
        words.append("-r" + (" -F" if takes_path(option) else " -f"))
    words.append(f"-d {quote(option['help'].replace(chr(10), ' '))}")
    return " ".join(words)


def fish_completion(tables):
    program, verbs = tables["program"], tables["verbs"]
    lines = [f"# fish completion for {program}, written from the options that the program has."]
    outside = "__fish_use_subcommand" if verbs else ""
    lines += [fish_option(program, option, outside) for option in named(tables["options"])]
    for verb in verbs:
        lines.append(f"complete -c {program} -f -n {outside} -a {verb['name']} -d {quote(verb['help'])}")
    for verb in verbs:
        inside = f"__fish_seen_subcommand_from {verb['name']}"
        lines += [fish_option(program, option, inside) for option in named(verb["options"])]
    return "\n".join([*lines, ""])


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_program(folder, tables):
    program = tables["program"]
    target = folder / PAGES["programs"][program]["component"]
    for name, text in manual_pages(tables):
        write(target / "man1" / f"{name}.1", text)
    completions = target / "completions"
    write(completions / "bash-completion/completions" / program, bash_completion(tables))
    write(completions / "zsh/vendor-completions" / f"_{program}", zsh_completion(tables))
    write(completions / "fish/vendor_completions.d" / f"{program}.fish", fish_completion(tables))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="folder", type=pathlib.Path, required=True)
    parser.add_argument("tables", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    # What an option or verb that is gone left behind.
    for component in {page["component"] for page in PAGES["programs"].values()}:
        shutil.rmtree(arguments.folder / component, ignore_errors=True)
    for path in arguments.tables:
        write_program(arguments.folder, json.loads(path.read_text(encoding="utf-8")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
