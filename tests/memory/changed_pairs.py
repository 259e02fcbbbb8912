"""Pairs of facts from a month of work, the older one first: what changed meanwhile, and what only looks like it."""

CHANGED = [
    (
        "shop-api uses asyncpg for PostgreSQL access.",
        "shop-api uses psycopg 3 for PostgreSQL access instead of asyncpg.",
    ),
    (
        "shop-api uses asyncpg for PostgreSQL access.",
        "shop-api talks to the database through psycopg 3 and no longer through asyncpg.",
    ),
    ("shop-api uses asyncpg for PostgreSQL access.", "We replaced asyncpg with psycopg 3 in shop-api."),
    ("shop-api uses asyncpg for PostgreSQL access.", "In shop-api, asyncpg was replaced by psycopg 3."),
    (
        "The production database of shop-api runs on PostgreSQL 14 at db-1.acme.internal.",
        "The production database of shop-api runs on PostgreSQL 16 at db-2.acme.internal since November.",
    ),
    (
        "We deploy shop-api on Fridays only after the smoke test has passed.",
        "We no longer deploy on Fridays; deploys happen Monday to Thursday.",
    ),
    (
        "The rate limit of the payment provider is 100 requests per second.",
        "The payment provider raised our rate limit to 250 requests per second.",
    ),
    ("Maria is the on-call lead of shop-api.", "Jonas took over as on-call lead of shop-api from Maria."),
    ("Maria is the on-call lead of shop-api.", "Jana is the on-call lead of shop-api."),
    ("The session store of shop-api is Redis.", "We moved the session store from Redis to PostgreSQL."),
    ("The team uses npm.", "The team switched from npm to pnpm in October."),
    ("Sessions live in Redis in shop-api.", "shop-api retired Redis; sessions are rows in PostgreSQL."),
    ("Die Sitzungen von shop-api liegen in Redis.", "Die Sitzungen von shop-api liegen nicht mehr in Redis."),
    ("Code style is enforced by black and flake8.", "We use ruff instead of black and flake8."),
    ("The build uses webpack.", "The build switched to Vite, webpack is gone."),
    ("The build uses webpack.", "The build switched to Vite."),
    ("The staging environment is in eu-west-1.", "The staging environment moved to eu-central-1."),
    ("The support bot uses GPT-4.", "The support bot now uses Claude."),
    ("PRs need two approvals.", "PRs need only one approval since the team shrank."),
    (
        "Deploys are done by hand with a script.",
        "Deploys are automated in GitHub Actions, not done by hand any more.",
    ),
    ("Sara is the product owner of checkout.", "Tom replaced Sara as product owner of checkout."),
]

UNCHANGED = [
    ("The session store of shop-api is Redis.", "The cart service moved from Redis to Memcached."),
    ("Service 1 runs on port 9001 in Frankfurt.", "Service 2 runs on port 9002 in Frankfurt."),
    ("Anna is the reviewer of Python code.", "Ben is the reviewer of Go code."),
    ("The billing API uses asyncpg for PostgreSQL access.", "The reporting job uses psycopg instead of asyncpg."),
    ("We deploy billing with Helm.", "We no longer deploy on Fridays."),
    (
        "The audit of the payment service in 2023 found 12 issues.",
        "The audit of the payment service in 2024 found 9 issues.",
    ),
    ("Node 1 of the cluster runs PostgreSQL 14.", "Node 2 of the cluster runs PostgreSQL 16."),
    ("We left Kafka because five people cannot run it.", "We use Redis Streams instead of Kafka for order events."),
    ("The frontend runs on Vercel.", "The frontend now uses Tailwind."),
    ("The user uses Vim.", "The user switched to Linux."),
    ("The build takes 12 minutes.", "The build switched to Vite."),
    ("Secrets live in HashiCorp Vault.", "The build secrets moved to GitHub Actions."),
    ("Anna approves production releases.", "Anna moved from Berlin to Munich."),
    ("The cart keeps prices for 30 minutes.", "Prices in the catalog are changed from the back office."),
]
