#!/bin/sh
# The command of a bundle: ./maru start|backup|restore|check|admin|psql|move. Its settings and data are next to its folder:
# ../.env and ../data.
here=$(dirname "$(readlink -f "$0")")
exec "$here"/node_modules/node-linux-*/bin/node "$here/bin/maru.mjs" "$@"
