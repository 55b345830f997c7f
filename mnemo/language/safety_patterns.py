"""The shapes of secrets and of instructions to an assistant, in both languages: data of the content safety.

No two repeats in a row can match the same character, and gaps between words are bounded: the time is linear.
"""

import re

from mnemo.language import late

_B = r"(?<![A-Za-z0-9_-])"
_E = r"(?![A-Za-z0-9_-])"

# Keys whose form is known: kind, what a text must contain for the pattern to be worth trying, the pattern.
KEYS: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (kind, needed, late.pattern(_B + pattern + _E))
    for kind, needed, pattern in (
        ("github_token", "_", r"gh[pousr]_[A-Za-z0-9]{30,255}"),
        ("github_token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}"),
        ("gitlab_token", "t-", r"gl(?:pat|ptt|dt|rt|soat|cbt)-[A-Za-z0-9_-]{20,255}"),
        ("aws_access_key", "AKIA", r"AKIA[A-Z0-9]{16}"),
        ("aws_access_key", "ASIA", r"ASIA[A-Z0-9]{16}"),
        ("anthropic_key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{20,255}"),
        ("openai_key", "sk-", r"sk-(?:proj-|svcacct-|admin-|or-v1-)?(?=[A-Za-z_-]{0,80}[0-9])[A-Za-z0-9_-]{20,255}"),
        ("slack_token", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,255}"),
        ("slack_token", "xapp-", r"xapp-\d-[A-Za-z0-9-]{10,255}"),
        ("google_api_key", "AIza", r"AIza[A-Za-z0-9_-]{35}"),
        ("google_oauth_secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{20,60}"),
        ("stripe_key", "k_", r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}"),
        ("webhook_secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{20,255}"),
        ("npm_token", "npm_", r"npm_[A-Za-z0-9]{36}"),
        ("pypi_token", "pypi-", r"pypi-[A-Za-z0-9_-]{40,255}"),
        ("huggingface_token", "hf_", r"hf_[A-Za-z0-9]{30,60}"),
        ("telegram_bot_token", ":AA", r"\d{8,10}:AA[A-Za-z0-9_-]{33}"),
        ("sendgrid_key", "SG.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
        ("twilio_key", "SK", r"SK[0-9a-f]{32}"),
        ("mailgun_key", "key-", r"key-[0-9a-f]{32}"),
        ("digitalocean_token", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
        ("docker_token", "dckr_", r"dckr_[po]at_[A-Za-z0-9_-]{20,60}"),
        ("databricks_token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?"),
        ("shopify_token", "shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
        ("notion_token", "_", r"(?:ntn|secret)_[A-Za-z0-9]{40,60}"),
        ("linear_key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{30,80}"),
        ("groq_key", "gsk_", r"gsk_[A-Za-z0-9]{40,80}"),
        ("xai_key", "xai-", r"xai-[A-Za-z0-9]{40,120}"),
        ("replicate_token", "r8_", r"r8_[A-Za-z0-9]{30,60}"),
        ("perplexity_key", "pplx-", r"pplx-[A-Za-z0-9]{40,80}"),
        ("figma_token", "figd_", r"figd_[A-Za-z0-9_-]{30,80}"),
        ("supabase_token", "sb", r"sb(?:p_[0-9a-f]{40}|_secret_[A-Za-z0-9_-]{20,60})"),
        ("vault_token", "hv", r"hv[sbr]\.[A-Za-z0-9_-]{20,255}"),
        ("atlassian_token", "ATATT3", r"ATATT3[A-Za-z0-9_=-]{40,255}"),
        ("age_key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{50,60}"),
        ("alibaba_cloud_key", "LTAI", r"LTAI[A-Za-z0-9]{12,26}"),
        ("tencent_cloud_key", "AKID", r"AKID[A-Za-z0-9]{28,40}"),
        ("jwt", "eyJ", r"eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}"),
    )
)

PRIVATE_KEY_BEGIN = late.pattern(
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:"
)
PRIVATE_KEY_END = late.pattern(
    r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: ?[0-9a-f]{16,64}"
)

URL_PASSWORD = late.pattern(
    r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/?#@\"'<>]{0,80}:([^\s/?#@\"'<>]{1,200})@(?=[\w\[{$-])"
)
WEBHOOK = late.pattern(
    r"https://(?:hooks\.slack\.com/(?:services|workflows)/|discord(?:app)?\.com/api/webhooks/\d{10,25}/"
    r"|open\.feishu\.cn/open-apis/bot/v2/hook/|oapi\.dingtalk\.com/robot/send\?access_token="
    r"|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=)([A-Za-z0-9_/-]{16,200})"
)
AUTHORISATION = late.pattern(
    r"\b(?:authorization\s{0,3}[:=]\s{0,3}[\"']?(?:bearer|basic|token)|bearer)\s{1,3}([A-Za-z0-9._~+/=-]{16,4000})",
    re.IGNORECASE | re.ASCII,
)
COMMANDS = ("curl ", "wget ", "http ", "sshpass ", "mysql", "redis-cli ", "mongo")
COMMAND_LINE = late.pattern(
    r"(?<!\S)(?:curl|wget|http|sshpass|mysql|mysqldump|redis-cli|mongosh?)\s(?:[^\s|;]{1,80}\s){0,8}?"
    r"(?:(?:-u|--user)[ =][\w.@+-]{1,60}:|-p ?|-a )['\"]?([^\s'\"$<{*]{6,100})",
    re.ASCII,
)

_PASSWORDS = r"pass ?word|passwd|passphrase|pwd|passcode|(?<![a-z])pw(?=\s{0,3}[:=])|密码|口令"
_KEYS_AND_TOKENS = (
    r"api[ _-]?(?:key|token|secret)|access[ _-]?key(?:[ _-]?(?:id|secret))?|secret[ _-]?(?:access[ _-]?)?key"
    r"|(?:client|app)[ _-]?secret|(?:access|auth|bearer|refresh|session|bot|deploy|personal access)[ _-]?token"
    r"|signing[ _-]?(?:key|secret)|encryption[ _-]?key|account[ _-]?key|private[ _-]?key|secret|token"
    r"|密钥|秘钥|令牌|私钥|访问令牌"
)
_SEPARATOR = (
    r"[\"'`]?(?P<separator>\s{0,3}(?:[=:]>?|:=)\s{0,3}|>|\s{1,2}(?:is|was|are)(?:\s{1,2}(?:now|set\s{1,2}to))?:?\s{1,2}"
    r"|\s{0,2}(?:现在|目前|已经?)?(?:是|为|改成|改为|设为|设成|设置为|换成)了?\s?:?\s?|(?<=--password)\s|(?<=[码令钥牌])\s{0,2})"
)
ASSIGNMENT_WORDS = ("pass", "pw", "secret", "token", "key", "密码", "口令", "密钥", "秘钥", "令牌", "私钥")
ASSIGNMENT = late.pattern(
    rf"(?P<key>(?P<password>{_PASSWORDS})|(?:{_KEYS_AND_TOKENS})){_SEPARATOR}"
    r"(?P<quote>[\"'`“「]?)(?P<value>[!-~]{4,400})",
    re.IGNORECASE,
)

# What may stand between the word and the value where only a value that looks random counts: `(prod)`, `for the wiki`.
_SCOPE = (
    r"(?:\s{0,2}[(][^()\n]{1,40}[)]|\s{1,2}(?:for|of|on|to|in|at)(?:\s{1,2}[\w.@/'-]{1,40}){1,4}"
    r"|\s{1,2}[\w.-]{1,20}(?=\s{0,2}[:=]))"
)
_LOOSE_SEPARATOR = r"(?:\s{0,3}[:=]\s{0,3}|\s{1,2}(?:is|was)(?:\s{1,2}(?:now|set\s{1,2}to))?:?\s{1,2}|是|为)"
_SHORT_WORD = r"(?<![A-Za-z])(?:pass|pw)"
LOOSE_ASSIGNMENT = late.pattern(
    rf"(?:(?:(?P<password>{_PASSWORDS})|(?:{_KEYS_AND_TOKENS})){_SCOPE}{_LOOSE_SEPARATOR}"
    rf"|(?P<password_short>{_SHORT_WORD}){_SCOPE}?{_LOOSE_SEPARATOR}"
    rf"|(?P<password_dash>{_PASSWORDS}|{_SHORT_WORD})(?:\s{{1,3}}[-\u2013\u2014]{{1,2}}>?\s{{1,3}}|\s{{0,3}}\u2192\s{{0,3}})"
    r"|\b(?:user(?:name)?|login|account)[ :=]{1,3}[\w.@+-]{1,60}[ ,;/]{1,3}"
    rf"(?P<password_user>{_PASSWORDS}|pass|pw)[ :=]{{1,3}})"
    r"(?P<quote>[\"'`“「]?)(?P<value>[!-~]{4,400})",
    re.IGNORECASE,
)

# How people tell a password or a key: plainly enough that the value need not look random, only unlike a word.
_TOLD_SCOPE = r"(?:\s{0,2}[(][^()\n]{1,40}[)]|\s{1,2}(?:for|of|on|to|in|at)(?:\s{1,2}[\w.@/'-]{1,40}){1,4})"
_QUOTE = r"(?P<quote>[\"'`“「]?)"
_VALUE = r"(?P<value>[!-~]{8,100})"
_THE_PASSWORD = rf"(?:(?:the|my|our|its|your|a)\s{{1,2}})?(?:[\w-]{{1,20}}\s{{1,2}}){{0,2}}(?:{_PASSWORDS})"
_NO_MORE_TO_IT = (
    r"(?=\s{0,2}(?:[.,;:!)]|$|\n|\b(?:for|of|on|to|in|at|and|now)\b))"  # no password manager, no password hash
)
TOLD_PASSWORDS = tuple(
    late.pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:{_PASSWORDS}){_TOLD_SCOPE}(?:\s{{0,3}}[:=]\s{{0,3}}|\s{{1,2}}(?:is|was)(?:\s{{1,2}}now)?:?\s{{1,2}}|[是为]\s?)"
        rf"{_QUOTE}{_VALUE}",
        rf"(?:{_PASSWORDS}){_TOLD_SCOPE}?\s{{1,2}}(?:(?:is|was|has\s{{1,2}}been|got)\s{{1,2}}(?:now\s{{1,2}})?)?"
        rf"(?:changed|set|reset|updated|rotated)\s{{1,2}}to:?\s{{1,2}}{_QUOTE}{_VALUE}",
        rf"(?<![\w/-])(?<!sudo\s)(?<!run\s)(?:(?:{_PASSWORDS})(?:'s)?\s{{1,2}}|pass\s{{0,3}}[:=]\s{{0,3}}){_QUOTE}{_VALUE}",
        rf"(?<!\S){_QUOTE}{_VALUE}\s{{1,2}}(?:as|is|was)\s{{1,2}}{_THE_PASSWORD}{_NO_MORE_TO_IT}",
        rf"用\s?{_QUOTE}{_VALUE}\s?(?:作为|当作|[做作当])[^\s,.;。，；!-~]{{0,10}}?(?:密码|口令)(?=[\s,.;。，；]|$)",
        rf"(?<![!-~]){_QUOTE}{_VALUE}\s?(?:是|为)[^\s,.;。，；!-~]{{0,12}}?(?:密码|口令)(?=[\s,.;。，；]|$)",
        rf"(?:密码|口令)用\s?{_QUOTE}{_VALUE}(?=\s{{0,2}}[,.;。，；]|\s{{0,2}}$)",
    )
)
TOLD_TOKEN = late.pattern(
    r"\b(?:api[ _-]?(?:key|token|secret)|(?:access|auth|bearer|refresh|session|bot|deploy|personal access)[ _-]?token"
    r"|(?:client|app)[ _-]?secret|(?:secret|access)[ _-]?key)\s{1,2}(?P<quote>[\"'`“「]?)(?P<value>[\w-]{16,400})",
    re.IGNORECASE | re.ASCII,
)
# Programs, forms and standards that are written with their number: what a sentence about passwords names.
NUMBERED_NAME = late.pattern(
    r"(?:v|py|pypy|python|node|java|jdk|php|ruby|go|ubuntu|debian|fedora|windows|win|macos|ios|android|chrome|firefox|iphone"
    r"|postgres(?:ql)?|mysql|redis|kubernetes|k8s|pixel|iso|rfc|nist|owasp|room|page|chapter|section|line|step|level|type"
    r"|vault|users?|test|build|job|ticket|issue)[-_]?\d[\w.-]*",
    re.IGNORECASE,
)

# Words that stand where a secret would, but are none.
PLACEHOLDER = late.pattern(
    r"[\W_]*(?:password|passwd|passphrase|pass|pwd|secret|token|key|user|username|changeme|change[_-]?me|example|xxx+|your\S*"
    r"|my[_-]?(?:password|secret|token)|redacted|placeholder|dummy|none|null|nil|true|false|str|string|int|bool|bytes|text"
    r"|required|optional|empty|unset|undefined|todo|tbd|n/a|here|input|hidden|masked|encrypted|hashed|varchar\S*"
    r"|base64\S*|sha-?\d\S*|md5\S*|bcrypt\S*|scrypt\S*|argon2\S*|pbkdf2\S*|oauth2?\S*|utf-?\d\S*|aes-?\d\S*|rsa-?\d*"
    r"|1password\S*|keepass\S*|ed25519\S*|x509\S*|[rhe]s\d{3}|http\S*|jwt|uuid\S*|totp|2fa|\.{3,}|\*+|•+)[\W_]*",
    re.IGNORECASE,
)
CODE = late.pattern(
    r"\$[\w{(]|%[\w({]|[<{\[(/\\]|~/|\.{1,2}/|(?:os|process|self|this|env|config|settings|ctx|req|request|args|options|params|secrets|vault"
    r"|props|import|function|lambda|await|new|get|fetch|load|read|generate|create)[._(\[:]|\w{1,60}\(|[A-Za-z]:\\"
)

_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|initial|former|past)"
_ORDERS = (
    r"(?:instructions?|prompts?|rules?|directives?|directions?|messages?|guidelines?|commands?|context|constraints?"
    r"|restrictions?)"
)
# What of a text in small letters and single spaces must be there (one of them), and the pattern.
INSTRUCTIONS: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = tuple(
    (tuple(needed.split("|")), late.pattern(pattern, re.IGNORECASE))
    for needed, pattern in (
        (
            "ignore|disregard|forget|override|bypass|discard|skip",
            rf"\b(?:ignore|disregard|forget|override|bypass|discard|skip)\s+(?:(?:all|any|every|each|of|the|your|my|these"
            rf"|those|and|everything)\s+){{0,4}}{_EARLIER}\s+(?:(?:system|user|developer|and|or|the|{_EARLIER})\s+){{0,3}}{_ORDERS}\b",
        ),
        (
            "ignore|disregard|forget|override|bypass",
            rf"\b(?:ignore|disregard|forget|override|bypass)\s+(?:all\s+)?(?:of\s+)?(?:your|the\s+system|system)\s+"
            rf"(?:(?:system|safety|own|current|developer|internal)\s+){{0,2}}(?:{_ORDERS}|training|programming|safeguards)\b",
        ),
        (
            "ignore|disregard|forget",
            r"\b(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:(?:that|you|i|we|was|were|have|has|been|i've|you've)"
            r"\s+){0,3}(?:above|before|previously|told|learned|said so far)\b",
        ),
        (
            "you are ",
            r"\byou\s+are\s+(?:now|no\s+longer)\s+(?:(?:a|an|the|in|running|operating|bound|acting|as)\s+){0,3}"
            r"(?:dan\b|jailbroken|unrestricted|unfiltered|uncensored|developer\s+mode|god\s+mode|by\s+(?:any|your|the)\s|evil)",
        ),
        (
            "restriction|limit|rules|filter",
            r"\b(?:pretend|act|behave|respond|answer)\s+(?:(?:to|be|as|if|though|you|are|were|have|like|an?|the|ai|assistant)\s+){1,6}"
            r"(?:with(?:out)?\s+|no\s+)(?:(?:any|no|all)\s+)?(?:restrictions?|limits|limitations|rules|filters?)\b",
        ),
        (
            "system prompt|system message|system instruction|hidden instruction|initial prompt|initial instruction",
            r"\b(?:reveal|print|show|output|repeat|leak|expose|display|dump|recite)\s+(?:(?:me|us|all|of|out|back|verbatim|exactly)"
            r"\s+){0,3}(?:your|the)\s+(?:(?:full|entire|hidden|secret|initial|original|complete|exact)\s+){0,2}"
            r"(?:system\s+(?:prompt|message|instructions?)|hidden\s+instructions?|initial\s+(?:prompt|instructions?))",
        ),
        (
            "the user",
            r"\b(?:do\s+not|don't|never)\s+(?:tell|inform|reveal\s+(?:this\s+)?to|mention\s+(?:this|it)\s+to|let)\s+the\s+user\b"
            r"(?!\s+(?:to\s|choose|pick|wait|enter|edit|delete|select|upload|change))",
        ),
        (
            "the user",
            r"\bwithout\s+(?:telling|informing)\s+the\s+user\b|\b(?:hide|conceal)\s+(?:this|it)\s+from\s+the\s+user\b",
        ),
        (
            "<|[",
            r"<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id|eot_id)\|>"
            r"|\[/?INST\]|<</?SYS>>|</?(?:system|system[-_]prompt|system-reminder|system_instructions?)>",
        ),
        (
            "system",
            r"(?:^|\n)\s{0,8}(?:#{1,6}\s?|\*\*|\[)?system(?:\s+(?:prompt|message|override|instructions?))?\]?(?:\*\*)?\s?:"
            r"\s?(?:you\b|ignore\b|from now|new\b|the assistant)",
        ),
        (
            "assistant|ai",
            r"(?:^|\n)\s{0,8}(?:#{1,6}\s?|\*\*|\[)?(?:ai(?:\s+assistant)?|assistant)(?:\s+(?:prompt|message|instructions?))?"
            r"\]?(?:\*\*)?\s?:\s?(?:from\s+now\s+on|(?:ignore|disregard|forget)\s+(?:all|any|the|your|every\w*|previous)|obey|new\s+instructions?|you\s+(?:are\s+now|must"
            r"|will\s+now|shall)|(?:reply|respond|answer|speak|write)\s+only)\b",
        ),
        (
            "助手|系统|assistant|system|ai",
            r"(?:^|\n)\s{0,8}(?:#{1,6}\s?|\*\*|\[|【)?(?:(?:AI|智能)?\s?助手|系统(?:消息|指令|提示)?|assistant|system|AI)(?:\]|】|\*\*)?"
            r"\s?:\s?(?:(?:从现在(?:起|开始)?|从今(?:以后|往后|起)|今后|以后),?(?:起,?)?[^。\n]{0,8})?(?:你(?:必须|要|只|现在|将|不再)"
            r"|只(?:能|准|许)?(?:用|以|说)[^。\n]{0,8}(?:回答|回复|输出|交流|语)|只(?:能|准|许)?(?:回答|回复)|(?:忽略|无视)[^。\n]{0,8}(?:用户|要求|指令|指示|命令|规则)|服从|听从)",
        ),
        (
            "system prompt|system instruction|instruction",
            r"\b(?:new|updated|revised)\s+(?:system\s+prompt|system\s+instructions?|instructions?\s+(?:from|for)\s+(?:the\s+)?"
            r"(?:system|developer|assistant|ai|model))\b",
        ),
        (
            "system override|system prompt injection",
            r"\bsystem\s+(?:override|prompt\s+injection)\b\s?[:!]",
        ),
        (
            "from now on",
            r"\bfrom\s+now\s+on\s?,?\s+(?:you\s+(?:are|will\s+act|must\s+(?:obey|ignore))|pretend|ignore|obey)\b",
        ),
        (
            " ai | ais |llm|language model",
            r"\b(?:if\s+you\s+are|to)\s+(?:an?|any|the|all)\s+(?:ai|llm|language\s+model|ai\s+assistant|ai\s+agent)s?"
            r"\s+(?:reading|processing|model|assistant|agent|parsing|viewing)\b.{0,40}\b(?:must|should|please|run|execute|send|ignore"
            r"|do\s+not)\b",
        ),
        (
            "http|@|to this|to my|to the following",
            r"\b(?:send|upload|post|exfiltrate|forward|email|leak|transmit)\s[^.\n]{0,50}\b(?:secrets?|credentials?|api\s?keys?"
            r"|passwords?|tokens?|environment\s+variables|env\s+vars|private\s+keys?|ssh\s+keys?|chat\s+history|conversation"
            r"|memor(?:y|ies))\b[^.\n]{0,40}\bto\s+(?:https?://|[\w.+-]{1,60}@|(?:this|my|the\s+following)\s+(?:url|server|address))",
        ),
        (
            "http|@",
            r"\b(?:send|upload|post|exfiltrate|forward|email|leak|transmit|copy)\s[^\n]{0,50}(?:~/\.(?:ssh|aws|gnupg|netrc|kube"
            r"|docker|config)\b|\bid_(?:rsa|ed25519)\b|\s\.env\b|/etc/(?:passwd|shadow)\b)[^\n]{0,40}\bto\s+"
            r"(?:https?://|[\w.+-]{1,60}@)",
        ),
        (
            "you read this|you process this|you retrieve this|you load this|you recall this",
            r"\b(?:when(?:ever)?|once|if|after|as\s+soon\s+as)\s+you\s+(?:read|process|retrieve|load|recall)\s+this\b[^.\n]{0,40}"
            r"\b(?:send|run|execute|delete|remove|call|upload|post|ignore|forward|install|download|fetch|visit|print|reveal|leak)\b",
        ),
        (
            "fact_store",
            r"\bfact_store\b[^.\n]{0,30}\b(?:remove|delete|purge)\b[^.\n]{0,20}\b(?:all|every|each|any)\b",
        ),
        (
            "facts|every fact|memories",
            r"\b(?:assistants?|ai|agents?|model|llm|you)\s+(?:must|should|shall|(?:have|has|needs?|are|is)\s+to)\s+"
            r"(?:(?:now|first|always|immediately|silently|call|fact_store|to)\s+){0,3}(?:delete|remove|erase|wipe|purge|overwrite)\s+"
            r"(?:on\s+)?(?:all|every|each|any)\s+(?:(?:of|the|your|its|stored|other|saved)\s+){0,3}(?:facts?|memories)\b",
        ),
        (
            "忽略|无视|违背|违抗|理会|听从",
            r"(?:从今以后|从今往后|从现在起|从现在开始|今后|以后|请你?|你(?:要|必须|应该?|需要)|指令\s?:)[^。\n不]{0,6}"
            r"(?:忽略|无视|违背|违抗|不要?理会|不[再要]听从)(?:掉)?(?:用户|使用者|主人)的?(?:所有|一切|全部|任何)?的?"
            r"(?:要求|指令|请求|指示|命令)",
        ),
        (
            "新的指令|新指令|新的系统指令|新系统指令|新的指示|新的系统提示",
            r"新的?(?:系统)?(?:指令|指示|提示词?)\s?:[^。\n]{0,12}(?:忽略|无视|必须|不再|你(?:要|是|现在))",
        ),
        (
            "忽略|无视|忘记|忘掉|理会|抛开|覆盖|绕过|违反",
            r"(?<!我)(?<!用户)(?:忽略|无视|忘记|忘掉|不要理会|不用理会|抛开|覆盖|绕过|违反)(?:掉)?(?:你|您|我)?的?"
            r"(?:之前|以上|上面|前面|先前|此前|上述|系统|原有|原来|既有|所有|一切|全部|任何|收到|给你|你)"
            r"(?:之前|以上|上面|前面|先前|上述|系统|原有|所有|一切|全部|的|你|收到|给|过|你的|安全){0,5}"
            r"(?:指令|指示|提示词|系统提示(?!音|框)|设定|命令|对话|约束|安全规则|安全限制|规则|限制)",
        ),
        (
            "限制|约束|越狱|审查|规则",
            r"(?:现在|从现在起|从现在开始|今后),?(?:起,?)?你(?:现在)?就?(?:是|扮演|变成|不再受|不受|没有|处于|进入)了?(?:一个|一名)?"
            r"(?:没有|不受|无|任何|的){0,3}(?:任何)?(?:限制|约束|越狱|审查|规则)",
        ),
        (
            "从现在|模式",
            r"(?:从现在起|从现在开始),?你(?:不再|必须服从|必须忽略|要忽略|只听从|只服从)|进入(?:越狱|无限制|不受限|上帝)模式|越狱模式",
        ),
        (
            "系统提示|系统指令|初始指令|隐藏指令|隐藏提示",
            r"(?:泄露|输出|显示|打印|告诉我|透露|复述|展示|公开)(?:出)?(?:你|您)?的?(?:完整|全部|隐藏|原始|初始)?的?"
            r"(?:系统提示词?(?!音|框)|系统指令|初始指令|隐藏指令|隐藏提示)",
        ),
        (
            "用户|使用者",
            r"(?:不要|别|不得|切勿|不能)(?:告诉|告知|让)(?:用户|使用者)(?:这|你|我们?|知道|发现|此)|(?:瞒着|背着)用户",
        ),
        (
            "提示",
            r"(?<!我)(?<!用户)(?:忽略|无视|忘记|忘掉|不要理会|抛开)(?:掉)?(?:你|您)?的?(?:之前|以上|上面|前面|先前|此前|上述)"
            r"(?:的|所有|一切|全部|任何){0,3}提示(?=[\s,.;!。，；！、]|$)",
        ),
        (
            "悄悄|偷偷|暗中|秘密|私下",
            r"(?:悄悄|偷偷|暗中|秘密|私下)地?(?:把|将)[^。\n]{0,30}(?:发送|上传|发|提交|转发|传)(?:到|给|至)[^。\n]{0,10}"
            r"(?:https?://|[\w.+-]{1,60}@)",
        ),
        (
            "http",
            r"(?:把|将)[^。\n]{0,20}(?:密钥|密码|凭证|凭据|令牌|环境变量|对话记录|聊天记录|记忆|token|api ?key)"
            r"[^。\n]{0,20}(?:发送|上传|发|提交|转发|传)(?:到|给|至)[^。\n]{0,10}https?://",
        ),
        (
            "如果你是|读到|看到|阅读",
            r"(?:如果你是|读到(?:这|本|此)|看到(?:这|本|此)|阅读(?:这|本|此))[^。\n]{0,12}(?:AI|人工智能|语言模型|大模型|智能体|助手)"
            r"[^。\n]{0,10}(?:请|必须|应当|需要|要)(?:立即|立刻|马上|忽略|执行|运行|删除|发送)",
        ),
    )
)
