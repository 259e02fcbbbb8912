"""A password in a command line, a variable or a connection string is masked; words about such a command stay."""

import pytest

from bigmind.secrets.masking import mask

CHOSEN = "hunter2-xk9"
COMMANDS = (
    "docker login -u ada -p {} registry.internal",
    "podman login --username ada -p {}",
    "docker login -u ada -p{} registry.internal",
    "oc login https://api.acme.io:6443 -u ada -p {}",
    "az login --service-principal -u app -p {} --tenant t",
    "mongosh -u ada -p {} mongodb://db",
    "mongosh 'mongodb://db/shop' --username ada -p '{}'",
    "mongodump -u ada -p {} --gzip",
    "mariadb -uroot -p{} shop",
    "mysql -u root -p'{}' shop",
    "redis-cli -h cache -a {} ping",
    "redis-cli --no-auth-warning -p 6380 -a {}",
    "ldapsearch -x -D cn=admin,dc=acme -w {} -b dc=acme",
    "ldapmodify -D cn=admin -w '{}' -f x.ldif",
    "sqlcmd -S db -U sa -P {} -Q 'select 1'",
    "unzip -P {} x.zip",
    "7z x -p{} a.7z",
    "http -a ada:{} GET api/x",
    "curl -u ada:{} https://x.internal",
    "openssl enc -aes-256-cbc -k {} -in a",
    "openssl pkcs12 -in a.p12 -passin pass:{}",
    "keytool -list -keystore ks -storepass {}",
    "smbclient //nas/share -U ada%{}",
    "lftp -u ada,{} sftp://nas",
    "htpasswd -b .htpasswd ada {}",
    "htpasswd -nb ada {}",
    "echo {} | docker login ghcr.io -u ada --password-stdin",
    "echo '{}' | sudo -S systemctl restart web",
    'echo "ada:{}" | chpasswd',
    "gh secret set DB_PASSWORD --body '{}'",
    'ConvertTo-SecureString "{}" -AsPlainText -Force',
    "aws ssm put-parameter --name db --type SecureString --value {}",
    "Connect-Server -User ada -Password {}",
    "setx DB_PASSWORD {}",
    "ENV DB_PASSWORD {}",
    "sqlplus scott/{}@orcl",
    "jdbc:oracle:thin:scott/{}@//db:1521/ORCL",
    "root:{}@tcp(127.0.0.1:3306)/shop?parseTime=true",
    "db.acme.io:5432:shop:ada:{}",
    "machine github.com\n  login ada\n  password {}",
    "requirepass {}",
    "masterauth {}",
    "bindpw {}",
    "requests.get(url, auth=('ada', '{}'))",
    'auth=HTTPBasicAuth("ada", "{}")',
)
VARIABLES = ("REDISCLI_AUTH", "SSHPASS", "PGPASSWORD", "MYSQL_PWD", "DBPASS", "ADMIN_PW", "RABBITMQ_DEFAULT_PASS")
NEIGHBORS = """
docker login -p reads it from the command line, so use --password-stdin
docker login first, then publish it with -p 127.0.0.1:8080:80
cat token.txt | docker login -u ada --password-stdin
echo "$CR_PAT2" | docker login ghcr.io --password-stdin
echo foo2bar | sudo tee /etc/x1
redis-cli ping
redis-cli takes the password with -a where the server asks for it
mongosh -p prompts for it
mongosh --port 27018 -p
ldapsearch -w takes it from the command line, -y from a file
zip -r out.zip . && mkdir -p build2
sqlcmd -S db -E -Q "select 1" -p 1433
openssl enc -aes-256-cbc -k is deprecated
openssl -passin env:PW1
openssl -passin pass:$PW
htpasswd -B reads it from stdin
gh secret set DB_PASSWORD < file2
ConvertTo-SecureString $env:PW1 -AsPlainText
requirepass is not set in redis7
SSHPASS=$PW1 sshpass -e ssh host
NEO4J_AUTH=none
export PW=$(pass show db1)
the -password option2 was removed
--password-file /etc/pw1
--token-ttl 24h30m
ENV PASSWORD_MIN 12chars
main.c:5432:10:error:undeclared2
https://cdn.acme.io/npm/react@18.2.0
https://9f86d081884c7d659a2feaa0c55ad015@o123.ingest.sentry.io/456
"""


@pytest.mark.parametrize("written", COMMANDS)
def test_a_password_that_a_command_names_is_masked_and_nothing_beside_it(written: str):
    masked = mask(written.format(CHOSEN))
    assert masked.text == written.format("[masked: password]")
    assert mask(masked.text).text == masked.text


@pytest.mark.parametrize("name", VARIABLES)
def test_a_password_in_a_well_known_variable_is_masked(name: str):
    for value in (CHOSEN, "Sommerwind"):
        for written in ("{}={} run", "export {}={}", "docker run -e {}={} web"):
            assert mask(written.format(name, value)).text == written.format(name, "[masked: password]")


def test_a_token_in_the_place_of_a_urls_user_is_masked():
    token = "q7Xw9Lk2" + "Pz4Rt8Yv6Nm3"
    masked = mask(f"git remote add o https://{token}@git.acme.io/shop.git")
    assert masked.text == "git remote add o https://[masked: token in a URL]@git.acme.io/shop.git"


def test_a_key_in_a_kubeconfig_is_masked_and_its_certificate_stays():
    body = "TUlJRW93SUJBQUtDQVFFQXgwMTIz" * 3
    key, certificate = (
        f"LS0tLS1CRUdJTiB{kind}{body}" for kind in ("SU0EgUFJJVkFURSBLRVktLS0tLQ", "DRVJUSUZJQ0FURS0tLS0t")
    )
    written = "client-certificate-data: {}\n    client-key-data: {}"
    assert mask(written.format(certificate, key)).text == written.format(certificate, "[masked: private key]")


def test_a_sessions_cookie_is_masked_behind_others():
    value = "q7Xw9Lk2" + "Pz4Rt8Yv6Nm3"
    for written in ("Cookie: theme=dark; sessionid={}", "curl -b 'session={}' https://x"):
        assert mask(written.format(value)).text == written.format("[masked: session cookie]")


def test_words_about_commands_stay():
    assert mask(NEIGHBORS) == (NEIGHBORS, ())
    for line in NEIGHBORS.strip().splitlines():
        assert mask(line) == (line, ())
