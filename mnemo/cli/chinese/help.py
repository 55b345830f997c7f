"""The Chinese of what commands and options are for, by its English."""

HELP = {
    "Fact memory for AI coding assistants, in Chinese and English.": "AI 编程助手的事实记忆，支持中文和英文。",
    "Commands": "命令",
    "Options": "选项",
    "Usage: ": "用法：",
    "[OPTIONS]": "[选项]",
    "COMMAND [ARGS]...": "命令 [参数]...",
    "Try '{command} --help' for help.": "用 '{command} --help' 查看帮助。",
    "Aborted!": "已中止！",
    "Please answer y (yes) or n (no).": "请回答 y（是）或 n（否）。",
    "Show this message and exit.": "显示此帮助并退出。",
    "Show the version and exit.": "显示版本并退出。",
    "Serve the memory to an MCP client.": "为 MCP 客户端提供记忆服务。",
    "Serve the memory to an MCP client on stdin and stdout.": "在标准输入和标准输出上为 MCP 客户端提供记忆服务。",
    "Show what mnemo does, on a memory of its own.": "用一份临时记忆演示 mnemo 的功能。",
    "Show what mnemo does: a real server on a temporary memory, each answer checked.": (
        "演示 mnemo 的功能：在临时记忆上运行真实的服务器，并核对每个回答。"
    ),
    "Store a fact.": "保存一条事实。",
    "Store a fact: CONTENT, or what stands in a file or on stdin.": (
        "保存一条事实：CONTENT，或者文件、标准输入中的内容。"
    ),
    "Read the fact from a file.": "从文件读取事实。",
    "Take each line of the file or of stdin as one fact.": "把文件或标准输入的每一行当作一条事实。",
    "The fact's category: identity (who you are), coding_style, tool_pref (tools), workflow, general (all else).": (
        "事实的类别：identity 用户身份、coding_style 代码风格、tool_pref 工具偏好、workflow 工作流程、general 其他。"
    ),
    "Tags, separated by commas.": "标签，用逗号分隔。",
    "A summary; a search then finds the fact by it alone.": "摘要；有摘要时，搜索只按摘要查找这条事实。",
    "Find facts.": "查找事实。",
    "Find facts for a QUERY, in Chinese or English; put -- before one that begins with a dash.": (
        "按 QUERY 查找事实，中英文均可；查询以短横线开头时，请在前面写 --。"
    ),
    "At most this many facts (10).": "最多显示多少条事实（10）。",
    "Show the factors of each score.": "显示每个分数的组成。",
    "Say why this fact is, or is not, among the results.": "说明这条事实为什么在（或不在）结果中。",
    "Search also what is only an operation (git commit).": "即使查询只是操作指令（如 git commit）也照样搜索。",
    "Only facts of this category.": "只要这个类别的事实。",
    "Only facts that have all these tags.": "只要带有全部这些标签的事实。",
    "Only facts changed since: a date, a time (UTC), or an age (7d).": (
        "只要在此之后改动过的事实：日期、时间（UTC）或时长（7d）。"
    ),
    "Only facts changed before: a date, a time (UTC), or an age (7d).": (
        "只要在此之前改动过的事实：日期、时间（UTC）或时长（7d）。"
    ),
    "Only facts of at least this trust, 0 to 1.": "只要信任度不低于此值的事实，0 到 1。",
    "Only facts of at least this trust, 0 to 1 (0.3).": "只要信任度不低于此值的事实，0 到 1（默认 0.3）。",
    "[from {low} to {high}]": "[{low} 到 {high}]",
    "[{low} or more]": "[不小于 {low}]",
    "Show facts whole.": "完整显示事实。",
    "Show facts whole, with all that is known about them.": "完整显示事实及其全部信息。",
    "List facts, most trusted first.": "列出事实，信任度高的在前。",
    "At most this many facts (20).": "最多显示多少条事实（20）。",
    "Leave out this many facts first.": "先跳过多少条事实。",
    "Change parts of a fact.": "修改事实的一部分。",
    "Change parts of a fact; what is not named stays as it is.": "修改事实的一部分；没有指明的保持不变。",
    "The fact's new text.": "事实的新内容。",
    'Its new summary; "" removes it.': '新的摘要；"" 表示删除摘要。',
    'Its new tags, separated by commas; "" removes them.': '新的标签，用逗号分隔；"" 表示删除标签。',
    "Its new category.": "新的类别。",
    "Add this to its trust (-1 to 1).": "信任度的增减量（-1 到 1）。",
    "Change a fact in your editor.": "用编辑器修改事实。",
    "Change a fact in your editor (VISUAL or EDITOR).": "用编辑器（VISUAL 或 EDITOR）修改事实。",
    "Remove facts.": "删除事实。",
    "Rate a fact as helpful or unhelpful.": "评价一条事实有用或没用。",
    "Rate a fact: helpful (trust + 0.05) or unhelpful (trust - 0.10).": (
        "评价事实：helpful 有用（信任度 + 0.05）或 unhelpful 没用（信任度 - 0.10）。"
    ),
    "Find all facts about one name.": "查找与某个名称有关的全部事实。",
    "Find all facts about one name: a project, a person, a file ...": (
        "查找与某个名称（项目、人、文件……）有关的全部事实。"
    ),
    "Find facts about names that go with one.": "查找与某个名称相关联的其他名称的事实。",
    "Find facts about names that stand together with NAME in others.": "查找曾与 NAME 一同出现的其他名称的事实。",
    "Find facts that several names share.": "查找同时涉及几个名称的事实。",
    "Find facts that several names have in common.": "查找同时涉及几个名称的事实。",
    "Find pairs of facts that may contradict each other.": "查找可能互相矛盾的事实。",
    "Find pairs of facts that may contradict each other; nothing is changed.": (
        "查找可能互相矛盾的事实；不会改动任何内容。"
    ),
    "At most this many results (10).": "最多显示多少条结果（10）。",
    "Move trust by how facts were used.": "按使用情况调整信任度。",
    "Move trust by how facts were found and rated: often found but unhelpful sinks, helpful rises, stale ages.": (
        "按检索和评价情况调整信任度：常被检索却没用的下降，有用的上升，久未使用的逐渐衰减。"
    ),
    "Only show what would change.": "只显示会有哪些变化。",
    "At most this many entries of each list (50).": "每个列表最多显示多少项（50）。",
    "Report which facts need care.": "报告哪些事实需要整理。",
    "Report which facts need care; nothing is changed.": "报告哪些事实需要整理；不会改动任何内容。",
    "Show figures of the whole memory.": "显示整份记忆的统计数据。",
    "Write all facts as JSONL, Markdown or CSV.": "把全部事实导出为 JSONL、Markdown 或 CSV。",
    "Write all facts to FILE or stdout: JSONL (a fact a line, for import and git), Markdown or CSV.": (
        "把全部事实写到 FILE 或标准输出：JSONL（每行一条，用于导入和 git）、Markdown 或 CSV。"
    ),
    "Write to this file.": "写到此文件。",
    "jsonl (complete), csv (complete) or md (to read; without trust and times).": (
        "jsonl（完整）、csv（完整）或 md（便于阅读；不含信任度和时间）。"
    ),
    "Write the versions that imports did not take instead.": "改为导出历次导入时未采用的版本。",
    "Merge facts from a file into the memory.": "把文件中的事实合并到记忆里。",
    (
        "Merge the facts of FILE (- for stdin) into the memory; the same file again changes nothing.\n\n"
        "Takes what `mnemo export` writes, the knowledge graph of server-memory, Hermes Agent's memory_store.db and "
        "other\n"
        "databases of facts, mem0's JSON, bullet lists (CLAUDE.md, AGENTS.md, MEMORY.md), ChatGPT's memories, "
        "one fact a\n"
        "line."
    ): (
        "把 FILE（- 表示标准输入）中的事实合并到记忆里；同一文件再次导入不会有任何变化。\n\n"
        "支持 `mnemo export` 写出的各种格式、server-memory 的知识图谱、Hermes Agent 的 memory_store.db 等事实数据库、"
        "mem0 的 JSON、要点列表（CLAUDE.md、AGENTS.md、MEMORY.md）、ChatGPT 的记忆，以及每行一条的文本。"
    ),
    (
        "The file's format where it is not recognised: "
        "jsonl, csv, json, server-memory, sqlite, mem0, markdown, chatgpt or lines."
    ): "无法识别时指定文件格式：jsonl、csv、json、server-memory、sqlite、mem0、markdown、chatgpt 或 lines。",
    "Only say what would happen.": "只说明会发生什么。",
    "Copy the memory, also while servers run.": "备份记忆，服务器运行时也可以。",
    "Copy the memory to FILE (or beside it, with the time in the name), also while servers run.": (
        "把记忆备份到 FILE（默认放在记忆旁边，名称带时间），服务器运行时也可以。"
    ),
    "Keep only the newest N of such copies.": "只保留最新的 N 份备份。",
    "Put a copy in the place of the memory.": "用备份替换记忆。",
    "Put the copy FILE in the place of the memory; the copy is checked, the present file is kept beside it.": (
        "用备份 FILE 替换记忆；先检查备份，现有文件会保留在旁边。"
    ),
    "Check the memory and its surroundings.": "检查记忆文件和运行环境。",
    "Check the memory and its surroundings, and say what to do; ends 1 if something is wrong.": (
        "检查记忆文件和运行环境，并说明该怎么做；有问题时退出状态为 1。"
    ),
    "Mend what is safe to mend: the index, permissions.": "修复可以安全修复的部分：索引、权限。",
    "Run the specification against any MCP server.": "按规范测试任意 MCP 服务器。",
    "Print the completion script of a shell.": "输出 shell 的补全脚本。",
    'Print the completion script of SHELL; put `eval "$(mnemo completion bash)"` into its start-up file.': (
        '输出 SHELL 的补全脚本；请把 `eval "$(mnemo completion bash)"` 写进它的启动文件。'
    ),
    "Print one JSON object; where a tool has the same action, that tool's answer.": (
        "输出一个 JSON 对象；MCP 工具有同样的操作时，与其回答相同。"
    ),
    "The memory file to use (instead of MNEMO_DB or ~/.mnemo/facts.db).": (
        "使用的记忆文件（代替 MNEMO_DB 或 ~/.mnemo/facts.db）。"
    ),
}
