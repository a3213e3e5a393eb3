# The site in a container. Rebuild it after each change of site.config.ts or public.
#
#   docker build --tag shingle .
#   docker run --read-only --tmpfs /tmp --volume shingle-data:/data --publish 3000:3000 shingle

FROM node:22.23.3-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
RUN npm prune --omit=dev

FROM node:22.23.3-bookworm-slim
WORKDIR /app
# A read-only container can write to its tmpfs at /tmp only.
ENV NODE_ENV=production \
    DATA_DIR=/data \
    NPM_CONFIG_CACHE=/tmp/npm \
    NPM_CONFIG_UPDATE_NOTIFIER=false
RUN install --directory --owner=node --group=node --mode=0700 /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/server/run.mjs ./server/run.mjs
COPY --from=build /app/server/build/stamp.mjs ./server/build/stamp.mjs
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without npm, so that SIGTERM reaches the site.
CMD ["node", "server/run.mjs", "main"]
