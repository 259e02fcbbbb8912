"""The smallest stdio server that the MCP SDK makes: the baseline of the bridge's start."""

from mcp.server import MCPServer

server = MCPServer("smallest")


@server.tool()
def echo(text: str) -> str:
    """Give the text back."""
    return text


server.run("stdio")
