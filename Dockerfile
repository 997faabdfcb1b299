# The service alone: TypeScript runs as it is, so there is nothing to build. PostgreSQL is named by DATABASE_URL.
FROM node:26-slim AS packages
WORKDIR /atrium
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM node:26-slim
ENV NODE_ENV=production PORT=8080
WORKDIR /atrium
COPY --from=packages /atrium/node_modules node_modules
COPY package.json LICENSE ./
COPY db/migrations db/migrations
COPY src src
COPY openapi.json start.js ./
# Where a volume for uploads may be mounted; a new volume takes over the owner.
RUN mkdir /files && chown node:node /files
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "start.js"]
