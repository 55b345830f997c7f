"""The Chinese of what the demo tells, by its English."""

DEMO = {
    "Session 1: a new memory": "会话 1：一份新的记忆",
    "connected to mnemo over stdio, protocol {version}": "已通过 stdio 连接 mnemo，协议 {version}",
    "saved {count} facts in Chinese and English; 1 said twice was recognised, {warned} is too long without a summary": (
        "保存了 {count} 条中英文事实；认出 1 条重复的，{warned} 条过长且没有摘要"
    ),
    "only an operation, not searched": "只是操作指令，没有搜索",
    "{rounds} times helpful: fact {id} has trust {trust} (it began with 0.50)": (
        "{rounds} 次评为有用：事实 {id} 的信任度为 {trust}（最初为 0.50）"
    ),
    (
        "learned from use: found often and helpful {before} -> {after}, found often and never helpful 0.50 -> {useless}"
    ): "从使用中学习：常被检索且有用的 {before} -> {after}，常被检索却从未有用的 0.50 -> {useless}",
    "audit of {count} facts: fact {long} needs a summary, fact {low} never helps": (
        "检查了 {count} 条事实：事实 {long} 需要摘要，事实 {low} 从未有用"
    ),
    "Session 2: another server, the same memory": "会话 2：另一个服务器，同一份记忆",
    "(still there)": "（仍在记忆中）",
    "BAD": "有误",
    "What both servers logged meanwhile (each learns from use a moment after its start):": (
        "其间两个服务器的日志（每个服务器启动片刻后会从使用中学习一次）："
    ),
    "Not as it should be:": "与预期不符：",
    "Every answer was right. Next: `mnemo init` connects your assistant.": (
        "所有回答都正确。下一步：用 `mnemo init` 连接你的助手。"
    ),
}
