"""The Chinese of everything that the command line says, by its English."""

from mnemo.cli.chinese.conformance import CONFORMANCE
from mnemo.cli.chinese.demo import DEMO
from mnemo.cli.chinese.fields import FIELDS
from mnemo.cli.chinese.findings import FINDINGS
from mnemo.cli.chinese.help import HELP

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
    "What was to be said could not be written: {error}": "输出无法写入：{error}",
    "What you wrote is kept in {file}.": "你写的内容保存在 {file}。",
    "Fact {id} expired at {time} (UTC); `mnemo update {id} --expires ''` shows it again.": (
        "事实 {id} 已于 {time}（UTC）过期；用 `mnemo update {id} --expires ''` 可以重新显示。"
    ),
    "Fact {id} is hidden from now on.": "事实 {id} 从现在起隐藏。",
    "If it must not be kept: `mnemo purge {id}`": "如果不该保存：`mnemo purge {id}`",
    "None needs care.": "没有需要整理的事实。",
    "Waiting for an MCP client on stdin; assistants start this themselves (`mnemo init`). Ctrl-C ends it.": (
        "正在标准输入上等待 MCP 客户端；通常由助手自己启动（`mnemo init`）。按 Ctrl-C 结束。"
    ),
    "{lines} lines were not stored: {error}": "{lines} 行没有保存：{error}",
    "Added fact {id} ({category}).": "已添加事实 {id}（{category}）。",
    "Fact {id} already says this.": "事实 {id} 已有同样的内容。",
    "Fact {id} already says this; nothing was changed.": "事实 {id} 已有同样的内容；没有任何改动。",
    "Similar: fact {id}: {content}": "相似：事实 {id}：{content}",
    "Updated fact {id}.": "已更新事实 {id}。",
    "Removed fact {id}; `mnemo undo` brings it back.": "已删除事实 {id}；用 `mnemo undo` 可以撤销。",
    "Trust of fact {id}: {old} -> {new}": "事实 {id} 的信任度：{old} -> {new}",
    "{count} of {total} facts": "共 {total} 条事实，显示 {count} 条",
    "{count} facts": "{count} 条事实",
    "1 fact": "1 条事实",
    "No facts found.": "没有找到相关事实。",
    "fact {id} took its place": "已被事实 {id} 取代",
    "The content has more than {most} characters; give it a summary (--summary), or store it as several facts.": (
        "内容超过 {most} 字；请提供摘要（--summary），或拆分为多条事实。"
    ),
    "No contradictions found.": "没有发现矛盾。",
    "Where one has taken the other's place, `mnemo update ID --supersedes OLD_ID` hides the old one.": (
        "如果其中一条已取代另一条：`mnemo update ID --supersedes 旧ID` 会隐藏旧的那条。"
    ),
    "Nothing was changed.": "没有任何改动。",
    "Stopped; what was done so far is kept.": "已停止；到目前为止完成的部分已保留。",
    "The query is only an operation, so it was not searched; --all searches it all the same.": (
        "这只是一句操作指令，没有搜索；加 --all 可强制搜索。"
    ),
    "Fact {fact_id} is result {rank}, with the score {score}.": "事实 {fact_id} 是第 {rank} 个结果，分数 {score}。",
    "The query is only an operation, so nothing is searched; --all searches it all the same.": (
        "这只是一句操作指令，不会搜索；加 --all 可强制搜索。"
    ),
    "Its trust {trust} is below {min_trust}; --min-trust 0 searches it too.": (
        "它的信任度 {trust} 低于 {min_trust}；用 --min-trust 0 也会搜索它。"
    ),
    "Its category is {category}, not {wanted}.": "它的类别是 {category}，不是 {wanted}。",
    "It does not have the tag {tag}.": "它没有标签 {tag}。",
    "It was last changed at {changed} (UTC), outside of the time asked for.": (
        "它最后改动于 {changed}（UTC），不在指定的时间范围内。"
    ),
    "Fact {newer} took its place, so it is hidden; `mnemo list --superseded` shows it.": (
        "事实 {newer} 取代了它，因此它被隐藏；`mnemo list --superseded` 可以显示它。"
    ),
    "It expired at {expired} (UTC), so it is hidden; `mnemo update {fact_id} --expires ''` shows it again.": (
        "它已于 {expired}（UTC）过期，因此被隐藏；`mnemo update {fact_id} --expires ''` 可以重新显示它。"
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
        "将会变化：{promoted} 条上升，{demoted} 条下降，{aged} 条因久未使用下降，{unchanged} 条不变。"
    ),
    "{promoted} promoted, {demoted} demoted, {aged} aged, {unchanged} unchanged.": (
        "{promoted} 条上升，{demoted} 条下降，{aged} 条因久未使用下降，{unchanged} 条不变。"
    ),
    "Fact {id} has {length} characters (score x {penalty}); give it a summary.": (
        "事实 {id} 有 {length} 个字符（分数 x {penalty}）；请写一个摘要。"
    ),
    "Fact {id} has {length} characters and no summary.": "事实 {id} 有 {length} 个字符，没有摘要。",
    "Fact {id} was found {retrievals} times and helped {helpful} times.": (
        "事实 {id} 被检索 {retrievals} 次，有用 {helpful} 次。"
    ),
    "Fact {id} was last found at {time} (UTC).": "事实 {id} 最近一次被检索：{time}（UTC）。",
    "Wrote {facts} to {file}.": "已将 {facts}写入 {file}。",
    "Importing": "正在导入",
    "Read {facts} ({format}): {added} added, {updated} updated, {unchanged} unchanged{not_taken}.": (
        "读取了 {facts}（{format}）：添加 {added}，更新 {updated}，不变 {unchanged}{not_taken}。"
    ),
    "Would read {facts} ({format}): {added} to add, {updated} to update, {unchanged} unchanged{not_taken}.": (
        "将读取 {facts}（{format}）：将添加 {added}，将更新 {updated}，不变 {unchanged}{not_taken}。"
    ),
    (
        "Only bullets were taken. Paragraphs and tables were passed over: {count}, from line {line} on; what of "
        "them is to be remembered, write as bullets."
    ): "只取了列表要点。略过的段落和表格：{count} 处，从第 {line} 行开始；其中要记住的内容请写成要点。",
    ", {count} not taken": "，未采用 {count}",
    (
        "What was not taken is older than what the memory says: changed here later, or brought back by an undo. "
        "`mnemo history ID` shows what a fact was."
    ): "未采用的内容比记忆中的旧：这边之后又改过，或者已被撤销。`mnemo history 编号` 显示事实以前的内容。",
    (
        "Line {line}: fact {fact_id} was changed on both sides; "
        "the file's newer version won, the other was kept: {kept}"
    ): "第 {line} 行：事实 {fact_id} 两边都改动过；采用文件中较新的版本，另一个已保留：{kept}",
    (
        "Line {line}: fact {fact_id} was changed on both sides; "
        "the memory's newer version stays, the file's was kept: {kept}"
    ): "第 {line} 行：事实 {fact_id} 两边都改动过；记忆中较新的版本不变，文件中的已保留：{kept}",
    "The line --- between the fields and the content is gone; put it back.": (
        "字段与内容之间的分隔行 --- 不见了；请把它加回去。"
    ),
    "This line above --- is no field: {line}. Fields are {names}, each once, in one line, with a colon.": (
        "--- 上方的这一行不是字段：{line}。那里只有 {names}，各一行，后面跟冒号。"
    ),
    "`mnemo export --kept` shows all that was kept.": "`mnemo export --kept` 显示全部保留的版本。",
    "Line {line} was left out: {error}": "第 {line} 行被略过：{error}",
    "... and {count} more lines; --json lists them all.": "……还有 {count} 行；用 --json 列出全部。",
    "Copied the memory to {file}.": "已把记忆备份到 {file}。",
    "Removed the older copy {file}.": "已删除较旧的备份 {file}。",
    "Restored {file}; the memory now has {facts}.": "已从 {file} 恢复；记忆现在有 {facts}。",
    "What was there before is in {file}.": "原来的内容在 {file} 中。",
}

_PROBLEMS = {
    "There is no fact {id}; `mnemo list` shows the facts that exist, `mnemo history {id}` what a removed one was.": (
        "没有事实 {id}；`mnemo list` 显示现有的事实，`mnemo history {id}` 显示已删除的事实以前的样子。"
    ),
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

CHANGES = {  # who made them, and what they were
    "command line": "命令行",
    "tool": "助手",
    "start-up": "启动时",
    "another program": "其他程序",
    "add": "添加",
    "update": "修改",
    "remove": "删除",
    "feedback": "评价",
    "learn": "学习",
    "import": "导入",
    "restore": "恢复",
    "undo": "撤销",
}

_HISTORY = {
    "schema {version}, journal {journal}: without a write-ahead log (a copy, or a network folder) searches wait "
    "for writes": ("结构版本 {version}，日志模式 {journal}：没有预写日志（副本或网络文件夹），搜索需要等待写入"),
    "The file is damaged: {problem}. {count} facts were read into {target}; `mnemo restore {target}` takes it over.": (
        "文件已损坏：{problem}。已把 {count} 条事实读入 {target}；用 `mnemo restore {target}` 启用它。"
    ),
    (
        "The file is damaged: {problem}. {count} facts were read into {target}, {left} that are no facts any more "
        "were not; `mnemo restore {target}` takes it over."
    ): (
        "文件已损坏：{problem}。已把 {count} 条事实读入 {target}，{left} 条已残缺而没有读入；"
        "用 `mnemo restore {target}` 启用它。"
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
    "time (UTC)": "时间（UTC）",
    "source": "来源",
    "action": "操作",
    "before": "更改前",
    **CHANGES,
    "Take the last change back.": "撤销上一次更改。",
    "Take the last change back, or all of the last learn or import; again takes back the one before.": (
        "撤销上一次更改，或上一次学习、导入的全部内容；再次执行则撤销更早的一次。"
    ),
    "Only show what would be taken back.": "只显示会撤销什么。",
    "There is nothing to take back.": "没有可以撤销的更改。",
    "{source}, {time} UTC": "{source}，{time} UTC",
    "{time} UTC": "{time} UTC",
    "Would take back: {action} ({whence}), facts {ids}": "将撤销：{action}（{whence}），事实 {ids}",
    "Took back: {action} ({whence}), facts {ids}": "已撤销：{action}（{whence}），事实 {ids}",
    "Changed again since, and left as they are: facts {ids}": "之后又有更改，因此保持不变：事实 {ids}",
    "Destroy facts for good.": "彻底销毁事实。",
    "Destroy facts for good: every version, the index, the log entries about them; copies of the file stay.": (
        "彻底销毁事实：所有版本、索引以及相关的日志；文件的副本不受影响。"
    ),
    "Do not ask.": "不再询问。",
    "Destroy {ids} for good?": "彻底销毁事实 {ids}？此操作无法撤销。",
    "Destroyed fact {id}.": "已销毁事实 {id}。",
    "There is no fact {id}, and none is known to have been.": "没有编号为 {id} 的事实，也没有它的任何记录。",
    (
        "Another program uses the file, or its disk is full, so old pages may still be in it; "
        "do the same again when that has ended."
    ): "另一个程序正在使用该文件，或磁盘已满，旧的内容可能仍在其中；等情况解除后请再执行一次。",
    "Copies beside the memory may still hold them: {files}": "记忆文件旁的副本可能仍然含有它们：{files}",
    "The id of the fact whose place it takes; that one is hidden.": "要取代的旧事实的编号；旧事实会被隐藏。",
    "When the fact is hidden from then on: a date, a time (UTC), or a span (30d).": (
        "事实从何时起隐藏：日期、时间（UTC）或时长（30d）。"
    ),
    'When it is hidden from then on: a date, a time (UTC), or a span (30d); "" for never.': (
        '它从何时起隐藏：日期、时间（UTC）或时长（30d）；"" 表示永不。'
    ),
    "Also facts that others took the place of.": "也显示已被取代的事实。",
}

_CLIENTS = {
    "Connect your assistants to the memory.": "让你的助手接入记忆。",
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
    "Let Claude Code also recall facts by itself (hooks).": "让 Claude Code 也自动带出相关事实（hooks）。",
    "Take mnemo out again.": "从配置中移除 mnemo。",
    "{client}: added to {file}.": "{client}：已写入 {file}。",
    "{client}: updated in {file}.": "{client}：已更新 {file}。",
    "{client}: removed from {file}.": "{client}：已从 {file} 移除。",
    "{client}: its entry mnemo starts another program, which stays: {command}": (
        "{client}：名为 mnemo 的那一项启动的是另一个程序，保持不变：{command}"
    ),
    "{client}: its entry mnemo started another program until now: {command}. --remove brings that back.": (
        "{client}：名为 mnemo 的那一项原来启动的是另一个程序：{command}。用 --remove 可以换回它。"
    ),
    "{client}: MNEMO_DB in its entry names that; --db FILE chooses another.": (
        "{client}：那是该项中的 MNEMO_DB 指定的；用 --db FILE 可以换成另一份。"
    ),
    "{client}: until now it used the memory {file}.": "{client}：此前使用的是这份记忆：{file}",
    "{client}: mnemo is switched off there ({setting} in {file}); switch it on to use it.": (
        "{client} 停用了 mnemo（{file} 中的 {setting}）；要使用它，请在那里启用。"
    ),
    "{client}: its server runs with {settings}.": "{client}：它的服务器使用这些设置：{settings}",
    "The assistant will use the memory {file}.": "助手将使用这份记忆：{file}",
    (
        "That lies in a folder of temporary files, which are deleted some day. For the usual memory, "
        "`unset MNEMO_DB` (or leave out --db) and run this again."
    ): (
        "该文件位于临时目录，迟早会被系统清理。"
        "要使用平常的记忆，请先运行 `unset MNEMO_DB`（或去掉 --db），再重新运行本命令。"
    ),
    "{client}: nothing to do in {file}.": "{client}：{file} 无需改动。",
    "{client}: {file} was left alone: {problem}": "{client}：没有改动 {file}：{problem}",
    "No assistant was found; name yours: {names}": "没有找到助手；请写出名称：{names}",
    "Found {names}; name those that are to be set up, or say --yes for all.": (
        "找到了 {names}；请写出要设置哪些，或用 --yes 设置全部。"
    ),
    "Set up {client}?": "设置 {client} 吗？",
    "{client} has no file for a project; leave out --project.": "{client} 没有项目级配置文件；请去掉 --project。",
    "The command {command} does not answer: {problem}": "命令 {command} 没有响应：{problem}",
    "The server answers.": "服务器响应正常。",
    "--hooks is for Claude Code, which is not among these; nothing comes of it.": (
        "--hooks 只适用于 Claude Code，而它不在其中；已忽略。"
    ),
    "The server answers. Restart the assistant, and ask it to remember something.": (
        "服务器响应正常。请重启助手，然后让它记住一件事。"
    ),
    "Print what a prompt should know.": "输出与提示相关的事实。",
    "Print the facts that bear on QUERY (or stdin), or the most trusted ones; nothing where none is relevant.": (
        "输出与 QUERY（或标准输入）相关的事实，或最可信的事实；没有相关的则不输出。"
    ),
    "At most this many characters (2000).": "最多输出多少个字符（2000）。",
    "Read a hook's JSON on stdin and answer in its form.": "从标准输入读取 hook 的 JSON，并按其格式回答。",
    "Nothing was recalled: {error}": "没有带出任何事实：{error}",
}

MESSAGES = {
    **_CLIENTS,
    **_HISTORY,
    **HELP,
    **_WORDS,
    **_ANSWERS,
    **_PROBLEMS,
    **FINDINGS,
    **CONFORMANCE,
    **DEMO,
    **FIELDS,
}
