"""The Chinese of what others say through the command line: click, the operating system, readers of settings files.

Each by its English, with a name in braces for each value. What stands here is matched as a whole sentence.
"""

CLICK = {
    "No such option {name}.": "没有选项 {name}。",
    "No such option: {name}": "没有选项 {name}。",  # before click 8.4
    "No such command {name}.": "没有命令 {name}。",
    "{error} Did you mean {possibility}?": "{error}是不是想用 {possibility}？",
    "{error} (Did you mean one of: {possibilities}?)": "{error}（是不是想用其中之一：{possibilities}？）",
    "{error} (Possible options: {possibilities})": "{error}（可用的选项：{possibilities}）",  # before click 8.4
    "Missing command.": "缺少命令。",
    "Missing argument {name}.": "缺少参数 {name}。",
    "Missing option {name}.": "缺少选项 {name}。",
    "Missing argument {name}. {error}": "缺少参数 {name}。{error}",
    "Missing option {name}. {error}": "缺少选项 {name}。{error}",
    "Choose from:\n\t{choices}": "请从中选择：\n\t{choices}",
    "Invalid value: {error}": "值无效：{error}",
    "Invalid value for {name}: {error}": "{name} 的值无效：{error}",
    "{value} is not one of {choices}.": "{value} 不是以下之一：{choices}。",
    "{value} is not {choice}.": "{value} 不是 {choice}。",
    "{value} is not a valid integer.": "{value} 不是整数。",
    "{value} is not a valid integer range.": "{value} 不是整数。",
    "{value} is not a valid float.": "{value} 不是数字。",
    "{value} is not a valid float range.": "{value} 不是数字。",
    "{value} is not in the range {range}.": "{value} 不在 {range} 的范围内。",
    "Got unexpected extra argument ({arguments})": "多出了参数（{arguments}）",
    "Got unexpected extra arguments ({arguments})": "多出了参数（{arguments}）",
    "Option {name} requires an argument.": "选项 {name} 需要一个值。",
    "Option {name} does not take a value.": "选项 {name} 不接受值。",
    "{name} {path} does not exist.": "{path} 不存在。",
    "{name} {path} is a file.": "{path} 是文件。",
    "{name} {path} is a directory.": "{path} 是目录。",
    "{name} {path} is not readable.": "{path} 不可读。",
    "{name} {path} is not writable.": "{path} 不可写。",
    "[Errno {number}] {error}: {path}": "{error}：{path}",
    "{editor}: Editing failed": "{editor}：编辑失败",
    "{editor}: Editing failed: {error}": "{editor}：编辑失败：{error}",
}

SYSTEM = {
    "Permission denied": "权限不足",
    "Operation not permitted": "操作不被允许",
    "No such file or directory": "没有这个文件或目录",
    "Is a directory": "是目录",
    "Not a directory": "不是目录",
    "File exists": "文件已存在",
    "File name too long": "文件名太长",
    "No space left on device": "磁盘已满",
    "Disk quota exceeded": "超出磁盘配额",
    "Read-only file system": "文件系统是只读的",
    "Input/output error": "输入输出错误",
    "Device or resource busy": "设备或资源正忙",
    "Too many open files": "打开的文件太多",
    "Too many levels of symbolic links": "符号链接层数太多",
    "Exec format error": "可执行文件格式错误",
}

SETTINGS = {
    "it is not text in UTF-8": "不是 UTF-8 文本",
    "it was changed by another program meanwhile; run this again": "期间它被另一个程序改动了；请重新运行",
    "mnemo cannot change its entry there without changing others; please edit the file by hand": (
        "mnemo 在其中改动自己的条目会影响其他设置；请手动编辑该文件"
    ),
    "it is nested too deeply": "嵌套太深",
    "line {line}: {error}": "第 {line} 行：{error}",
    "something stands behind the end": "结尾之后还有内容",
    "a comment does not end": "注释没有结束",
    "a value is missing": "缺少值",
    "a text is not written as JSON": "字符串不是 JSON 写法",
    "a comma or {closing} is missing": "缺少逗号或 {closing}",
    "a name in double quotes is missing": "缺少带双引号的名称",
    "a colon is missing": "缺少冒号",
    "unexpected {found}": "多出 {found}",
    "the whole is not an object": "整个文件不是对象",
    "{path} is not an object": "{path} 不是对象",
    "{path} is not a list": "{path} 不是列表",
    "{path} is not a table": "{path} 不是表",
    "{problem} (at line {line}, column {column})": "第 {line} 行第 {column} 列不是 TOML 写法",
    "{problem} (at end of document)": "文件结尾不是 TOML 写法",
    "{problem} at line {line} col {column}": "第 {line} 行第 {column} 列不是 TOML 写法",
    "{command} cannot be started: {error}": "无法启动 {command}：{error}",
    "no answer within {seconds} seconds": "{seconds} 秒内没有回答",
    "it ended without an answer": "没有回答就结束了",
    "another server answered: {name}": "回答的是另一个服务器：{name}",
}
