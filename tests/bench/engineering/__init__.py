"""An invented engineer's memory of eighteen months, and judged questions to it. `python -m tests.bench questions`.

`memory/` holds what is remembered, a file for each project; `questions/` what is asked, and the names of what answers.
"""
