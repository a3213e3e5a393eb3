#!/bin/sh
# Builds the newest version, or the one of a tag, beside /opt/shingle, and points /opt/shingle to it. Keeps
# site.config.ts, public and the settings. Run it as root; then restart the service.
set -eu

current=$(readlink -f /opt/shingle)
next=/opt/shingle-$(date -u +%Y%m%d-%H%M%S)
git clone --depth 1 ${1:+--branch "$1"} "$(git -C "$current" remote get-url origin)" "$next"
cp -R "$current/site.config.ts" "$current/public" "$next/"
cd "$next"
npm ci
npm run build
ln -s /etc/shingle/env .env

# By the version that runs now: the next one migrates the database.
cd "$current"
runuser -u shingle -- npm run admin -- backup
ln -sfn "$next" /opt/shingle
echo "Restart the site to run $next. To roll back: ln -sfn $current /opt/shingle"
