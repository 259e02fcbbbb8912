"""The MCP surface: tools, resources and prompts over streamable HTTP, and the stdio bridge to it."""
