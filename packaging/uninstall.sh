#!/bin/sh
# Takes an installed Cutaway away: every file that `cmake --install` listed in installed.txt beside this script, and the
# folders that are empty then. Files of the user's own in those folders stay.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ -f "$here/installed.txt" ] || { echo "uninstall.sh: there is no $here/installed.txt: this Cutaway was not put here by cmake --install" >&2; exit 1; }
prefix=$(cd "$here/../.." && pwd)
files=$(cat "$here/installed.txt")
count=0
printf '%s\n' "$files" | {
  while IFS= read -r file; do
    # A path out of the prefix can only be in a list that somebody changed.
    case "/$file/" in */../*) echo "uninstall.sh: $file leaves $prefix; it stays" >&2; continue ;; esac
    [ -e "$prefix/$file" ] || [ -L "$prefix/$file" ] || continue
    rm -f -- "$prefix/$file"
    count=$((count + 1))
  done
  echo "$count files removed from $prefix"
}
printf '%s\n' "$files" | while IFS= read -r file; do
  folder=$(dirname "$file")
  while [ "$folder" != . ] && [ "$folder" != / ]; do
    rmdir "$prefix/$folder" 2> /dev/null || break
    folder=$(dirname "$folder")
  done
done
