#!/bin/sh
# SPDX-License-Identifier: MIT
# packages.sh NAME...: installs those of the named Debian packages that are missing. Calls apt-get only if some are.
set -eu

if ! command -v dpkg-query >/dev/null; then
	echo "This is not a Debian system: expecting what these packages hold to be here already: $*"
	exit 0
fi

missing=
for package in "$@"; do
	status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=none
	[ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "Missing packages, and neither root nor sudo to install them. As root: apt-get install$missing" >&2
		exit 1
	fi
	as_root=sudo
fi

echo "Installing:$missing"
# A failing update may concern a source that we do not need; the install tells.
$as_root apt-get update -q -o DPkg::Lock::Timeout=300 || true
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive \
	apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 $missing
