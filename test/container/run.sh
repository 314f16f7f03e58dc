#!/usr/bin/env bash
# Builds the image and does the main job in containers: `npm run test:container`. Takes docker or podman, whichever
# works (ENGINE=podman chooses). Where the base image cannot be pulled, one is made from Debian's and npm's packages,
# which needs root. Everything it makes has its own names and is removed, but for the images. Exits 0 only if every
# check held; its last line is `N passed, N failed`.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

NODE_VERSION=24.22.3
NPM_VERSION=11.21.2
NODE_IMAGE=${NODE_IMAGE:-docker.io/library/node:24-slim}
IMAGE=localhost/assay:test
ID=assay-test-$$
TOKEN=token-of-this-run-$$
HARDENED=(--read-only --cap-drop ALL --security-opt no-new-privileges)

work=$(mktemp -d)
passed=0 failed=0 skipped=0

say() { printf '\n== %s\n' "$*"; }
die() { printf 'FAILED: %s\n' "$*" >&2; failed=$((failed + 1)); finish; }

# check TITLE COMMAND...: one thing that has to hold.
check() {
  local title=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    printf 'ok   %s\n' "$title"
    passed=$((passed + 1))
  else
    printf 'FAIL %s\n' "$title"
    sed 's/^/       /' "$work/out"
    failed=$((failed + 1))
  fi
}

finish() {
  printf '\n%d passed, %d failed' "$passed" "$failed"
  if [ "$skipped" -gt 0 ]; then printf ', %d skipped' "$skipped"; fi
  printf '\n'
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
  exit
}

cleanup() {
  if [ -n "${ENGINE:-}" ]; then
    "$ENGINE" rm --force "$ID-upstream" "$ID-sidecar" >/dev/null 2>&1
    "$ENGINE" network rm "$ID-agent" "$ID-vendor" >/dev/null 2>&1
    "$ENGINE" volume rm "$ID-audit" >/dev/null 2>&1
  fi
  rm -rf "$work"
}
trap cleanup EXIT

# --- the engine ------------------------------------------------------------------------------------------------------

choose_engine() {
  if [ -n "${ENGINE:-}" ]; then return; fi
  if docker info >/dev/null 2>&1; then ENGINE=docker
  elif podman info >/dev/null 2>&1; then ENGINE=podman
  else die 'neither docker nor podman works here'; fi
}

# Podman's defaults ask for more than some sandboxes give: raising resource limits, and crun on a hybrid cgroup tree.
# Where a container does not start with them, runc and modest limits are tried.
tune_podman() {
  "$ENGINE" run --rm "$NODE_IMAGE" true >"$work/out" 2>&1 && return
  cat >"$work/containers.conf" <<'CONF'
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
CONF
  export CONTAINERS_CONF=$work/containers.conf
  "$ENGINE" run --rm "$NODE_IMAGE" true >>"$work/out" 2>&1 && return
  cat "$work/out" >&2
  die "$ENGINE starts no container here"
}

# --- the base image --------------------------------------------------------------------------------------------------

have_base() {
  "$ENGINE" image inspect "$NODE_IMAGE" >/dev/null 2>&1 && return
  timeout 300 "$ENGINE" pull --quiet "$NODE_IMAGE" >/dev/null 2>&1 && return
  printf '%s cannot be pulled; making one of the same shape\n' "$NODE_IMAGE"
  NODE_IMAGE=localhost/assay-node:$NODE_VERSION
  "$ENGINE" image inspect "$NODE_IMAGE" >/dev/null 2>&1 || make_base || die 'no base image could be made'
}

# Debian's minimal system with Node and npm from the npm registry: what node:24-slim holds, without Docker Hub.
make_base() (
  set -e
  root=$work/root
  platform=$(node -p 'process.platform + "-" + process.arch')
  if ! command -v debootstrap >/dev/null; then
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends debootstrap >/dev/null
  fi
  debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log"; exit 1; }
  npm pack --silent --pack-destination "$work" "node-$platform@$NODE_VERSION" "npm@$NPM_VERSION" >/dev/null
  tar -xzf "$work/node-$platform-$NODE_VERSION.tgz" -C "$root/usr/local" --strip-components=1 package/bin
  mkdir -p "$root/usr/local/lib/node_modules/npm"
  tar -xzf "$work/npm-$NPM_VERSION.tgz" -C "$root/usr/local/lib/node_modules/npm" --strip-components=1
  for tool in npm npx; do
    chmod +x "$root/usr/local/lib/node_modules/npm/bin/$tool-cli.js"
    ln -s "../lib/node_modules/npm/bin/$tool-cli.js" "$root/usr/local/bin/$tool"
  done
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
  changes=(--change 'CMD ["node"]')
  # A registry behind an authority of this machine's own has to be trusted in the image as it is here.
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    install -D -m 644 "$NODE_EXTRA_CA_CERTS" "$root/etc/ssl/extra-ca.pem"
    changes+=(--change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/extra-ca.pem')
  fi
  tar -C "$root" -c . | "$ENGINE" import "${changes[@]}" - "$NODE_IMAGE" >/dev/null
)

build() {
  local format=()
  # The OCI format has no HEALTHCHECK.
  if [ "$ENGINE" = podman ]; then format=(--format docker); fi
  "$ENGINE" build "${format[@]}" --build-arg "NODE_IMAGE=$NODE_IMAGE" --tag "$IMAGE" .
}

# --- what has to hold ------------------------------------------------------------------------------------------------

# inspected JSON-PATH EXPECTED: a value of the image's configuration, as compact JSON.
inspected() {
  local found
  found=$("$ENGINE" image inspect "$IMAGE" | node -e '
    const [image] = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const config = { ...image.Config, Healthcheck: image.Config.Healthcheck ?? image.HealthCheck ?? image.Healthcheck };
    console.log(JSON.stringify(process.argv[1].split(".").reduce((value, key) => value?.[key], config)));
  ' "$1")
  printf '%s\n' "$found"
  [ "$found" = "$2" ]
}

# Runs JavaScript in a container of the image.
in_image() { "$ENGINE" run --rm "${HARDENED[@]}" --network none --entrypoint node "$IMAGE" -e "$1"; }

only_production() {
  local manifest
  manifest=$(cat package.json)
  in_image "
    const { existsSync } = require('node:fs');
    const { dependencies, devDependencies } = $manifest;
    const missing = Object.keys(dependencies).filter((name) => !existsSync('node_modules/' + name));
    const extra = Object.keys(devDependencies).filter((name) => existsSync('node_modules/' + name));
    const sources = ['src', 'test', '.git', 'build/test'].filter(existsSync);
    console.log({ missing, extra, sources });
    process.exitCode = missing.length + extra.length + sources.length === 0 ? 0 : 1;
  "
}

start_upstream() {
  "$ENGINE" run --detach --name "$ID-upstream" --network "$ID-vendor" --network-alias upstream \
    "${HARDENED[@]}" "$IMAGE" sample-upstream --listen 0.0.0.0:9000
}

start_sidecar() {
  "$ENGINE" create --name "$ID-sidecar" --network "$ID-vendor" \
    "${HARDENED[@]}" --volume "$ID-audit:/var/lib/assay" --env "ASSAY_TOKEN=$TOKEN" \
    "$IMAGE" serve --config config/compose.yaml &&
    "$ENGINE" network connect --alias sidecar "$ID-agent" "$ID-sidecar" &&
    "$ENGINE" start "$ID-sidecar"
}

# The command of the image's own HEALTHCHECK, until it passes.
healthy() {
  local command
  mapfile -t command < <("$ENGINE" image inspect "$IMAGE" | node -e '
    const [image] = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const [kind, ...command] = (image.Config.Healthcheck ?? image.HealthCheck ?? image.Healthcheck).Test;
    if (kind !== "CMD") throw new Error(`HEALTHCHECK is ${kind}`);
    console.log(command.join("\n"));
  ')
  for _ in $(seq 60); do
    "$ENGINE" exec "$ID-sidecar" "${command[@]}" && return
    sleep 0.5
  done
  "$ENGINE" logs "$ID-sidecar"
  return 1
}

agent() {
  "$ENGINE" run --rm --network "$ID-agent" "${HARDENED[@]}" --user 65532:65532 \
    --volume "$PWD/test/container/agent.mjs:/agent.mjs:ro" \
    --env SIDECAR=http://sidecar:8080 --env UPSTREAM=http://upstream:9000 --env "ASSAY_TOKEN=$TOKEN" \
    "$NODE_IMAGE" node /agent.mjs
}

root_is_read_only() {
  "$ENGINE" exec "$ID-sidecar" node -e '
    const { writeFileSync, rmSync } = require("node:fs");
    for (const path of ["/app/x", "/app/config/x", "/etc/x"]) {
      try { writeFileSync(path, ""); console.log(path, "was written"); process.exitCode = 1; }
      catch (error) { if (error.code !== "EROFS" && error.code !== "EACCES") throw error; }
    }
    writeFileSync("/var/lib/assay/x", ""); rmSync("/var/lib/assay/x");
  '
}

# SIGTERM has to reach node: with a shell as process 1 the engine would have to kill it, and the exit code be 137.
stops_cleanly() {
  local start=$SECONDS code
  "$ENGINE" stop --time 20 "$ID-sidecar" >/dev/null || return
  code=$("$ENGINE" inspect --format '{{.State.ExitCode}}' "$ID-sidecar")
  printf 'exit %s after %d s\n' "$code" $((SECONDS - start))
  [ "$code" = 0 ] && [ $((SECONDS - start)) -lt 15 ]
}

# The volume outlives the container; its records are looked at by another one.
records_verify() {
  "$ENGINE" run --rm "${HARDENED[@]}" --network none --volume "$ID-audit:/var/lib/assay" "$IMAGE" \
    audit verify /var/lib/assay/audit.jsonl
}

compose() {
  local tool
  if [ "$ENGINE" = docker ] && docker compose version >/dev/null 2>&1; then tool=(docker compose)
  elif [ "$ENGINE" = podman ] && command -v podman-compose >/dev/null; then tool=(podman-compose)
  else
    printf 'skip docker-compose.yml: no compose tool for %s here\n' "$ENGINE"
    skipped=$((skipped + 1))
    return
  fi
  export NODE_IMAGE ASSAY_IMAGE=$IMAGE
  check "docker-compose.yml: the agent stand-in exits 0 (${tool[*]})" \
    timeout 300 "${tool[@]}" --project-name "$ID" up --no-build --exit-code-from agent
  grep -E '^(ok  |FAIL|OK:) ' "$work/out" | sed 's/^/       /'
  "${tool[@]}" --project-name "$ID" down --volumes >/dev/null 2>&1
}

# --- the run ---------------------------------------------------------------------------------------------------------

choose_engine
say "base image ($ENGINE)"
have_base
if [ "$ENGINE" = podman ]; then tune_podman; fi
printf '%s: Node %s\n' "$NODE_IMAGE" "$("$ENGINE" run --rm "$NODE_IMAGE" node --version)"

say 'build'
build || die 'the image does not build'
passed=$((passed + 1))

say 'the image'
check 'the user is a number and not root' inspected User '"65532:65532"'
check 'the process has that user' in_image 'process.exitCode = process.getuid() === 65532 && process.getgid() === 65532 ? 0 : 1'
check 'node is started without a shell' inspected Entrypoint '["node","build/src/cli/main.js"]'
check 'it serves config/assay.yaml unless told otherwise' inspected Cmd '["serve","--config","config/assay.yaml"]'
check 'it is stopped with SIGTERM' inspected StopSignal '"SIGTERM"'
check 'it has a HEALTHCHECK' inspected Healthcheck.Test '["CMD","node","build/src/cli/main.js","healthcheck","--url","http://127.0.0.1:9090"]'
check 'it has its production dependencies and nothing else' only_production
check 'the configuration of the image and every contract hold' \
  "$ENGINE" run --rm "${HARDENED[@]}" --network none --env GITHUB_TOKEN=x "$IMAGE" check

say 'the main job'
"$ENGINE" network create --internal "$ID-agent" >/dev/null || die 'no network'
"$ENGINE" network create "$ID-vendor" >/dev/null || die 'no network'
check 'the sample upstream starts' start_upstream
check 'the sidecar starts with a read-only root file system and no capability' start_sidecar
check 'its HEALTHCHECK passes' healthy
check 'its root file system cannot be written, its volume can' root_is_read_only
check 'accepted and refused calls of an agent that reaches only the sidecar' agent
sed 's/^/       /' "$work/out"
check 'SIGTERM ends it with 0' stops_cleanly
sed 's/^/       /' "$work/out"
check 'its audit records verify' records_verify

# A killed sidecar leaves its lock behind; the next one on the same volume has to get over it.
check 'it starts again' "$ENGINE" start "$ID-sidecar"
check 'it is ready again' healthy
check 'it is killed' "$ENGINE" kill --signal KILL "$ID-sidecar"
check 'it starts after that' "$ENGINE" start "$ID-sidecar"
check 'and is ready' healthy
check 'its audit records still verify' records_verify

say 'compose'
"$ENGINE" rm --force "$ID-upstream" "$ID-sidecar" >/dev/null 2>&1
compose
finish
