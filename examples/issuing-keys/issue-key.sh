#!/bin/sh
# Issues or verifies a key of Maru with curl, openssl and sed.
#   issue-key.sh issue REQUEST_KEY     needs MARU_PROGRAM_TOKEN, or MARU_ID and MARU_PW
#   issue-key.sh verify ISSUED_KEY     needs MARU_SERVICE_TOKEN
# MARU_URL (http://localhost:3000), ENVELOPE_KEY and ENVELOPE_IV are those of the deployment.
set -eu
url=${MARU_URL:-http://localhost:3000}
hex() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n'; }
key=$(hex "${ENVELOPE_KEY:-maru-portal-envelope-aes256-key!}")
iv=$(hex "${ENVELOPE_IV:-maru-portal-iv16}")

# A text as the inside of a JSON string: what goes in here has no line breaks.
json() { printf %s "$1" | sed 's/\\/\\\\/g; s/"/\\"/g'; }
# field NAME: its value in the JSON text that comes in, which holds no quotes.
field() { sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p"; }

# call PATH JSON [HEADER]: prints the opened answer; on a refusal prints it and ends.
call() {
  # By a file and not as an argument, which others on this machine could read.
  data=$(printf %s "$2" | openssl enc -aes-256-cbc -K "$key" -iv "$iv" -base64 -A)
  answer=$(printf '{"DATA":"%s"}' "$data" |
    curl -sS -X POST "$url/api$1" -H 'Content-Type: application/json' ${3:+-H "$3"} --data-binary @-)
  opened=$(printf %s "$answer" | field DATA)
  if [ -z "$opened" ]; then
    printf '%s\n' "$answer" >&2
    exit 1
  fi
  printf %s "$opened" | openssl enc -d -aes-256-cbc -K "$key" -iv "$iv" -base64 -A
}

case ${1:-} in
issue)
  request="{\"REQUEST_KEY\":\"$(json "$2")\"}"
  if [ -n "${MARU_PROGRAM_TOKEN:-}" ]; then
    call /kmn/v1/ins/Key "$request" "Authorization: Bearer $MARU_PROGRAM_TOKEN"
    echo
    exit
  fi
  login=$(call /stm/v1/login "{\"ID\":\"$(json "$MARU_ID")\",\"PW\":\"$(json "$MARU_PW")\"}")
  session="SessionId: $(printf %s "$login" | field SESSION_UID)"
  call /kmn/v1/ins/Key "$request" "$session"
  echo
  call /stm/v1/logout '{}' "$session" >/dev/null
  ;;
verify)
  call /kmn/v1/chk/Key "{\"ISSUED_KEY\":\"$(json "$2")\"}" "Authorization: Bearer $MARU_SERVICE_TOKEN"
  echo
  ;;
*)
  echo "Usage: $0 issue REQUEST_KEY | verify ISSUED_KEY" >&2
  exit 2
  ;;
esac
