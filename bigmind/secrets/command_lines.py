"""Passwords that a command or a call gives away: behind an option, before a pipe, in the fixed place of an argument.

What takes no quotes has to hold a digit or a sign: words about a command follow it as well.
"""

from bigmind.secrets.findings import Form
from bigmind.text.lazy_pattern import lazy_pattern

_TYPED = r"[\"']?(?P<value>(?![\d.:]{1,60}:\d)(?=[^\s\"']{0,60}[\d@#%^&*!+~])[^\s\"'-][^\s\"']{3,255})"
_ANY = r"[\"']?(?P<value>[^\s\"']{4,256})"
_ARGUMENTS = r"\b[^\r\n|;&]{0,200}?(?<=[ \t])"


def _command(hint: str, pattern: str) -> Form:
    return Form("password", hint, lazy_pattern(pattern))


COMMAND_LINES = (
    _command(
        "curl",
        r"\bcurl\b[^\r\n]{0,200}?[ \t](?:-u|--user|-U|--proxy-user)[ \t=]{0,3}[\"']?[^\s:\"']{1,100}"
        r":(?P<value>[^\s\"']{4,256})",
    ),
    *(
        _command(client, rf"\b{client}(?:-?dump|-?admin)?\b[^\r\n]{{0,200}}?[ \t]-p{_ANY}")
        for client in ("mysql", "mariadb")
    ),
    _command("sshpass", rf"\bsshpass[ \t]{{1,3}}-p[ \t]{{0,3}}{_ANY}"),
    *(
        _command(" -p", rf"\b(?:{programs}){_ARGUMENTS}-p{between}{_TYPED}")
        for programs, between in (
            (r"(?:docker|podman|helm registry|oc|az|az acr)[ \t]{1,3}login", r"[ \t=]{0,3}"),
            (r"mongo(?:sh|[a-z]{2,7})?|rdesktop|useradd", r"[ \t=]{1,3}"),
        )
    ),
    _command(" -p", rf"\b(?:sqlcmd|bcp|(?:un)?zip|ipmitool){_ARGUMENTS}-P[ \t]{{0,3}}{_TYPED}"),
    _command(" -p", rf"\b7z[ar]?{_ARGUMENTS}-p{_TYPED}"),
    _command("ldap", rf"\bldap[a-z]{{3,8}}{_ARGUMENTS}-w[ \t]{{0,3}}{_TYPED}"),
    _command("freerdp", rf"freerdp{_ARGUMENTS}/p:{_ANY}"),
    _command("http", rf"\bhttps?(?=[ \t]){_ARGUMENTS}(?:-a|--auth)[ \t=]{{1,3}}[\"']?[^\s:\"']{{1,100}}:{_ANY}"),
    _command("openssl", rf"\bopenssl[ \t]enc{_ARGUMENTS}-k[ \t]{_TYPED}"),
    _command("-pass", rf"-pass(?:in|out)?[ \t=]{{1,3}}[\"']?pass:{_ANY}"),
    _command("smbclient", rf"\bsmbclient{_ARGUMENTS}-U[ \t]{{0,3}}[\"']?[^\s%\"']{{1,100}}%{_ANY}"),
    _command("lftp", rf"\blftp{_ARGUMENTS}-u[ \t]{{1,3}}[\"']?[^\s,\"']{{1,100}},{_ANY}"),
    _command(
        "htpasswd",
        r"\bhtpasswd[ \t]{1,3}-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}(?:[ \t]{1,3}[^\s-]\S{0,100}){1,2}"
        rf"[ \t]{{1,3}}{_TYPED}",
    ),
    _command(
        "echo",
        r"\becho[ \t]{1,3}(?:-n[ \t]{1,3})?[\"']?(?:[\w.-]{1,40}:(?=[^\r\n|]{1,300}\|[^\r\n|]{1,20}chpasswd))?"
        r"(?P<value>[^\s\"'|]{4,256})[\"']?[ \t]{0,3}\|[ \t]{0,3}"
        r"(?=(?:sudo[ \t]{1,3})?(?:chpasswd|-S)|[^\r\n|]{1,120}(?:password-stdin|with-token))",
    ),
    _command("gh secret", rf"\bgh[ \t]secret[ \t]set{_ARGUMENTS}(?:-b|--body)[ \t=]{{1,3}}{_TYPED}"),
    _command("securestring", rf"(?i)securestring(?:[ \t]{{1,3}}-string|{_ARGUMENTS}--value)?[ \t=]{{1,3}}{_TYPED}"),
    _command(
        "redis-cli",
        r"\bredis-cli(?:[ \t]{1,3}-[^\s|;&]{1,40}(?:[ \t]{1,3}[^\s|;&-][^\s|;&]{0,100})?){0,8}?"
        rf"[ \t]{{1,3}}-a[ \t=]{{0,3}}{_ANY}",
    ),
    *(
        _command(hint, rf"{before}[\"']?[\w.$#-]{{1,60}}/(?P<value>[^\s/@\"']{{3,200}})@")
        for hint, before in (
            ("sqlplus", r"\bsqlplus[ \t]{1,3}(?:-\w{1,3}[ \t]{1,3})?"),
            ("oracle:thin:", "oracle:thin:"),
        )
    ),
    _command("@tcp(", r":(?<=\w:)(?P<value>[^\s/@\"'`<>]{1,256})@tcp\("),
    _command(":5432:", r":5432:(?!\d)[^:\s]{1,60}:[^:\s]{1,60}:(?P<value>[^\s:\"'`]{4,200})"),
    _command(
        "auth=", r"\bauth=(?:\w{1,40})?\([\"'][^\"'\r\n]{1,100}[\"'],[ \t]?[\"'](?P<value>[^\"'\r\n]{4,256})[\"']"
    ),
    _command("_auth=", rf"\b(?:REDISCLI_AUTH=|NEO4J_AUTH=\w{{1,40}}/){_ANY}"),
    *(
        _command(name, rf"\b{name}[ \t]{{1,9}}{_TYPED}")
        for name in ("requirepass", "masterauth", "auth_pass", "bindpw", "rootpw")
    ),
)
