# Sourced by the scripts beside it: the Debian packages and the toolchain they need. Quiet when nothing is missing.

complain() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# need_packages NAME… installs those that are missing.
need_packages() {
    command -v dpkg-query >/dev/null || complain "this is no Debian system; install what these packages hold: $*"
    local missing=()
    local name
    for name in "$@"; do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
    done
    ((${#missing[@]} == 0)) && return
    local manual="apt-get install -y ${missing[*]}"
    command -v apt-get >/dev/null || complain "apt-get is missing; install these packages: ${missing[*]}"
    local root=()
    if ((EUID != 0)); then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            root=(sudo -n)
        else
            complain "packages are missing and only root may install them; run: sudo $manual"
        fi
    fi
    printf 'installing %s\n' "${missing[*]}"
    local log
    log=$(mktemp)
    if ! {
        "${root[@]}" apt-get update &&
            "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
    } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        complain "the packages could not be installed (see above); try: $manual"
    fi
    rm -f "$log"
}

# need_swift MAJOR MINOR
need_swift() {
    command -v swift >/dev/null ||
        complain "the Swift toolchain is missing (swift is not in PATH); see https://www.swift.org/install/linux"
    local text
    text=$(swift --version 2>&1) || complain "swift does not start: ${text:0:200}"
    [[ $text =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] || complain "swift does not tell its version: ${text:0:200}"
    local major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
    ((major > $1 || (major == $1 && minor >= $2))) ||
        complain "Swift $major.$minor is too old; $1.$2 or newer is needed, see https://www.swift.org/install/linux"
}

# What the program is built with.
library_packages=(libserialport-dev libsqlite3-dev libsodium-dev libssl-dev libyaml-dev)
