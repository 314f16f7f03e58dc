# syntax=docker/dockerfile:1
ARG NODE_IMAGE=docker.io/library/node:24-slim

# Compiles with everything that package-lock.json names.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY src ./src
# The build compiles the schemas of config, and runs the demo once to keep what V8 makes of the program.
COPY config ./config
COPY schemas ./schemas
RUN npm run build

# What the sidecar needs to run, and nothing else.
FROM ${NODE_IMAGE} AS production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && mkdir /var/lib/assay

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Assay" \
      org.opencontainers.image.description="A sidecar HTTP validating proxy: AI agents see only what a contract names." \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=production /app/node_modules ./node_modules
COPY --from=build /app/build/src ./build/src
COPY config ./config
COPY schemas ./schemas

# Audit records and quarantine: the only place that is written, so the root file system can be read-only.
COPY --from=production --chown=65532:65532 /var/lib/assay /var/lib/assay
RUN ln -s /var/lib/assay var
VOLUME /var/lib/assay

# A number and no name, so that Kubernetes can tell that it is not root (runAsNonRoot).
USER 65532:65532
EXPOSE 8080
# The exec form makes node process 1: SIGTERM reaches it and not a shell.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "build/src/cli/main.js", "healthcheck", "--url", "http://127.0.0.1:9090"]
ENTRYPOINT ["node", "build/src/cli/main.js"]
CMD ["serve", "--config", "config/assay.yaml"]
