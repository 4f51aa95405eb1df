#!/bin/sh
# SPDX-License-Identifier: MIT
# arm.sh PACKAGE...: the golden test on 64-bit ARM, in an emulator. Debian's packages for that processor are unpacked into build/arm,
# and not installed; the packages of this machine stay as they are.
set -eu
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
here=$PWD/build/arm
TALUS_SYSROOT=$here/sysroot
export TALUS_SYSROOT

# apt COMMAND...: apt-get for the other processor, with lists and files of its own
apt() {
	apt-get -q -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Install-Recommends=false \
		-o Dir::State="$here/apt" -o Dir::State::status="$here/apt/status" -o Dir::Cache="$here/apt" -o Debug::NoLocking=1 "$@"
}

if [ ! -e "$here/unpacked" ]; then
	mkdir -p "$here/apt/lists/partial" "$here/apt/archives/partial" "$TALUS_SYSROOT"
	: >"$here/apt/status"
	apt update
	apt install --download-only "$@"
	for package in "$here"/apt/archives/*.deb; do
		dpkg-deb -x "$package" "$TALUS_SYSROOT"
	done
	# links that begin at the root mean that of the other system
	find "$TALUS_SYSROOT" -type l -lname '/*' | while read -r link; do
		ln -sfr "$TALUS_SYSROOT$(readlink "$link")" "$link"
	done
	touch "$here/unpacked"
fi

export PKG_CONFIG_SYSROOT_DIR="$TALUS_SYSROOT"
export PKG_CONFIG_LIBDIR="$TALUS_SYSROOT/usr/lib/aarch64-linux-gnu/pkgconfig:$TALUS_SYSROOT/usr/share/pkgconfig"
cmake -S . -B "$here/build" -D CMAKE_TOOLCHAIN_FILE=cmake/arm.cmake -D TALUS_TESTS=ON -D TALUS_WERROR=ON
cmake --build "$here/build" --parallel "$(nproc)" --target golden_golden
# the short form: an emulator takes some ten times as long
TALUS_TEST_QUICK=1 ctest --test-dir "$here/build" -R '^golden' --no-tests=error --output-on-failure
