#!/bin/sh
# The schema allows a plain folder name only: no slash, no dot, nothing that leads out of /var/cache.
set -eu
cache=$(sed -n 's/.*"cache" *: *"\([a-z0-9-]*\)".*/\1/p')
[ -n "$cache" ] || { echo "no cache was named" >&2; exit 2; }
folder="/var/cache/$cache"
[ -d "$folder" ] && [ ! -L "$folder" ] || { echo "$folder is not a folder" >&2; exit 2; }
before=$(du -sk "$folder" | cut -f1)
echo "removing what is in $folder ($before KiB)" >&2
find "$folder" -mindepth 1 -delete
printf '{"cache":"%s","freedKib":%d}' "$cache" "$before"
