"""The Chinese of everything that the command line says, by its English."""

from mnemo.cli.chinese_demo import DEMO
from mnemo.cli.chinese_fields import FIELDS
from mnemo.cli.chinese_findings import FINDINGS

_HELP = {
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
    "The fact's category.": "事实的类别。",
    "Tags, separated by commas.": "标签，用逗号分隔。",
    "A summary; a search then finds the fact by it alone.": "摘要；有摘要时，搜索只按摘要查找这条事实。",
    "Find facts.": "查找事实。",
    "Find facts for a QUERY, in Chinese or English; put -- before one that begins with a dash.": (
        "按 QUERY 查找事实，中英文均可；查询以短横线开头时，请在前面写 --。"
    ),
    "At most this many facts (10).": "最多显示多少条事实（10）。",
    "Show the factors of each score.": "显示每个分数的组成。",
    "Say why this fact is, or is not, among the results.": "说明这条事实为什么在（或不在）结果中。",
    "Search also what is only an operation (git commit).": "只是操作的查询（如 git commit）也照样搜索。",
    "Only facts of this category.": "只要这个类别的事实。",
    "Only facts that have all these tags.": "只要带有全部这些标签的事实。",
    "Only facts changed since: a date, a time, or an age (7d).": "只要在此之后改动过的事实：日期、时间或时长（7d）。",
    "Only facts changed before: a date, a time, or an age (7d).": "只要在此之前改动过的事实：日期、时间或时长（7d）。",
    "Only facts of at least this trust (0 to 1).": "只要信任度不低于此值的事实（0 到 1）。",
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
    "Add this to its trust (-1 to 1).": "给信任度加上此值（-1 到 1）。",
    "Change a fact in your editor.": "用编辑器修改事实。",
    "Change a fact in your editor (VISUAL or EDITOR).": "用编辑器（VISUAL 或 EDITOR）修改事实。",
    "Remove facts.": "删除事实。",
    "Rate a fact as helpful or unhelpful.": "评价事实有用还是没用。",
    "Rate a fact: helpful (trust + 0.05) or unhelpful (trust - 0.10).": (
        "评价事实：helpful 有用（信任度 + 0.05）或 unhelpful 没用（信任度 - 0.10）。"
    ),
    "Find all facts about one name.": "查找关于一个名称的全部事实。",
    "Find all facts about one name: a project, a person, a file ...": (
        "查找关于一个名称（项目、人、文件……）的全部事实。"
    ),
    "Find facts about names that go with one.": "查找与一个名称相关的名称的事实。",
    "Find facts about names that stand together with NAME in others.": "查找与 NAME 一同出现过的其他名称的事实。",
    "Find facts that several names share.": "查找几个名称共有的事实。",
    "Find facts that several names have in common.": "查找几个名称共同出现的事实。",
    "Find pairs of facts that may contradict each other.": "查找可能互相矛盾的事实。",
    "Find pairs of facts that may contradict each other; nothing is changed.": (
        "查找可能互相矛盾的事实；不会改动任何内容。"
    ),
    "At most this many results (10).": "最多显示多少条结果（10）。",
    "Move trust by how facts were used.": "按使用情况调整信任度。",
    "Move trust by how facts were found and rated: often found but unhelpful sinks, helpful rises, stale ages.": (
        "按检索和评价情况调整信任度：常被检索却没用的下降，有用的上升，久未使用的老化。"
    ),
    "Only show what would change.": "只显示会有哪些变化。",
    "At most this many entries of each list (50).": "每个列表最多显示多少项（50）。",
    "Report which facts need care.": "报告哪些事实需要整理。",
    "Report which facts need care; nothing is changed.": "报告哪些事实需要整理；不会改动任何内容。",
    "Show figures of the whole memory.": "显示整个记忆的统计数字。",
    "Write all facts as JSONL, Markdown or CSV.": "把全部事实导出为 JSONL、Markdown 或 CSV。",
    "Write all facts to FILE or stdout: JSONL (a fact a line, for import and git), Markdown or CSV.": (
        "把全部事实写到 FILE 或标准输出：JSONL（每行一条，用于导入和 git）、Markdown 或 CSV。"
    ),
    "Write to this file.": "写到此文件。",
    "jsonl (complete, for import), md or csv.": "jsonl（完整，可导入）、md 或 csv。",
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
    "Check the memory and its surroundings.": "检查记忆及其环境。",
    "Check the memory and its surroundings, and say what to do; ends 1 if something is wrong.": (
        "检查记忆及其环境，并说明该怎么做；有问题时以 1 退出。"
    ),
    "Mend what is safe to mend: the index, permissions.": "修复可以安全修复的部分：索引、权限。",
    "Run the specification against any MCP server.": "对任意 MCP 服务器运行规范测试。",
    "Print the completion script of a shell.": "输出 shell 的补全脚本。",
    'Print the completion script of SHELL; put `eval "$(mnemo completion bash)"` into its start-up file.': (
        '输出 SHELL 的补全脚本；请把 `eval "$(mnemo completion bash)"` 写进它的启动文件。'
    ),
    "Print one JSON object, the same as the MCP tool gives.": "输出一个 JSON 对象，与 MCP 工具的回答相同。",
    "The memory file to use (instead of MNEMO_DB or ~/.mnemo/facts.db).": (
        "使用的记忆文件（代替 MNEMO_DB 或 ~/.mnemo/facts.db）。"
    ),
}

_WORDS = {
    "id": "编号",
    "ids": "编号",
    "score": "分数",
    "trust": "信任度",
    "category": "类别",
    "fact": "事实",
    "facts": "事实",
    "names": "名称",
    "ok": "正常",
    "warning": "警告",
    "error": "错误",
    "Note: ": "注意：",
}

_ANSWERS = {
    "Added fact {id} ({category}).": "已添加事实 {id}（{category}）。",
    "Fact {id} already says this; nothing was changed.": "事实 {id} 已有同样的内容；没有任何改动。",
    "Similar: fact {id}: {content}": "相似：事实 {id}：{content}",
    "Updated fact {id}.": "已更新事实 {id}。",
    "Removed fact {id}.": "已删除事实 {id}。",
    "Trust of fact {id}: {old} -> {new}": "事实 {id} 的信任度：{old} -> {new}",
    "{count} of {total} facts": "{total} 条事实中的 {count} 条",
    "{count} facts": "{count} 条事实",
    "1 fact": "1 条事实",
    "No facts found.": "没有找到事实。",
    "fact {id} took its place": "已被事实 {id} 取代",
    "The content has more than {most} characters; give it a summary (--summary), or store it as several facts.": (
        "内容超过 {most} 字；请提供摘要（--summary），或拆分为多条事实。"
    ),
    "No contradictions found.": "没有发现矛盾。",
    "Nothing was changed.": "没有任何改动。",
    "Stopped; what was done so far is kept.": "已停止；到目前为止完成的部分已保留。",
    "The query is only an operation, so it was not searched; --all searches it all the same.": (
        "查询只是一个操作，因此没有搜索；用 --all 可以照样搜索。"
    ),
    "Fact {fact_id} is result {rank}, with the score {score}.": "事实 {fact_id} 是第 {rank} 个结果，分数 {score}。",
    "The query is only an operation, so nothing is searched; --all searches it all the same.": (
        "查询只是一个操作，因此不搜索；用 --all 可以照样搜索。"
    ),
    "Its trust {trust} is below {min_trust}; --min-trust 0 searches it too.": (
        "它的信任度 {trust} 低于 {min_trust}；用 --min-trust 0 也会搜索它。"
    ),
    "Its category is {category}, not {wanted}.": "它的类别是 {category}，不是 {wanted}。",
    "It does not have the tag {tag}.": "它没有标签 {tag}。",
    "It was last changed at {changed}, outside of the time asked for.": (
        "它最后改动于 {changed}，不在所要的时间范围内。"
    ),
    "Fact {newer} took its place, so it is hidden; `mnemo list --superseded` shows it.": (
        "事实 {newer} 取代了它，因此它被隐藏；`mnemo list --superseded` 可以显示它。"
    ),
    "It expired at {expired}, so it is hidden; `mnemo update {fact_id} --expires ''` shows it again.": (
        "它在 {expired} 已过期，因此被隐藏；`mnemo update {fact_id} --expires ''` 可以重新显示它。"
    ),
    "The query has no word to search for.": "查询中没有可搜索的词。",
    "Only its content has the words ({words}); a fact with a summary is found by its summary and tags alone.": (
        "这些词（{words}）只在它的内容里；有摘要的事实只按摘要和标签查找。"
    ),
    "It has none of the query's words: {words}.": "它不含查询中的任何词：{words}。",
    (
        "It is in place {rank} with the score {score}; "
        "better are facts such as {winners}, and the last result scores {last}."
    ): "它排在第 {rank} 位，分数 {score}；排在前面的有 {winners} 等，最后一个结果的分数是 {last}。",
    "It matches less well than {count} others, such as {winners}.": "有 {count} 条事实比它更匹配，例如 {winners}。",
    "Its text has {length} characters, so its score is multiplied by {penalty}; a short summary would lift it.": (
        "它的文本有 {length} 个字符，因此分数乘以 {penalty}；写一个简短的摘要可以提高分数。"
    ),
    "Fact {id}: {old} -> {new}  {content}": "事实 {id}：{old} -> {new}  {content}",
    "Would change: {promoted} promoted, {demoted} demoted, {aged} aged, {unchanged} unchanged.": (
        "将会变化：{promoted} 条上升，{demoted} 条下降，{aged} 条老化，{unchanged} 条不变。"
    ),
    "{promoted} promoted, {demoted} demoted, {aged} aged, {unchanged} unchanged.": (
        "{promoted} 条上升，{demoted} 条下降，{aged} 条老化，{unchanged} 条不变。"
    ),
    "Fact {id} has {length} characters (score x {penalty}); give it a summary.": (
        "事实 {id} 有 {length} 个字符（分数 x {penalty}）；请写一个摘要。"
    ),
    "Fact {id} has {length} characters and no summary.": "事实 {id} 有 {length} 个字符，没有摘要。",
    "Fact {id} was found {retrievals} times and helped {helpful} times.": (
        "事实 {id} 被检索 {retrievals} 次，有用 {helpful} 次。"
    ),
    "Fact {id} was last found at {time}.": "事实 {id} 最后一次被检索是在 {time}。",
    "Wrote {facts} to {file}.": "已将 {facts}写入 {file}。",
    "Importing": "正在导入",
    "Read {facts} ({format}): {added} added, {updated} updated, {unchanged} unchanged.": (
        "读取了 {facts}（{format}）：添加 {added}，更新 {updated}，不变 {unchanged}。"
    ),
    "Would read {facts} ({format}): {added} to add, {updated} to update, {unchanged} unchanged.": (
        "将读取 {facts}（{format}）：将添加 {added}，将更新 {updated}，不变 {unchanged}。"
    ),
    (
        "Line {line}: fact {fact_id} was changed on both sides; "
        "the file's newer version won, the other was kept: {kept}"
    ): "第 {line} 行：事实 {fact_id} 两边都改动过；采用文件中较新的版本，另一个已保留：{kept}",
    (
        "Line {line}: fact {fact_id} was changed on both sides; "
        "the memory's newer version stays, the file's was kept: {kept}"
    ): "第 {line} 行：事实 {fact_id} 两边都改动过；记忆中较新的版本不变，文件中的已保留：{kept}",
    "`mnemo export --kept` shows all that was kept.": "`mnemo export --kept` 显示全部保留的版本。",
    "Line {line} was left out: {error}": "第 {line} 行被略过：{error}",
    "... and {count} more lines; --json lists them all.": "……还有 {count} 行；用 --json 列出全部。",
    "Copied the memory to {file}.": "已把记忆备份到 {file}。",
    "Removed the older copy {file}.": "已删除较旧的备份 {file}。",
    "Restored {file}; the memory now has {facts}.": "已恢复 {file}；记忆现在有 {facts}。",
    "What was there before is in {file}.": "原来的内容在 {file} 中。",
}

_PROBLEMS = {
    "There is no fact {id}; `mnemo list` shows the facts that exist.": "没有事实 {id}；`mnemo list` 显示现有的事实。",
    "Another fact already says exactly this: {error}": "另一条事实已有完全相同的内容：{error}",
    "That cannot be done: {error}": "无法执行：{error}",
    "{file} is no copy of a memory; `mnemo backup` makes copies.": (
        "{file} 不是记忆的备份；`mnemo backup` 可以创建备份。"
    ),
    "{error}; EDITOR names the program to use.": "{error}；EDITOR 指定要使用的程序。",
    "Name what is to change, as with --content or --tags.": "请指明要修改什么，例如用 --content 或 --tags。",
    "Give the fact either as an argument or as a file, not both.": "请用参数或文件给出事实，不要同时使用。",
    "Give the fact as an argument, on stdin or with --file.": "请用参数、标准输入或 --file 给出事实。",
    "{file} cannot be read: {error}": "无法读取 {file}：{error}",
    "The fact has no text any more; `mnemo remove {id}` removes it.": (
        "事实没有内容了；用 `mnemo remove {id}` 可以删除它。"
    ),
}

_CONFORMANCE = {
    "Run the specification against any MCP server.\n\n"
    "Behind -- stands the server's command line. Exit status: 0 it conforms, 1 it does not, 2 it could not be run.": (
        "用规范测试任意 MCP 服务器。\n\n-- 之后是服务器的命令行。退出状态：0 符合规范，1 不符合，2 无法运行。"
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
    "Start a server for every scenario, even where one is as new.": "每个场景都启动新的服务器，即使已有一个如新。",
    "Scenarios that may fail, with reasons.": "允许失败的场景及其原因。",
    "Write what fails now to a file.": "把现在失败的场景写入文件。",
    "Write a JUnit report (- is stdout).": "写出 JUnit 报告（- 表示标准输出）。",
    "Write a JSON report, or the list as JSON (- is stdout).": "写出 JSON 报告，或 JSON 格式的列表（- 表示标准输出）。",
    "Write a report as one HTML page (- is stdout).": "写出单个 HTML 页面的报告（- 表示标准输出）。",
    "Keep the HOME of each failed scenario and say where.": "保留每个失败场景的 HOME，并说明位置。",
    "Show each scenario with its steps.": "显示每个场景及其步骤。",
    "The current folder is not there any more; change to another one.": "当前目录已不存在；请切换到其他目录。",
    "The suite needs more packages; run: {whole} (in a checkout: {here})": (
        "测试套件需要更多软件包；请运行：{whole}（在仓库目录中：{here}）"
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

_HISTORY = {
    "schema {version}, journal {journal}: without a write-ahead log (a copy, or a network folder) searches wait "
    "for writes": ("结构版本 {version}，日志模式 {journal}：没有预写日志（副本或网络文件夹），搜索需要等待写入"),
    "The file is damaged: {problem}. {count} facts were read into {target}; `mnemo restore {target}` takes it over.": (
        "文件已损坏：{problem}。已把 {count} 条事实读入 {target}；用 `mnemo restore {target}` 启用它。"
    ),
    "Show what a fact was, and bring it back.": "显示事实以前的样子，并可恢复。",
    "Show what a fact was before each change, newest first, also after it was removed.": (
        "显示事实在每次更改之前的样子，最新的在前；已删除的事实也可以查看。"
    ),
    "At most this many versions (all).": "最多显示多少个版本（默认全部）。",
    "Bring the fact back as it was before VERSION, or without one as it was when it was removed.": (
        "把事实恢复为 VERSION 之前的样子；不写版本则恢复为被删除时的样子。"
    ),
    "Brought fact {id} back.": "已恢复事实 {id}。",
    "version": "版本",
    "time": "时间",
    "source": "来源",
    "action": "操作",
    "before": "之前",
    "Take the last change back.": "撤销上一次更改。",
    "Take the last change back, or all of the last learn or import; again takes back the one before.": (
        "撤销上一次更改，或上一次学习、导入的全部内容；再次执行则撤销更早的一次。"
    ),
    "Only show what would be taken back.": "只显示会撤销什么。",
    "There is nothing to take back.": "没有可以撤销的更改。",
    "Would take back: {action} ({source}, {time}), facts {ids}": "将撤销：{action}（{source}，{time}），事实 {ids}",
    "Took back: {action} ({source}, {time}), facts {ids}": "已撤销：{action}（{source}，{time}），事实 {ids}",
    "Changed again since, and left as they are: facts {ids}": "之后又有更改，因此保持不变：事实 {ids}",
    "Destroy facts for good.": "彻底销毁事实。",
    "Destroy facts for good: every version, the index, the log entries about them; copies of the file stay.": (
        "彻底销毁事实：所有版本、索引以及相关的日志；文件的副本不受影响。"
    ),
    "Do not ask.": "不再询问。",
    "Destroy {ids} for good?": "彻底销毁 {ids}？",
    "Destroyed fact {id}.": "已销毁事实 {id}。",
    "There is no fact {id}, and none is known to have been.": "没有编号为 {id} 的事实，也没有它的任何记录。",
    "Another program reads the file; its write-ahead log is emptied when that ends.": (
        "另一个程序正在读取该文件；它结束后，预写日志才会清空。"
    ),
    "Copies beside the memory may still hold them: {files}": "记忆文件旁的副本可能仍然含有它们：{files}",
    "The fact whose place it takes; that one is hidden.": "被它取代的事实；被取代的会隐藏。",
    "When the fact is hidden from then on: a date, a time, or a span (30d).": (
        "事实从何时起隐藏：日期、时间或时长（30d）。"
    ),
    'When it is hidden from then on: a date, a time, or a span (30d); "" for never.': (
        '它从何时起隐藏：日期、时间或时长（30d）；"" 表示永不。'
    ),
    "Also facts that others took the place of.": "也显示已被取代的事实。",
}

_CLIENTS = {
    "Connect your assistants to the memory.": "把你的助手连接到记忆。",
    (
        "Connect assistants: claude-code, codex, cursor, vscode, gemini, windsurf, zed, claude-desktop.\n\n"
        "Without a name, mnemo asks about every assistant that it finds. What else is in a file stays as it is,\n"
        "and the file is kept beside itself (.mnemo-backup) before the first change."
    ): (
        "连接助手：claude-code、codex、cursor、vscode、gemini、windsurf、zed、claude-desktop。\n\n"
        "不写名称时，逐个询问找到的助手。文件中的其他内容保持不变，首次修改前会在旁边保留一份（.mnemo-backup）。"
    ),
    "Set up every assistant that is found, without asking.": "设置找到的所有助手，不再询问。",
    "Write into the files of this folder's project.": "写入当前目录项目的配置文件。",
    "Let Claude Code also recall facts by itself (hooks).": "让 Claude Code 也自动回忆事实（hooks）。",
    "Take mnemo out again.": "从配置中移除 mnemo。",
    "{client}: added to {file}.": "{client}：已写入 {file}。",
    "{client}: updated in {file}.": "{client}：已更新 {file}。",
    "{client}: removed from {file}.": "{client}：已从 {file} 移除。",
    "{client}: nothing to do in {file}.": "{client}：{file} 无需改动。",
    "{client}: {file} was left alone: {problem}": "{client}：没有改动 {file}：{problem}",
    "No assistant was found; name yours: {names}": "没有找到助手；请写出名称：{names}",
    "Found {names}; name those that are to be set up, or say --yes for all.": (
        "找到 {names}；请写出要设置的名称，或用 --yes 设置全部。"
    ),
    "Set up {client}?": "设置 {client} 吗？",
    "{client} has no file for a project; leave out --project.": "{client} 没有项目级配置文件；请去掉 --project。",
    "The command {command} does not answer: {problem}": "命令 {command} 没有应答：{problem}",
    "The server answers. Restart the assistant, and ask it to remember something.": (
        "服务器已应答。请重启助手，然后让它记住一件事。"
    ),
    "Print what a prompt should know.": "输出与提示相关的事实。",
    "Print the facts that bear on QUERY (or stdin), or the most trusted ones; nothing where none is relevant.": (
        "输出与 QUERY（或标准输入）相关的事实，或最可信的事实；没有相关的则不输出。"
    ),
    "At most this many characters (2000).": "最多多少个字符（2000）。",
    "Read a hook's JSON on stdin and answer in its form.": "从标准输入读取 hook 的 JSON，并按其格式回答。",
    "Nothing was recalled: {error}": "没有回忆任何内容：{error}",
}

MESSAGES = {
    **_CLIENTS,
    **_HISTORY,
    **_HELP,
    **_WORDS,
    **_ANSWERS,
    **_PROBLEMS,
    **FINDINGS,
    **_CONFORMANCE,
    **DEMO,
    **FIELDS,
}
