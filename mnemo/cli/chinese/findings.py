"""The Chinese of what `mnemo doctor` finds, by its English."""

FINDINGS = {
    "Python {found}": "Python {found}",
    "Python {found} is too old; install 3.11 or newer.": "Python {found} 太旧；请安装 3.11 或更新版本。",
    "SQLite {found}": "SQLite {found}",
    "SQLite {found} is too old; install a Python with 3.35 or newer.": (
        "SQLite {found} 太旧；请安装带 3.35 或更新版本的 Python。"
    ),
    "full-text search (FTS5) is there": "有全文搜索（FTS5）",
    "This Python's SQLite has no full-text search (FTS5); install another Python.": (
        "此 Python 的 SQLite 没有全文搜索（FTS5）；请安装其他 Python。"
    ),
    "{path} is not there yet; the first fact that is added makes it.": "{path} 还不存在；添加第一条事实时会创建。",
    "{path} is no file; set MNEMO_DB to the path of a file.": "{path} 不是文件；请把 MNEMO_DB 设为文件路径。",
    "{path}, {size} bytes": "{path}，{size} 字节",
    "{path} is yours alone ({mode})": "{path} 只有你能访问（{mode}）",
    "{path} was open to others ({mode}); it is yours alone now": "其他用户原来可以访问 {path}（{mode}）；现已关闭",
    "{path} is open to others ({mode}); `mnemo doctor --fix` makes it {wanted}.": (
        "其他用户可以访问 {path}（{mode}）；`mnemo doctor --fix` 会改为 {wanted}。"
    ),
    "{path} is open to others ({mode}), and is not yours to close; ask its owner.": (
        "其他用户可以访问 {path}（{mode}），而你无权更改；请联系其所有者。"
    ),
    "The file is the database of another application; set MNEMO_DB to another path.": (
        "该文件是其他应用的数据库；请把 MNEMO_DB 设为其他路径。"
    ),
    "Another program made the file; mnemo copies it before it upgrades it at first use.": (
        "该文件由其他程序创建；首次使用时，mnemo 会先备份再升级。"
    ),
    "A newer mnemo wrote the file (schema {version}, this one knows {known}); upgrade mnemo.": (
        "该文件由更新的 mnemo 写入（结构版本 {version}，当前支持 {known}）；请升级 mnemo。"
    ),
    "The file is of an older mnemo (schema {version}); it is upgraded at first use.": (
        "该文件来自较旧的 mnemo（结构版本 {version}）；首次使用时会升级。"
    ),
    "schema {version}, journal {journal}": "结构版本 {version}，日志模式 {journal}",
    "The file is damaged: {problem}. Restore a copy with `mnemo restore FILE`, or recover what is readable "
    "with `mnemo doctor --fix`; the present file is kept.": (
        "文件已损坏：{problem}。请用 `mnemo restore FILE` 恢复备份，"
        "或用 `mnemo doctor --fix` 抢救可读的内容；现有文件会保留。"
    ),
    "the file is whole; facts in it: {facts}": "文件完好，有 {facts} 条事实",
    "The index is not made yet; it is at first use.": "索引尚未建立；首次使用时会建立。",
    "The index could not be built anew: {error}": "无法重建索引：{error}",
    "the index was built anew ({problem})": "已重建索引（{problem}）",
    "The index is not right ({problem}); `mnemo doctor --fix` builds it anew.": (
        "索引有误（{problem}）；`mnemo doctor --fix` 会重建。"
    ),
    "Facts that wait to be indexed: {count}; the next search does it.": "{count} 条事实等待索引；下次搜索时会完成。",
    "the index has every fact": "索引包含全部事实",
    "The search log has {count} entries, more than {capacity}; the next search cuts it.": (
        "搜索日志有 {count} 条，超过 {capacity} 条；下次搜索时会裁剪。"
    ),
    "{count} searches in the log (at most {capacity})": "日志中有 {count} 次搜索（最多 {capacity} 次）",
    "Only {free} MB are free on the disk; make some room.": "磁盘只剩 {free} MB；请清理空间。",
    "{free} MB free on the disk": "磁盘剩余 {free} MB",
    "which programs have the file open cannot be told on this system": "在此系统上无法得知哪些程序打开了该文件",
    "no other program has the file open": "没有其他程序打开该文件",
    "other programs have the file open: {holders}": "其他程序打开了该文件：{holders}",
    "configured in {clients}": "已配置：{clients}",
    "{file} of {client} cannot be read: {error}.": "无法读取 {client} 的 {file}：{error}。",
    "{file} of {client} is not right: {error}. Mend it, then run `{init}`.": (
        "{client} 的 {file} 有误：{error}。请修正后运行 `{init}`。"
    ),
    "{client} starts {command}, which is not there; run `{init}` again.": (
        "{client} 启动的是 {command}，而它不存在；请重新运行 `{init}`。"
    ),
    "{client} has mnemo switched off ({setting} in {file}); switch it on there to use it.": (
        "{client} 停用了 mnemo（{file} 中的 {setting}）；要使用它，请在那里启用。"
    ),
    "{client} runs its server without {settings}, which is set here; run `{init}` if it should too.": (
        "{client} 的服务器没有使用 {settings}，而这里设置了它；如果服务器也应当使用，请运行 `{init}`。"
    ),
    "{client} uses another memory, {database}; run `{init}` again if it should be this one.": (
        "{client} 使用的是另一份记忆：{database}；如果应当使用这一份，请重新运行 `{init}`。"
    ),
    "No assistant is set up to use mnemo; `mnemo init` connects yours.": (
        "还没有助手接入 mnemo；用 `mnemo init` 可以连接。"
    ),
}
