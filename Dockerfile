# The site in a container. Rebuild it after each change of site.config.ts or public.
#
#   docker build --tag shingle .
#   docker run --read-only --tmpfs /tmp --volume shingle-data:/data --publish 3000:3000 shingle

FROM node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
RUN npm prune --omit=dev
# Keeps code and licenses, which some packages have in their README, also of packages whose code is in dist too. The rest
# (types, source maps, binaries of other systems) is three quarters.
RUN find node_modules -type f ! -name '*.js' ! -name '*.cjs' ! -name '*.mjs' ! -name '*.json' \
  ! -path "*/linux-$(node --print process.arch)/*.glibc.node" ! -iname 'licen[cs]e*' ! -iname 'readme*' -delete

FROM node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c
WORKDIR /app
# Each program drops root for RUN_AS, the user node. A read-only container can write to its tmpfs at /tmp only.
ENV NODE_ENV=production \
    DATA_DIR=/data \
    RUN_AS=1000 \
    NPM_CONFIG_CACHE=/tmp/npm \
    NPM_CONFIG_UPDATE_NOTIFIER=false
RUN install --directory --owner=node --group=node --mode=0700 /data
COPY --from=build /app/package.json /app/LICENSE /app/THIRD-PARTY.md ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/server/run.mjs /app/server/drop-root.mjs ./server/
COPY --from=build /app/server/build/stamp.mjs ./server/build/stamp.mjs
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without npm, so that SIGTERM reaches the site.
CMD ["node", "server/run.mjs", "main"]
