"""How what is stored is shown: Markdown, times, charts, differences."""
