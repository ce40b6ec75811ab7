# syntax=docker/dockerfile:1
# The web process and the worker, from one image: see docs/operators.md, "Containers".

FROM node:20-bookworm-slim AS build
# Only where a package has nothing prebuilt for this platform.
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json ./
# `npm ci` refuses a lock that names the optional packages of one platform only; `npm install` takes the versions of the same lock.
RUN npm ci --omit=dev --no-audit --no-fund || npm install --no-save --omit=dev --no-audit --no-fund
COPY . .
RUN node bin/build.mjs && rm -rf .next/cache

FROM node:20-bookworm-slim AS run
# bubblewrap isolates runs, where the container is allowed namespaces of its own; strace and iproute2 are for dry runs; git and ssh read
# catalog sources.
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap strace iproute2 git openssh-client && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 skillgate && useradd --uid 10001 --gid 10001 --create-home skillgate \
  && mkdir /data /keys /work && chown 10001:10001 /data /keys /work && chmod 700 /data /keys
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 SKILLGATE_DATA=/data SKILLGATE_WORK_DIR=/work
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/package.json /app/next.config.mjs /app/security-headers.mjs ./
COPY --from=build /app/bin bin
COPY --from=build /app/prisma/migrations prisma/migrations
COPY --from=build /app/public public
COPY --from=build /app/.next .next
COPY --from=build /app/.build .build
USER 10001:10001
EXPOSE 3000
VOLUME ["/data"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/serve.mjs"]
