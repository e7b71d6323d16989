#!/bin/sh
# Puts what run.sh wants into .gpu/, 36 MB in all: Deno, OpenBLAS (deno task sluice install blas) and the bench
# with all that it imports in one file. The bench looks for libraries three folders above itself.
set -eu
mkdir -p .gpu/bundle/js
deno bundle --quiet --platform deno --output .gpu/bundle/js/bench.js bench/gpu/bench.ts
[ -s .gpu/deno.xz ] || xz -T2 -6 -c "$(deno eval 'console.log(Deno.execPath())')" >.gpu/deno.xz
[ -s .gpu/openblas.xz ] || xz -6 -c .sluice/blas/scipy_openblas32/lib/libscipy_openblas.so >.gpu/openblas.xz
ls -l .gpu .gpu/bundle/js
