"""Lines as engineers write them into instruction files, and the category that a person would give each."""

from bigmind.learning.classification import fact_category

BY_CATEGORY = {
    ("codebase", "workspace"): (
        "We use pnpm workspaces, not npm",
        "The API gateway lives in services/gateway and is written in Go",
        "Database migrations are in `db/migrations` and are run by Alembic",
        "Tests live next to the code in `*_test.go` files",
        "Errors are returned as RFC 9457 problem documents",
        "`npm run dev` starts the server on port 3000",
        "Architecture: hexagonal, with ports in `core/ports`",
        "Logging: structlog, JSON in production",
        "Instead of mocking the database we start a container with Testcontainers",
        "The frontend is a React app in apps/web",
        "Images are served by nginx on port 8080",
        "Feature flags are kept in LaunchDarkly",
        "Types are generated from the OpenAPI file with `make types`",
        "Cron jobs run in UTC",
    ),
    ("constraint", "workspace"): (
        "All public functions must have docstrings",
        "Don't touch anything under `vendor/`",
        "Never commit secrets or .env files to the repository",
        "The bundle may not exceed 250 kB gzipped",
        "Python 3.11 or newer is required",
        "Code must work on Windows, macOS and Linux",
        "Deployments to production are only allowed from main",
        "Do not add new dependencies without asking",
        "Every endpoint needs an integration test",
        "No more than 100 characters per line",
        "Access to production is not permitted from laptops",
        "Each service needs a health endpoint",
        "Reviews have to be finished within two days",
    ),
    ("decision", "workspace"): (
        "We moved from Redux to Zustand in 2024 because of the boilerplate",
        "ADR 12: events are published through the outbox table",
        "Settled on Kafka over RabbitMQ for the event bus",
        "It was agreed that prices are stored in cents as integers",
        "We switched to Vite because webpack was too slow",
        "Went with Terraform instead of Pulumi",
    ),
    ("identity", "user"): (
        "I'm a backend engineer in Berlin, mostly Go and Postgres",
        "My name is Ada and I lead the platform team",
        "I use Neovim and tmux on Arch Linux",
        "The user is colour-blind and needs high-contrast charts",
        "I maintain the billing service",
        "I'm new to Kubernetes",
    ),
    ("preference", "user"): (
        "Please keep your answers short",
        "When in doubt, ask before making large changes",
        "I dislike long explanations; show me the diff",
        "You are an expert in Rust and embedded systems",
        "Be concise and skip the pleasantries",
        "Skip explanations unless I ask for them",
        "Explain trade-offs before proposing a design",
    ),
    ("preference", "workspace"): (
        "Use 4 spaces for indentation in Python and 2 in TypeScript",
        "Run `make lint` before you push",
        "You should write tests before the implementation",
        "Prefer composition over inheritance",
        "Functional components only, no class components",
        "If a test is flaky, fix it rather than retry it",
        "Commit messages follow Conventional Commits",
        "Avoid `any` in TypeScript; use `unknown` and narrow it",
        "Make sure the changelog is updated with every user-facing change",
        "Replace magic numbers with named constants",
        "Imports should be sorted by isort",
        "Before merging, squash your commits",
        "For UI work, check the result in a browser",
        "Remove dead code when you find it",
    ),
}
MISSED = {
    # A prohibition is as often a matter of taste: "never mock" stands beside "never commit secrets".
    "Don't touch anything under `vendor/`": "preference",
    "Never commit secrets or .env files to the repository": "preference",
    "Do not add new dependencies without asking": "preference",
    "Functional components only, no class components": "codebase",
    "Before merging, squash your commits": "codebase",
}
"""What the rules make of those that they do not sort as a person would."""


def test_what_engineers_write_is_sorted_as_a_person_would_but_for_a_few() -> None:
    lines = [(line, scope, category) for (category, scope), lines in BY_CATEGORY.items() for line in lines]
    found = {line: (fact_category(line, scope), category) for line, scope, category in lines}
    assert len(found) == 60
    assert {line: given for line, (given, category) in found.items() if given != category} == MISSED
