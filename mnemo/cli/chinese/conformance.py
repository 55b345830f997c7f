"""The Chinese of what `mnemo conformance` says, by its English."""

CONFORMANCE = {
    "Run the specification against any MCP server.\n\n"
    "Behind -- stands the server's command line. Exit status: 0 it conforms, 1 it does not, 2 it could not be run.": (
        "按规范测试任意 MCP 服务器。\n\n-- 之后是服务器的命令行。退出状态：0 符合规范，1 不符合，2 无法运行。"
    ),
    "Only scenarios with this name, or a part of one.": "只运行名称中含有此文字的场景。",
    "Only scenarios of this capability.": "只运行此能力的场景。",
    "What every server must do, or all (without: core, and of the rest what the server offers).": (
        "每个服务器都必须做到的，或全部（不指定时：core，以及服务器提供的其余部分）。"
    ),
    "List the scenarios and run none.": "列出场景，不运行。",
    "Stop at the first failure.": "遇到第一个失败即停止。",
    "Scenarios at a time (the number of cores).": "同时运行多少个场景（默认为处理器核数）。",
    "Seconds to wait for each answer (30).": "等待每个回答的秒数（30）。",
    "An environment variable for the server.": "服务器的环境变量。",
    "Start a server for every scenario, even where one is as new.": (
        "每个场景都启动新的服务器，即使已有状态全新的服务器可用。"
    ),
    "Scenarios that may fail, with reasons.": "允许失败的场景及其原因。",
    "Write what fails now to a file.": "把现在失败的场景写入文件。",
    "Write a JUnit report (- is stdout).": "写出 JUnit 报告（- 表示标准输出）。",
    "Write a JSON report, or the list as JSON (- is stdout).": "写出 JSON 报告，或 JSON 格式的列表（- 表示标准输出）。",
    "Write a report as one HTML page (- is stdout).": "写出单个 HTML 页面的报告（- 表示标准输出）。",
    "Keep the HOME of each failed scenario and say where.": "保留每个失败场景的 HOME，并说明位置。",
    "Show each scenario with its steps.": "显示每个场景及其步骤。",
    "The current folder is not there any more; change to another one.": "当前目录已不存在；请切换到其他目录。",
    "The suite needs more packages; in a checkout of mnemo run: {here} or, once it is published: {whole}": (
        "测试套件需要更多软件包；请在 mnemo 的仓库目录中运行：{here}，或者在软件包发布之后运行：{whole}"
    ),
    "Name the server's command behind --, as in: mnemo conformance -- ./my-server --stdio": (
        "请在 -- 之后写服务器的命令，例如：mnemo conformance -- ./my-server --stdio"
    ),
    "Write -- before the server's command; without it {option} could be an option of either.": (
        "请在服务器的命令之前写 --；否则无法判断 {option} 是谁的选项。"
    ),
    "Nothing of that belongs to the profile core; leave out --profile core.": (
        "所选场景都不属于 core；请去掉 --profile core。"
    ),
    "--list runs nothing, so that there is nothing to report; --json FILE writes the list.": (
        "--list 不运行任何场景，没有可报告的结果；用 --json FILE 可以写出列表。"
    ),
    "--{one} and --{other} cannot both write to {path}.": "--{one} 和 --{other} 不能都写到 {path}。",
    "{path} is a folder; name a file in it.": "{path} 是目录；请写出其中的文件名。",
    "There is no folder for {path}.": "{path} 所在的目录不存在。",
    "{path} cannot be written.": "无法写入 {path}。",
    "{path} cannot be written: {reason}": "无法写入 {path}：{reason}",
    "A report would overwrite the list of known failures {path}.": "报告会覆盖已知失败的列表 {path}。",
    "--write-known-failures needs the whole run; leave out --fail-fast.": (
        "--write-known-failures 需要完整的运行；请去掉 --fail-fast。"
    ),
    "No list of known failures was written; it needs a run that comes to its end.": (
        "没有写出已知失败的列表；它需要一次完整的运行。"
    ),
    "Stopped; every server was ended.": "已停止；所有服务器都已结束。",
    "--env takes NAME=VALUE, not {text}": "--env 需要 NAME=VALUE，而不是 {text}",
}
