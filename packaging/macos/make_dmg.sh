#!/usr/bin/env bash
# Signs BigMind.app, puts it into a disk image, has Apple notarise that, and staples the ticket to it.
# Usage: packaging/macos/make_dmg.sh dist/window/BigMind.app dist/bigmind-1.2.3-macos-arm64.dmg
# Without keys it says what it left out: the image works, and Gatekeeper asks its person to allow it in the settings.
#   BIGMIND_SIGNING_IDENTITY   the certificate "Developer ID Application: …" in the keychain
#   BIGMIND_NOTARY_PROFILE     what `xcrun notarytool store-credentials` called them
set -eu
app="$1"
image="$2"
here="$(cd "$(dirname "$0")" && pwd)"

if [ -n "${BIGMIND_SIGNING_IDENTITY:-}" ]; then
  find "$app/Contents" -type f \( -name '*.dylib' -o -name '*.so' \) -exec \
    codesign --force --timestamp --options runtime --sign "$BIGMIND_SIGNING_IDENTITY" {} +
  codesign --force --timestamp --options runtime --entitlements "$here/entitlements.plist" \
    --sign "$BIGMIND_SIGNING_IDENTITY" "$app/Contents/MacOS/bigmind" "$app"
  codesign --verify --deep --strict "$app"
else
  echo "NOT SIGNED: BIGMIND_SIGNING_IDENTITY is not set."
fi

stage="$(mktemp -d)"
trap 'rm -rf "$stage"' EXIT
cp -R "$app" "$stage/"
ln -s /Applications "$stage/Applications"
hdiutil create -volname BigMind -srcfolder "$stage" -fs HFS+ -format ULMO -ov "$image"

if [ -n "${BIGMIND_SIGNING_IDENTITY:-}" ] && [ -n "${BIGMIND_NOTARY_PROFILE:-}" ]; then
  codesign --timestamp --sign "$BIGMIND_SIGNING_IDENTITY" "$image"
  xcrun notarytool submit "$image" --keychain-profile "$BIGMIND_NOTARY_PROFILE" --wait
  xcrun stapler staple "$image"
else
  echo "NOT NOTARISED: BIGMIND_SIGNING_IDENTITY and BIGMIND_NOTARY_PROFILE are not both set."
fi
