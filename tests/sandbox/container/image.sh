#!/usr/bin/env bash
# Makes an image of this machine's Python 3.11 and the packages of one of its environments, without
# a registry: image.sh ENGINE PYTHON NAME [FOLDER OF FURTHER PACKAGES]
set -euo pipefail
engine=$1 python=$2 name=$3 extra=${4:-}
base=$("$python" -c 'import sys; print(sys.base_prefix)')
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
libraries=$root/usr/lib/$(uname -m)-linux-gnu
mkdir -p "$root"/{usr/local/bin,usr/local/lib,usr/lib64,etc,proc,dev,sys,tmp} "$libraries"
chmod 755 "$root"
chmod 1777 "$root/tmp"
ln -s usr/lib "$root/lib"
ln -s usr/lib64 "$root/lib64"
echo 'root:x:0:0::/:/bin/sh' >"$root/etc/passwd"
cp -L "$base/bin/python3.11" "$root/usr/local/bin/python3"
tar -c -C "$base/lib" --exclude=site-packages --exclude=python3.11/test --exclude='config-*' python3.11 |
  tar -x -C "$root/usr/local/lib"
cp -a "$packages" "$root/usr/local/lib/python3.11/site-packages"
if [ -n "$extra" ]; then cp -a "$extra"/* "$root/usr/local/lib/python3.11/site-packages"; fi
find "$base/lib/python3.11/lib-dynload" "$base/bin/python3.11" -name '*.so' -o -name python3.11 |
  xargs ldd 2>/dev/null | sed -nE 's/.*=> (\/[^ ]+) .*/\1/p' | sort -u |
  grep -vE '/lib(X|tk|tcl|xcb)' | xargs -I{} cp -L {} "$libraries/"
cp -L /usr/lib/"$(uname -m)"-linux-gnu/lib{stdc++.so.6,gcc_s.so.1,gomp.so.1,rt.so.1,dl.so.2} "$libraries/" || true
cp -L /usr/lib/"$(uname -m)"-linux-gnu/lib{pthread.so.0,util.so.1} "$libraries/" || true
cp -L /lib64/ld-linux-* "$root/usr/lib64/"
quiet=()
if [ "$engine" = podman ]; then quiet=(--quiet); fi
tar -c -C "$root" . | "$engine" import "${quiet[@]}" --change 'ENV PATH=/usr/local/bin:/usr/bin' - "$name"
