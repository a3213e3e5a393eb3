#!/bin/sh
# Builds the newest version of the project, or that of a tag, beside the running one, and points /opt/shingle to it.
# Keeps site.config.ts, public and the settings, and the version before; deletes older ones that it made. Run it as root; then restart the service.
# The address of the project's repository is in /etc/shingle/repository.
set -eu
# The service's user must read what root makes here.
umask 022

root=${SHINGLE_ROOT:-} # Only tests set it.
link=$root/opt/shingle
building=$root/opt/shingle-building
trial=
current=

fail() {
  echo "$*" >&2
  exit 1
}
finish() {
  status=$?
  [ -z "$trial" ] || rm -rf "$trial"
  [ "$status" = 0 ] && return
  rm -rf "$building"
  echo "Not updated. /opt/shingle still points to $current, and the site runs on. Correct what is said above, then repeat." >&2
}

[ -w "$root/opt" ] || fail 'Run this as root.'
# The lock ends with the last program of the other update, however that ends.
exec 9>"$root/opt/shingle.lock"
flock --nonblock 9 || fail 'Another update is running. Wait until it has ended.'
current=$(readlink -f "$link")
trap finish EXIT
trap 'exit 1' HUP INT TERM
[ -L "$link" ] || fail "$link is no link to a version. Move it to $link-1, then: ln -s $link-1 $link"
[ ! -e "$current/data" ] || fail "Data is in $current/data. Move it to the DATA_DIR of /etc/shingle/env, or delete it."
[ -s "$root/etc/shingle/repository" ] ||
  fail "Write the address of the project's repository, not of your own copy, into $root/etc/shingle/repository."
repository=$(cat "$root/etc/shingle/repository")
user=$(stat --format=%U "$root/var/lib/shingle")
as_user=
[ "$user" = "$(id -un)" ] || as_user="runuser -u $user --"

# Stop before the disk is so full that the site could save nothing.
needed=$(($(du -sk "$current" | cut -f 1) / 512))
free=$(($(df -Pk "$root/opt" | awk 'NR == 2 { print $4 }') / 1024))
[ "$free" -ge "$needed" ] || fail "An update needs $needed MB, and $root/opt has $free MB free. Delete files there."

rm -rf "$building"
git clone --quiet --depth 1 ${1:+--branch "$1"} "$repository" "$building" ||
  fail "Could not fetch ${1:-the newest version} of $repository. Check the network, the address and the tag."
commit=$(git -C "$building" rev-parse HEAD)
if [ "$commit" = "$(git -C "$current" rev-parse HEAD 2>/dev/null)" ] ||
  { [ $# = 0 ] && git -C "$current" merge-base --is-ancestor "$commit" HEAD 2>/dev/null; }; then
  rm -rf "$building"
  echo "Nothing to update: $current has this version. To run it, if you have not since: systemctl restart shingle@3000"
  exit
fi

cp -R "$current/site.config.ts" "$current/public" "$building/"
chmod -R a+rX "$building/site.config.ts" "$building/public"
cd "$building"
npm ci
npm run build
cp -P "$current/.env" .

# Start it with empty data and no settings, so that nothing leaves the machine.
# The log stays outside of what that user owns, who could put a link in its place.
trial=$(mktemp -d)
chmod 711 "$trial"
mkdir "$trial/data"
chown "$user" "$trial/data"
$as_user env -i "PATH=$PATH" NODE_ENV=production "DATA_DIR=$trial/data" HOST=127.0.0.1 PORT=0 \
  timeout 60 node dist/server/main.js >"$trial/log" 2>&1 9>&- &
until grep -q 'is ready' "$trial/log"; do
  kill -0 $! 2>/dev/null || fail "The new version does not start: $(cat "$trial/log")"
  sleep 1
done
kill $!
wait $! || true

# By the version that runs now: the next one migrates the database.
cd "$current"
$as_user npm run admin -- backup

next=$root/opt/shingle-$(date -u +%Y%m%d-%H%M%S)
mv "$building" "$next"
ln -sfn "$next" "$link.new"
rm -rf "$trial"
trap - EXIT HUP INT TERM
# Unlike ln, mv replaces the link in one step.
mv -T "$link.new" "$link" || fail "Not updated: $link still points to $current."
echo "Restart the site to run $next: systemctl restart shingle@3000"
echo "To roll back: ln -sfn $current $link, and restart."
echo 'Changes of files other than site.config.ts and public were not taken over.'

# Those of this script only: a folder made by hand may hold work that is nowhere else.
day=20[0-9][0-9][0-9][0-9][0-9][0-9]
for folder in "$root"/opt/shingle-$day-[0-9][0-9][0-9][0-9][0-9][0-9]; do
  [ "$folder" != "$next" ] && [ "$folder" != "$current" ] && [ ! -e "$folder/data" ] || continue
  # A version that still runs, because the site was not restarted, is in use.
  ! ls -l /proc/[0-9]*/cwd 2>/dev/null | grep -q -- "-> $folder\$" || continue
  rm -rf "$folder"
done
