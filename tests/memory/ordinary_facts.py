"""What a team's memory holds of one project: no two of these exclude each other."""

ORDINARY = """
The gateway listens on port 8443.
The worker reads jobs from SQS.
We moved orders to Kafka for replay.
We upgraded the linter to Ruff 0.6 in May.
The legacy importer runs on Python 3.8 until it is removed.
CI tests against Node 18, 20 and 22.
The docs are built with Sphinx.
Node 2 of the cluster has 64 GB.
We moved to phase 2.
We now use feature branches.
We use Redis for sessions.
We use Redis for rate limiting.
The search index is rebuilt nightly.
We dropped support for Internet Explorer.
We dropped the users_old table.
We removed the sidebar.
Invoices are sent by Stripe.
Contracts are signed by Maria.
Invoices are approved by Jonas.
Reviews are done by Mira now.
Releases are signed by Jonas now.
Production deploys need approval by Mira.
Staging deploys are approved by Jonas now.
The schema is owned by Tom.
The changelog is written by Sara.
Migrations are reviewed by Tom now.
The mobile app uses React Native 0.73.
The admin panel uses React 18.
We test with Playwright.
We use pytest for the backend.
Frontend unit tests use Vitest.
Browser tests run with Playwright.
The CLI is written in Go 1.22.
The agent is written in Rust 1.78.
The build image is based on Debian 12.
The VM runs Ubuntu 22.04.
The database host runs PostgreSQL 15.
PostgreSQL 17 was evaluated in March.
We considered moving to Node 22.
We might move to Postgres.
We will upgrade to React 20 next year.
Jonas wants to move to Bun.
Maria thinks we should use Vite.
Do not use moment.js.
We do not use Jest snapshots.
Snapshots are stored in Git LFS.
The API is versioned as v2.
API v1 is read-only.
The retention is 30 days.
The free tier has 3 projects.
The paid tier has 20 projects.
Alerts go to #ops.
Incidents are tracked in Jira.
Tickets live in Linear.
The team meets on Mondays.
Standup is at 9:30.
The office is on floor 4.
We run on Kubernetes.
We run two clusters.
The staging cluster has 3 nodes.
The production cluster has 12 nodes.
The cache has a TTL of 300 seconds.
Tokens have a TTL of 900 seconds.
The upload limit is 25 MB.
The rate limit is 100 requests per second.
The timeout of the gateway is 30 seconds.
The timeout of the worker is 300 seconds.
The pool has 20 connections.
Secrets are in Vault.
Certificates are renewed by cert-manager.
Backups are made by Barman.
Logs are shipped by Vector.
Metrics are scraped by Prometheus.
Dashboards are in Grafana 11.
Traces are sampled at 10 percent.
Feature flags are handled by LaunchDarkly.
Emails are sent by Postmark.
Texts are translated by DeepL.
Der Import läuft jede Nacht.
Die API nutzt FastAPI.
Die Oberfläche nutzt Vue 3.
Wir nutzen jetzt Pull Requests.
Wir verwenden Docker für lokale Dienste.
Wir laufen auf Hetzner.
Die Tests laufen mit pytest.
Die E2E-Tests laufen mit Cypress.
Rechnungen werden von Stripe verschickt.
Der Code wird von zwei Personen geprüft.
Le site est construit avec Astro.
Les tests utilisent pytest.
Nous utilisons Docker.
The user prefers pnpm over npm.
The old repo uses npm.
The example app uses yarn.
The docs say to use npm.
We publish to npm.
The package is published on PyPI.
We migrated to main as the default branch.
We switched to trunk-based development.
We went to production in March.
We moved to Berlin in 2024.
We moved to monthly releases.
We moved to GitHub Enterprise.
We upgraded to the business plan.
We are on call every third week.
The build takes 12 minutes.
The test suite takes 4 minutes.
The deploy takes 5 minutes.
The config is in /etc/app/config.yaml.
The logs are in /var/log/app.
The script is in /opt/app/bin.
The API docs are at https://api.acme.example/docs.
The wiki is at https://wiki.acme.example.
The status page is at https://status.acme.example.
The repo is at https://github.com/acme/app.
The design is at https://figma.example/app.
Python 3.12 is required by the SDK.
The SDK supports Python 3.9 to 3.13.
The lambda runs Python 3.11.
Terraform 1.9 is pinned in CI.
The module supports Terraform 1.5.
Helm is used for charts.
We retired the old VPN.
We got rid of the monorepo.
The monorepo used Bazel 6.
Bazel is used by the mobile team.
Kafka 3 is used by analytics.
Java 17 is used by the batch jobs.
The gateway uses Java 21.
The monolith uses Java 8.
The SDK uses TypeScript 4.9.
ESLint is configured in eslint.config.js.
Prettier formats the code.
Black formats the Python code.
The black theme is the default.
The user's favourite color is black.
Jest is funny, says Jonas.
The mocha machine is broken.
Bun is served at lunch.
The code uses tabs.
YAML files use spaces.
Merge commits are allowed.
Feature branches are rebased.
The retry limit is 3.
The batch size is 500.
The queue holds 1000 jobs.
Payments are settled by Adyen.
Payments are captured by Stripe.
Refunds are handled by Sara.
Chargebacks are handled by Maria.
The roadmap is maintained by Nina.
The glossary is maintained by Ole now.
Access is granted by Nina.
Access to production is granted by Ole.
Access to staging is granted by Tom now.
""".strip().splitlines()
