"""Tokens that a vendor's own letters begin, for installations without betterleaks (`libraries` says where).

They are what it finds alone and people use most: behind those letters stands one word that only a machine makes. What
has no letters of its own is found there by the word beside it only.
"""

import re
from collections.abc import Iterator

from bigmind.secrets.findings import Certainty, Finding
from bigmind.secrets.labels import kind_of_rule
from bigmind.secrets.plausibility import is_only_shown
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.small_letters import small_letters

PREFIXES = {
    "adobe-client-secret": ("p8e-",),
    "apify-api-token": ("apify_api_",),
    "aws-amazon-bedrock-api-key": ("ABSK", "bedrock-api-key-"),
    "bitbucket-data-center-token": ("BBDC-",),
    "buildkite-user-access-token": ("bkua_",),
    "cerebras-api-key": ("csk-",),
    "circleci-personal-token": ("CCIPAT_",),
    "clojars-api-token": ("CLOJARS_",),
    "cockroachlabs-cloud-api-key": ("CCDB1_",),
    "configcat-sdk-key": ("configcat-sdk-1/",),
    "datastax-astra-application-token": ("AstraCS:",),
    "deno-account-token": ("ddp_",),
    "devcycle-server-sdk-key": ("dvc_server_", "dvc_client_", "dvc_mobile_"),
    "devin-api-key": ("apk_user_", "apk_", "cog_"),
    "docker-swarm-token": ("SWMTKN-1-", "SWMKEY-1-"),
    "doppler-api-token": ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa."),
    "duffel-api-token": ("duffel_live_", "duffel_test_"),
    "dynatrace-api-token": ("dt0c01.", "dt0s16."),
    "easypost-api-token": ("EZAK", "EZTK"),
    "elastic-cloud-api-key": ("essu_",),
    "figma-personal-access-token": ("figd_",),
    "flutterwave-secret-key": ("FLWSECK_TEST-", "FLWSECK-"),
    "frameio-api-token": ("fio-u-",),
    "gcp-gemini-api-key": ("AQ.Ab8RN6",),
    "heroku-api-key": ("HRKU-",),
    "langchain-langsmith-key": ("lsv2_pt_", "lsv2_sk_"),
    "llama-cloud-api-key": ("llx-",),
    "mailersend-api-token": ("mlsn.",),
    "mercury-api-token": ("mercury_production_",),
    "mergify-application-key": ("mergify_application_key_",),
    "neon-api-key": ("napi_",),
    "netlify-access-token": ("nfp_",),
    "new-relic-api-key": ("NRAK-", "NRII-", "NRJS-"),
    "nvidia-api-key": ("nvapi-",),
    "nylas-api-key": ("nyk_",),
    "onesignal-api-token": ("os_v2_app_",),
    "onfido-api-token": ("api_live.", "api_live_ca.", "api_live_us.", "api_sandbox."),
    "openrouter-api-key": ("sk-or-v1-",),
    "openshift-user-token": ("sha256~",),
    "paddle-api-key": ("pdl_live_apikey_", "pdl_sdbx_apikey_"),
    "perplexity-api-key": ("pplx-",),
    "pinecone-api-key": ("pcsk_",),
    "pinterest-access-token": ("pina_",),
    "plaid-api-token": ("access-production-", "access-development-", "access-sandbox-"),
    "planetscale-password": ("pscale_oauth_", "pscale_pw_", "pscale_tkn_"),
    "polar-access-token": ("polar_at_", "polar_oat_", "polar_pat_"),
    "posthog-api-key": ("phx_", "phc_"),
    "postman-api-token": ("PMAK-",),
    "prefect-api-token": ("pnu_",),
    "pulumi-api-token": ("pul-",),
    "readme-api-token": ("rdme_",),
    "render-api-key": ("rnd_",),
    "replicate-api-token": ("r8_",),
    "rubygems-api-token": ("rubygems_",),
    "runpod-api-key": ("rpa_",),
    "samsara-api-token": ("samsara_api_",),
    "scalingo-api-token": ("tk-us-",),
    "sendinblue-api-token": ("xkeysib-",),
    "sentry-token": ("sntrys_", "sntryu_"),
    "shippo-api-token": ("shippo_live_", "shippo_test_"),
    "slack-session-cookie": ("xoxd-",),
    "sourcegraph-access-token": ("sgp_",),
    "supabase-management-token": ("sbp_",),
    "tailscale-api-key": ("tskey-",),
    "togetherai-api-key": ("tgp_v1_",),
    "typeform-api-token": ("tfp_",),
    "unkey-root-key": ("unkey_",),
    "upcloud-api-token": ("ucat_",),
    "val-town-api-token": ("vtwn_",),
    "vercel-token": ("vck_", "vca_", "vcr_", "vci_", "vcp_"),
    "wakatime-api-key": ("waka_",),
    "weights-and-biases-api-key": ("wandb_v1_",),
    "xai-api-key": ("xai-",),
    "xendit-api-key": ("xnd_production_", "xnd_development_"),
    "yandex-api-key": ("AQVN",),
    "zuplo-api-key": ("zpka_",),
    "1password-service-account-token": ("ops_eyJ",),
}
"""By the rules of betterleaks, from whose names people are told the kind."""

_KINDS = {prefix.lower(): rule for rule, prefixes in PREFIXES.items() for prefix in prefixes}
_HEX_KEY = lazy_pattern(r"(?<![A-Za-z0-9_-])(?:sk-[0-9a-f]{32}|sk_[0-9a-f]{48}|c[ks]_[0-9a-f]{40})(?![A-Za-z0-9_-])")
"""DeepSeek's, ElevenLabs' and WooCommerce's keys, whose letters are those of others too."""
_TOKEN = lazy_pattern(
    rf"(?<![a-z0-9_-])({'|'.join(map(re.escape, sorted(_KINDS, key=len, reverse=True)))})[a-z0-9_.~+/=:-]{{20,2000}}"
)
"""In a text of small letters. It begins with the vendor's own: what stands before them, `NAME=` or an address, is no
part of it."""
_LEAST = 20
"""Longer than what Kubernetes puts behind the name of a pod."""
_FEWEST_CHANGES = 6
_CHANGE = lazy_pattern(r"(?<=[A-Za-z])[0-9]|(?<=[0-9])[A-Za-z]|(?<=[a-z])[A-Z]")


def prefix_findings(text: str) -> Iterator[Finding]:
    """Findings of all the vendors above."""
    small = small_letters(text)
    for match in _HEX_KEY.finditer(text):
        yield Finding(*match.span(), "API key", Certainty.FORM)
    for match in _TOKEN.finditer(small):
        word, prefix = text[slice(*match.span())].rstrip(".:=/"), match[1]
        if _is_made(word[len(prefix) :]) and not is_only_shown(word):
            yield Finding(match.start(), match.start() + len(word), _kind(prefix), Certainty.FORM)


def _kind(prefix: str) -> str:
    return kind_of_rule(_KINDS[prefix]) or "API key"


def _is_made(value: str) -> bool:
    """Whether only a machine makes such a value: letters and digits change places, again and again."""
    return len(value) >= _LEAST and len(_CHANGE.findall(value)) >= min(_FEWEST_CHANGES, len(value) // 6)
