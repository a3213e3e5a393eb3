#!/bin/sh
# Calls the API: SHINGLE_URL=https://www.your-domain.com SHINGLE_KEY=<your API key> sh examples/curl.sh
set -eu

call() {
  path=$1
  shift
  curl --silent --show-error --fail-with-body --header "Authorization: Bearer $SHINGLE_KEY" "$@" "$SHINGLE_URL$path"
  echo
}

call '/api/analytics/dashboard?startDate=2026-01-01T00:00:00Z'
call /api/messages/unread
call /api/bookings
call /api/analytics/sales.csv
# This sale counts on the dashboard: omit it on a live site.
call /api/conversions --header 'Content-Type: application/json' \
  --data '{ "id": "example-2", "amount": 4900, "currency": "USD", "source": "example" }'
