#!/usr/bin/env python3
"""check_shell.py BUILD: manual pages and completions have every program, verb and option of --help, and shells complete by them."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from built_programs import Faults, run

FAULTS = Faults()
# A line of help that begins with options: "  -o,--output FILE REQUIRED", "  --dark"
OPTION_LINE = re.compile(r"^  (-[\w-]+(?:,-[\w-]+)*)", re.MULTILINE)
LISTED_VERB = re.compile(r"^  ([a-z][\w-]*)  ", re.MULTILINE)
BOLD_OPTION = re.compile(r"\\fB((?:\\-)+[\w\\-]+)\\fR")
SHELLS = {"bash": "bash-completion/completions/{}", "zsh": "zsh/vendor-completions/_{}", "fish": "fish/vendor_completions.d/{}.fish"}


def options_of(text):
    return {name for line in OPTION_LINE.findall(text) for name in line.split(",")}


def manual_options(page):
    part = page.partition(".SH OPTIONS")[2].partition(".SH ")[0]
    return {name.replace("\\-", "-") for name in BOLD_OPTION.findall(part)}


def bash_words(file, line):
    """What bash offers for the last word of the line."""
    words = line.split(" ")
    function = "_" + re.sub(r"\W", "_", words[0])
    script = (f'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); {function} 2>/dev/null; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "--norc", "-c", script, "bash", file, *words], capture_output=True, text=True)
    return set(done.stdout.split())


def fish_words(file, line):
    script = f"source {file}; complete -C '{line}'"
    done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True)
    return {row.split("\t")[0] for row in done.stdout.splitlines()}


def check_page(folder, name, expected, verb=""):
    path = folder / "man1" / f"{name}.1"
    if not FAULTS.expect(path.exists(), f"{path.name} is not there"):
        return
    page = path.read_text()
    FAULTS.expect(manual_options(page) == expected, f"{path.name} differs from --help in {sorted(manual_options(page) ^ expected)}")
    for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"):
        FAULTS.expect(f".SH {section}\n" in page, f"{path.name} has no {section}")
    FAULTS.expect(not verb or f" {verb}\\fR " in page.replace("\\-", "-") or f" {verb} " in page.replace("\\fR", " ").replace("\\-", "-"), f"{path.name} has no synopsis of {verb}")
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], capture_output=True, text=True)
    said = [line for line in done.stdout.splitlines() if "missing date" not in line]
    FAULTS.expect(not said, f"{path.name}: {said[:2]}")


def check_words(files, line, expected):
    """Every shell offers for this line exactly, or for fish at least, what is expected."""
    offered = bash_words(files["bash"], line)
    FAULTS.expect(offered == expected, f"bash: '{line}' offers {sorted(offered ^ expected)} more or less than --help")
    offered = fish_words(files["fish"], line)
    FAULTS.expect(expected <= offered, f"fish: '{line}' does not offer {sorted(expected - offered)}")


def zsh_names(text, verb):
    """The options in the part of the zsh function for a verb; without one, of the program."""
    if verb:
        part = re.search(rf"^        {verb}\)\n(.*?) ;;$", text, re.DOTALL | re.MULTILINE)
        text = part[1] if part else ""
    elif "->verb" in text:
        text = text.partition("->verb")[0]
    return set(re.findall(r"'(?:\([^)]*\))?\*?(-[\w-]+)\[", text))


def check_program(build, component, program):
    folder = build / "shell" / component
    files = {shell: folder / "completions" / place.format(program) for shell, place in SHELLS.items()}
    for shell, path in files.items():
        if FAULTS.expect(path.exists(), f"{path} is not there"):
            done = subprocess.run([shell, "-n", path], capture_output=True, text=True)
            FAULTS.expect(done.returncode == 0, f"{path.name}: {done.stderr}")
    scratch = folder.parent
    help_text = run([build / "bin" / program, "--help"], scratch).stdout
    own, (_, _, listed) = options_of(help_text), help_text.partition("Subcommands:")
    verbs = LISTED_VERB.findall(listed)
    check_page(folder, program, own)
    zsh = files["zsh"].read_text()
    FAULTS.expect(zsh_names(zsh, "") == own, f"zsh: {program} differs from --help in {sorted(zsh_names(zsh, '') ^ own)}")
    check_words(files, f"{program} --", {name for name in own if name.startswith("--")})
    if verbs:
        FAULTS.expect(bash_words(files["bash"], f"{program} ") == set(verbs), "bash does not offer the verbs")
        FAULTS.expect(set(verbs) <= fish_words(files["fish"], f"{program} "), "fish does not offer the verbs")
        FAULTS.expect(set(re.findall(r"^        '([\w-]+):", zsh, re.MULTILINE)) == set(verbs), "zsh does not offer the verbs")
    for verb in verbs:
        expected = options_of(run([build / "bin" / program, verb, "--help"], scratch).stdout)
        FAULTS.expect(len(expected) > 1, f"{verb} --help lists no options")
        check_page(folder, f"{program}-{verb}", expected, verb)
        FAULTS.expect(zsh_names(zsh, verb) == expected, f"zsh: {verb} differs from --help in {sorted(zsh_names(zsh, verb) ^ expected)}")
        check_words(files, f"{program} {verb} --", {name for name in expected if name.startswith("--")})
    return files, verbs


def check_values(files):
    line = "cutaway-cli render model.onnx --overlay "
    FAULTS.expect({"provider", "time"} <= bash_words(files["bash"], line), "bash does not offer the overlays")
    FAULTS.expect({"provider", "time"} <= fish_words(files["fish"], line), "fish does not offer the overlays")
    FAULTS.expect(bash_words(files["bash"], "cutaway-cli render --da") == {"--dark"}, "bash does not complete --da")


def check_exit_codes(build, page):
    help_line = run([build / "bin/cutaway-cli", "--help"], page.parent).stdout.partition("Exit codes: ")[2].strip()
    told = dict(part.strip().split(" ", 1) for part in re.split(r", (?=\d)", help_line))
    text = page.read_text().partition(".SH EXIT STATUS")[2].partition(".SH ")[0]
    FAULTS.expect(set(told) == set(re.findall(r"\\fB(\d+)\\fR", text)) and len(told) >= 8, f"exit codes of --help {sorted(told)}, of the page other ones")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    missing = [tool for tool in ("mandoc", "zsh", "fish") if shutil.which(tool) is None]
    if missing:
        print(f"{', '.join(missing)} not installed: run packaging/setup.sh")
        sys.exit(1)
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        shutil.copytree(build / "shell", copy / "shell")
        (copy / "bin").symlink_to(build / "bin")
        files, verbs = check_program(copy, "cli", "cutaway-cli")
        FAULTS.expect(len(verbs) > 15, f"{len(verbs)} verbs")
        check_program(copy, "cli", "ep_weight_sharing_ctx_gen")
        if (build / "bin/cutaway").exists():
            check_program(copy, "window", "cutaway")
        check_values(files)
        check_exit_codes(copy, copy / "shell/cli/man1/cutaway-cli.1")
    FAULTS.end()


if __name__ == "__main__":
    main()
