"""The barest server that the SDK can make: one tool that answers at once. What start-up is measured against."""

from typing import Any

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


async def list_tools(*_: Any) -> types.ListToolsResult:
    """Answer `tools/list`."""
    return types.ListToolsResult(tools=[types.Tool(name="fact_store", input_schema={"type": "object"})])


async def call_tool(*_: Any) -> types.CallToolResult:
    """Answer `tools/call` with an empty search result."""
    return types.CallToolResult(content=[types.TextContent(type="text", text='{"results":[],"count":0}')])


async def main() -> None:
    """Serve until the client closes."""
    server: Server[Any] = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
