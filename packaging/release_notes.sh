#!/bin/sh
# release_notes.sh VERSION OUTPUT: writes SHA256SUMS of the packages in OUTPUT and, with these
# sums, RELEASE_NOTES.md: the version's section of CHANGELOG.md, or the section of what has
# not been released yet.
set -eu
changes=$(dirname "$0")/../CHANGELOG.md
section=Unreleased
! grep -q "^## \\[$1\\]" "$changes" || section=$1
(cd "$2" && sha256sum -- *.deb *.tar.* *.whl) >"$2/SHA256SUMS"
{
  printf '# cute %s\n' "$1"
  sed -n "/^## \\[$section\\]/,/^## \\[/{/^## \\[/!p}" "$changes"
  printf '## Files\n\n`sha256sum -c SHA256SUMS` checks them.\n\n```\n'
  cat "$2/SHA256SUMS"
  printf '```\n'
} >"$2/RELEASE_NOTES.md"
