"""A team's process with a gate of each level: what closes the end, what warns, what informs."""

from tests.work.office import Office, Worker

LETTER = """process: letter
version: 1
roles: [dev, qa]
forced_by: [human]
states:
  draft: {begins: true}
  writing: {claimed: true}
  reading: {reviews: true}
  sent: {final: true}
transitions:
  - {from: draft, to: writing, by: [dev], gates: [memory_queried], label: Claim}
  - from: writing
    to: reading
    by: [dev]
    gates:
      - {field: {name: report, level: MUST_BY_END}}
      - {field: {name: summary, level: SHOULD}}
      - {field: {name: extra, level: MAY}}
    effects: [{set_role: qa}]
    label: Hand over
  - {from: reading, to: sent, by: [qa, human], gates: [other_agent], label: Send}
"""
TITLE = "Announce the telemetry of kestrels"


def letter(office: Office) -> str:
    """A letter, in draft; its slug."""
    office.person("work_take_process", text=LETTER, replaces=0, agents_may_create=True)
    return office.task(TITLE, "letter")


def claimed_letter(office: Office, worker: Worker) -> str:
    """The same, held by a worker."""
    slug = letter(office)
    worker.ask(TITLE)
    worker.moves(slug, "writing")
    return slug
