#!/bin/bash
# Serves an empty PostgreSQL cluster of its own until its stdin ends: postgres.sh FOLDER [ADDRESS].
# FOLDER is made, and goes afterwards; the socket is in it, port 5432, user and database escrow. Prints "ready".
set -eu
# A thread of Dispatch that starts this holds back most signals, and a shell cannot let them through again.
[ -n "${LET_THROUGH:-}" ] || LET_THROUGH=1 exec python3 -c '
import os, signal, sys
signal.pthread_sigmask(signal.SIG_SETMASK, ())
os.execv(sys.argv[1], sys.argv[1:])' "$0" "$@"
folder=$1 address=${2:-}
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
[ -n "$programs" ] || { echo "there is no PostgreSQL server here"; exit 77; }
mkdir -m 755 "$folder"
as=()
# It refuses to run as root.
if [ "$(id -u)" = 0 ]; then
    chown postgres "$folder"
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
fi
cd /
"${as[@]}" "$programs/initdb" -D "$folder/data" -U escrow -A trust -E UTF8 --no-sync >/dev/null
[ -z "$address" ] || echo "host all all all trust" >>"$folder/data/pg_hba.conf"
"${as[@]}" "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses="$address" -c fsync=off \
    >"$folder/log" 2>&1 &
server=$!
# Whole in either case: a signal that comes while the end of stdin is cleaned up after would cut that short.
end() {
    kill -INT $server 2>/dev/null || true
    wait $server 2>/dev/null || true
    rm -rf "$folder"
    exit "${1:-0}"
}
trap 'end $?' EXIT
# A program that was started meanwhile may hold the other end of stdin, too: then a signal ends this.
trap end TERM
until "$programs/pg_isready" -q -h "$folder" -U escrow -d postgres; do
    kill -0 $server || { cat "$folder/log"; exit 1; }
done
"$programs/createdb" -h "$folder" -U escrow escrow
echo ready
read -r _ || true
