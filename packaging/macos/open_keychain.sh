#!/usr/bin/env bash
# Puts the certificate that signs into a keychain of its own, stores what notarising needs, and prints the variables that
# make_dmg.sh reads. Without keys it prints none, and says so on standard error.
set -eu
if [ -z "${CERTIFICATE:-}" ] || [ -z "${CERTIFICATE_PASSWORD:-}" ]; then
  echo "NOT SIGNED: there is no certificate." >&2
  exit 0
fi
keychain="${RUNNER_TEMP:-/tmp}/signing.keychain-db"
password="$(openssl rand -hex 24)"
file="$(mktemp)"
trap 'rm -f "$file"' EXIT
printf '%s' "$CERTIFICATE" | base64 --decode >"$file"
security create-keychain -p "$password" "$keychain"
security set-keychain-settings -lut 21600 "$keychain"
security unlock-keychain -p "$password" "$keychain"
security import "$file" -k "$keychain" -P "$CERTIFICATE_PASSWORD" -t cert -f pkcs12 -T /usr/bin/codesign >&2
security set-key-partition-list -S apple-tool:,apple: -k "$password" "$keychain" >&2
security list-keychains -d user -s "$keychain" login.keychain-db
echo "BIGMIND_SIGNING_IDENTITY=$(security find-identity -v -p codesigning "$keychain" | awk -F'"' 'NR == 1 { print $2 }')"
if [ -n "${NOTARY_ACCOUNT:-}" ] && [ -n "${NOTARY_TEAM:-}" ] && [ -n "${NOTARY_PASSWORD:-}" ]; then
  xcrun notarytool store-credentials bigmind --keychain "$keychain" --apple-id "$NOTARY_ACCOUNT" \
    --team-id "$NOTARY_TEAM" --password "$NOTARY_PASSWORD" >&2
  echo "BIGMIND_NOTARY_PROFILE=bigmind"
else
  echo "NOT NOTARISED: there is no account." >&2
fi
