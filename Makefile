# SPDX-License-Identifier: MIT
# The commands of the README, around CMake.

build_packages = gcc libc6-dev make cmake pkg-config libhdf5-dev libfyaml-dev libsuitesparse-dev libcairo2-dev fonts-dejavu-core
check_packages = $(build_packages) libcmocka-dev hdf5-tools libfclib-dev librsvg2-bin binutils python3-h5py python3-yaml
check_all_packages = $(check_packages) clang libclang-rt-14-dev python3-mdanalysis
arm_packages = libc6-dev libhdf5-dev libfyaml-dev libsuitesparse-dev libcairo2-dev libcmocka-dev

cores = $(shell nproc)
jobs = release rest

.PHONY: build packages demo check check-all check-arm bench install tidy clean help

build: ## build the program and the library into build/ (the default; installs nothing)
	@command -v cmake >/dev/null || { echo "cmake is missing; 'make packages' installs all that is needed" >&2; exit 1; }
	@cmake -S . -B build >/dev/null
	@MAKEFLAGS=--no-print-directory cmake --build build --parallel $(cores)

packages: ## install the Debian packages that are missing, as root or with sudo
	@sh cmake/packages.sh $(build_packages)

demo: packages ## install what is missing, build, run the default scene, draw it
	@$(MAKE) --no-print-directory build
	build/talus run -o demo --force
	build/talus render demo -o demo/frame.png
	@echo "The picture is demo/frame.png"

check: ## install what is missing, build, run the tests; some minutes
	@sh cmake/packages.sh $(check_packages)
	@sh cmake/check.sh release

check-all: ## the same, then sanitizers, clang, a search for races, long tests; half an hour
	@sh cmake/packages.sh $(check_all_packages)
	@sh cmake/check.sh $(jobs)

check-arm: ## the golden test on 64-bit ARM, in an emulator; a quarter of an hour
	@sh cmake/packages.sh cmake pkg-config gcc-aarch64-linux-gnu qemu-user
	@sh cmake/arm.sh $(arm_packages)

bench: build ## what a contact update and a step cost on this machine
	@build/talus bench

install: build ## install program, library and headers (PREFIX=/usr/local)
	cmake --install build --prefix $(or $(PREFIX),/usr/local)
	@test -n "$(PREFIX)" || ldconfig 2>/dev/null || echo "for programs that use the shared library, run ldconfig as root"

tidy: build ## clang-tidy over all sources
	@sh cmake/packages.sh clang-tidy
	@clang-tidy --quiet -p build $(shell find src cli -name '*.c')

clean: ## remove build/ and demo/
	rm -rf build demo

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' Makefile
