# Between Maru and PostgreSQL: runs a command, and ends it when standard input does, which the system sees to
# however Maru ended (kill -9 too). watchdog.ts gives this text to sh, as whoever the command runs as may not be
# allowed to read it.
#   sh -c … watchdog DIRECTORY-TO-REMOVE-AT-THE-END COMMAND ARGUMENT…

directory=$1
shift

exec 3<&0
"$@" </dev/null 2>&1 3<&- &
child=$!
# The output that Maru reads ends when the command and all of its processes have ended.
exec >/dev/null 2>&1
cd /

# The watcher inherits this and ignores the signals; this script alone decides when the command ends.
trap '' HUP INT TERM
(
  while read -r _; do :; done <&3
  exec 3<&-
  # For PostgreSQL: fast, then immediate, then what a power cut would do. Each is safe for the data.
  second=0
  while kill -0 "$child"; do
    case $second in
      0) kill -INT "$child" ;;
      20) kill -QUIT "$child" ;;
      30) kill -KILL "$child" ;;
    esac
    sleep 1
    second=$((second + 1))
  done
) &
watcher=$!
exec 3<&-

trap 'told=yes; kill -INT "$child"' HUP INT TERM
told=yes
# A signal ends the wait, not the child.
while [ -n "$told" ]; do
  told=
  wait "$child"
  status=$?
done

kill -KILL "$watcher"
[ -z "$directory" ] || rm -rf "$directory"
exit "$status"
