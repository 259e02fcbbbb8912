"""What the rules of betterleaks find, in a person's words."""

import re
from functools import cache

from bigmind.text.lazy_pattern import lazy_pattern

_SPELLINGS = {
    "api": "API", "aws": "AWS", "gcp": "Google Cloud", "github": "GitHub", "gitlab": "GitLab", "openai": "OpenAI",
    "pypi": "PyPI", "npm": "npm", "jwt": "JWT", "sendgrid": "SendGrid", "ibm": "IBM", "huggingface": "Hugging Face",
    "digitalocean": "DigitalOcean", "hashicorp": "HashiCorp", "mongodb": "MongoDB", "oauth": "OAuth", "id": "ID",
    "pat": "token", "url": "URL", "uri": "URI", "tf": "Terraform", "ai": "AI", "xai": "xAI", "ci": "CI", "sdk": "SDK",
    "ad": "AD", "age": "age", "nuget": "NuGet", "pkcs12": "PKCS 12", "yaml": "YAML", "openrouter": "OpenRouter",
}  # fmt: skip
_NAMES = {
    "generic-api-key": "API key",
    "generic-password": "password",
    "generic-credential-uri": "password in a URL",
    "curl-auth-header": "authorization header",
    "pkcs12-file": "private key",
    "jwt": "JWT",
    "jwt-base64": "JWT",
    "aws-access-token": "AWS key",
    "aws-secret-access-key": "AWS key",
    "kubernetes-secret-yaml": "Kubernetes secret",
    "stripe-access-token": "Stripe key",
    "gcp-api-key": "Google API key",
    "pypi-upload-token": "PyPI token",
    "npm-access-token": "npm token",
    "huggingface-access-token": "Hugging Face token",
    "telegram-bot-api-token": "Telegram bot token",
    "discord-api-token": "Discord bot token",
    "sendgrid-api-token": "SendGrid API key",
    "slack-webhook-url": "Slack webhook",
    "vault-service-token": "HashiCorp Vault token",
    "vault-batch-token": "HashiCorp Vault token",
    "hashicorp-tf-api-token": "Terraform token",
    "mailgun-private-api-token": "Mailgun API key",
    "azure-ad-client-secret": "Azure client secret",
}
_FAMILIES = ("github", "gitlab", "slack", "shopify", "square", "digitalocean", "databricks", "grafana", "twilio")
_NO_SECRETS = lazy_pattern(
    r"(?<!access-key)(?<!key)-(?:id|username|domain|host|name|address)$|-(?:instance|project|jfrog|rest)-url$|public|-pub-|^mongodb-connection-string$|^private-key$|^curl-auth-user$"
)
_LONGEST = 48


@cache
def kind_of_rule(rule: str) -> str | None:
    """A rule's kind, at most 48 characters; nothing for the rules that find names and addresses beside a secret.

    Nothing too for those that take more than the secret, which `formats` finds alone: a whole connection string, the
    user of curl, all the text between two PEM headers that are only talked about.
    """
    rule = re.sub(r"\.\d+$", "", rule)
    if rule in _NAMES:
        return _NAMES[rule]
    if _NO_SECRETS.search(rule):
        return None
    words = [_SPELLINGS.get(word, word) for word in rule.split("-")]
    if rule.split("-")[0] in _FAMILIES:
        words = [words[0], "token"]
    named = " ".join([words[0] if words[0] in _SPELLINGS.values() else words[0].capitalize(), *words[1:]])
    return named[:_LONGEST].strip()
