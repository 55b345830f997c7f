"""Names that are known to be names, and capitalised words that are none: data of the entity extraction."""


def _words(*lists: str) -> frozenset[str]:
    """Return the entries of lists written with bars and line ends, case folded."""
    return frozenset(
        word.strip().casefold() for each in lists for line in each.split("\n") for word in line.split("|") if word
    )


# Products that are known in any spelling of case: they are names at the start of a sentence, too.
PRODUCTS = _words("""
Redis|PostgreSQL|Postgres|MySQL|MariaDB|SQLite|MongoDB|Cassandra|Elasticsearch|OpenSearch|ClickHouse
DuckDB|Snowflake
BigQuery|DynamoDB|Memcached|Kafka|RabbitMQ|ZeroMQ|Celery|Airflow|Hadoop|etcd|ZooKeeper|InfluxDB
Prometheus|Grafana
Kibana|Logstash|Jaeger|OpenTelemetry|Datadog|Sentry|PagerDuty|Docker|Podman|Kubernetes|k8s|k3s|minikube
containerd
Terraform|Ansible|Vagrant|Jenkins|GitHub|GitLab|Gitee|Bitbucket|CircleCI|ArgoCD|Nginx|Caddy|Traefik
HAProxy|Envoy
Istio|Cloudflare|Vercel|Netlify|Heroku|AWS|Azure|GCP|DigitalOcean|Supabase|Firebase|Linux|Ubuntu|Debian
Fedora|CentOS
macOS|Windows|Android|iOS|WSL|Homebrew|Python|CPython|PyPy|JavaScript|TypeScript|Kotlin|Golang|Haskell
Erlang|Scala
Clojure|PHP|Perl|Fortran|COBOL|MATLAB|WebAssembly|Node.js|NodeJS|Deno|npm|pnpm|Vue|Vue.js|React Native
ReactJS|Angular
Svelte|Next.js|Nuxt|Nuxt.js|jQuery|Tailwind|Tailwind CSS|Vite|Webpack|esbuild|ESLint|Prettier|Babel
Vitest|Jest|Cypress
Playwright|Selenium|Puppeteer|Django|FastAPI|Pydantic|SQLAlchemy|Alembic|Uvicorn|Gunicorn|pytest|mypy
NumPy|SciPy|PyTorch
TensorFlow|Keras|scikit-learn|Matplotlib|Jupyter|Streamlit|Gradio|LangChain|Ollama|vLLM|OpenAI|ChatGPT
Anthropic|Gemini
Copilot|DeepSeek|Qwen|Llama|Hugging Face|Spring Boot|MyBatis|Hibernate|Gradle|Maven|Tomcat|Rails
Laravel|Symfony
GraphQL|gRPC|Protobuf|OAuth|OAuth2|JWT|WebSocket|WebRTC|MQTT|Markdown|YAML|JSON|TOML|XML|HTML|CSS|HTTP|HTTPS
VS Code|VSCode|Visual Studio Code|IntelliJ|IntelliJ IDEA|PyCharm|WebStorm|GoLand|Neovim|Emacs|tmux
Xcode|Android Studio
Figma|Slack|Discord|Telegram|WhatsApp|Jira|Confluence|Notion|Obsidian|Trello|Asana|Zoom|Gmail|Google
Microsoft|Amazon
Netflix|Spotify|YouTube|Twitter|Facebook|Instagram|LinkedIn|Reddit|Stripe|PayPal|Twilio|Wikipedia|Photoshop
iPhone|iPad|MacBook|PlayStation|Xbox|Chrome|Chromium|Firefox|Safari|Wireshark|Postman|Unity|Blender
Godot|ffmpeg
C++|C#|F#|.NET|ASP.NET|WeChat|Alipay|DingTalk|Feishu|Lark|Taobao|TikTok|Weibo|Bilibili|Alibaba|Tencent
Huawei|Baidu
MinIO|Nacos|Dubbo|RocketMQ|SkyWalking|Apollo|Sentinel|Arthas|TiDB|Milvus|Weaviate|Pinecone|Qdrant|Neo4j
zsh|PowerShell|git|curl|rsync|systemd|crontab|conda|Anaconda|pipx|uv|pip|rustc|rustup|clang|gcc|LLVM
CMake|Bazel
""")

# Of several words, by the first one.
PRODUCTS_OF_WORDS: dict[str, tuple[str, ...]] = {
    first: tuple(sorted((name for name in PRODUCTS if name.startswith(first + " ")), key=len, reverse=True))
    for first in {name.split(" ")[0] for name in PRODUCTS if " " in name}
}

CHINESE_PRODUCTS = """
企业微信|微信支付|微信小程序|微信|支付宝|钉钉|飞书|淘宝|天猫|京东|抖音|快手|微博|知乎|小红书|哔哩哔哩
今日头条|阿里巴巴|阿里云|腾讯云|腾讯会议
腾讯文档|腾讯|华为云|华为|百度网盘|百度地图|百度|字节跳动|火山引擎|美团|滴滴出行|网易云音乐|网易
高德地图|通义千问|通义灵码|文心一言|豆包|智谱清言|混元
鸿蒙|飞桨|宝塔面板|码云|语雀|石墨文档|金山文档|禅道|蓝湖|达梦数据库|人大金仓|麒麟操作系统|统信|小米
拼多多|携程|苹果电脑|谷歌|微软|亚马逊云
"""

# Capitalised words that begin sentences: no part of the name that follows them.
STARTERS = _words("""
use|uses|using|used|run|runs|set|add|install|deploy|never|always|prefer|prefers|avoid|call|check|keep
write|start|stop|make
build|test|fix|read|see|note|notes|remember|please|do|don't|put|get|move|copy|open|close|create|delete
remove|rename|update
upgrade|enable|disable|configure|restart|migrate|switch|store|save|send|ask|tell|let|try|give|take|go
come|look|find|show
import|export|push|pull|merge|commit|release|publish|pin|bump|wrap|mock|log|logs|format|formats|backup
backups|rotate
woohoo|whoa|ooh|oof|yup|aw|hmm|uh|um|three|four|five|six|seven|eight|nine|ten
hey|hi|hello|wow|oh|ah|yeah|yes|no|nope|ok|okay|thanks|thank|nice|cool|awesome|amazing|congrats
congratulations
sure|sorry|well|absolutely|definitely|totally|exactly|really|haha|lol|glad|happy|aww|yay|yep|right|bye
dear|welcome|sounds
so|and|but|or|nor|yet|if|when|while|where|what|why|who|whose|which|how|that|this|these|those|there|here
then|than|also
after|before|during|since|until|unless|because|although|though|as|at|by|for|from|in|into|of|off|on|onto
out|over|to|up|with
without|about|above|below|between|under|only|just|even|still|again|already|maybe|perhaps|usually|often
sometimes|today
yesterday|tomorrow|tonight|now|later|soon|once|first|second|third|finally|next|last|every|each|all|any
some|both|most|many
few|several|such|same|other|another|our|my|your|his|her|its|their|we|you|he|she|it|they|i|i'm|i've|i'll
i'd|it's
here's|there's|what's|who's|where's|he's|she's|how's|isn't|can't|won't|didn't|doesn't
we're|you're|that's|let's|the|a|an|is|are|was|were|be|been|has|have|had|can|could|will|would|should
must|may|might|not
did|does|doing|having|being|gonna|wanna|gotta|speaking|according|instead|however|therefore|default
current|production
user|users|team|server|service|database|file|files|project|version|everyone|everything|someone
something|nothing|nobody
""")

SMALL_WORDS = _words("""
unity|zoom|slack|notion|stripe|confluence|safari|chrome|gemini|apollo|sentinel|blender|babel|jest|lark
cypress|celery|snowflake
windows|android|angular|maven|spark|amazon|discord|envoy|caddy|sentry|cassandra|rails|vite|airflow
vagrant|tailwind|llama
curl|puppeteer|playwright|hibernate|jaeger|symfony|asana|postman|copilot|apple
""")

CALENDAR = _words("""
monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun
january|february|march|april|may|june|july|august|september|october|november|december
jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec
""")

# Capitalised or upper-case words that name nothing worth a node in the graph.
NO_NAMES = (
    _words("""
i|am|pm|utc|gmt|bc|ad|ok|okay|mr|mrs|ms|dr|prof|sir|vs|etc|eg|ie|aka
uncle|aunt|auntie|granny|mommy|daddy|mom|dad|mum|grandma|grandpa|god|english|chinese|japanese|korean|french|german|spanish|italian|russian
mandarin|american
british|european|asian|true|false|null|none|nil|nan|yes|no|hello|hi|hey|todo|fixme|xxx|wip|tbd|tba|asap
fyi|btw|imo|imho
lol|omg|faq|note|warning|error|info|debug|fatal|important|attention|bug|code|token|tokens|deploy|commit
merge|push|pull
id|ids|url|urls|ui|ux|it|pc|ps|nb|re|cc|qa|ai|ii|iii|iv|vi|vii|viii|ix|tl|dr|na|hr|min|max|usb|cpu|gpu
ram|app|web|demo
go|not|never|always|must|should|shall|only|all|any|and|or|the|do|don|an|a|is|on|in|off|if|to|of|at|by
for|be|we|you|my|me
so|as|us|up|now|new|old|first|last|next|before|after|use|used|using|with|without|from|this|that|what
when|where|why|how
love|awesome|wow|best|very|really|too|much|more|most|please|thanks|stop|wait|free|day|one|two|read
write|get|set|put|post
patch|delete|select|insert|update|create|drop|where|join|table|index|key|value|branch|tag|test|tests
dev|prod|staging|online
""")
    | CALENDAR
)

FILE_EXTENSIONS = (
    "py|pyi|ipynb|js|mjs|cjs|jsx|ts|tsx|vue|svelte|json|jsonl|json5|ya?ml|toml|ini|cfg|conf|config|env|md|mdx|rst|txt|csv"
    "|tsv|parquet|xml|html?|css|scss|less|sh|bash|zsh|ps1|bat|sql|sqlite|db|lock|log|go|rs|c|h|cc|cpp|hpp|java|kt|kts|swift"
    "|rb|php|cs|fs|scala|ex|exs|erl|hs|lua|r|jl|proto|graphql|tf|tfvars|hcl|gradle|properties|pem|crt|key|p12|jks|service"
    "|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|ico|mp[34]|wav|mov|zip|tar|gz|tgz|bz2|xz|7z|whl|jar|war|apk|ipa|exe|dll|so"
    "|feature|bak|tmp|dockerfile|mk|cmake|patch|diff|map|snap"
)
BARE_FILES = r"Dockerfile|Makefile|Jenkinsfile|Procfile|Vagrantfile|Justfile|Gemfile|Rakefile|Brewfile|CODEOWNERS"
TOP_LEVEL_DOMAINS = (
    "com|org|net|io|dev|ai|cn|app|edu|gov|local|internal|lan|corp|example|test|invalid|cloud|tech|xyz"
    "|uk|de|fr|jp|eu|info|sh"
)
# First folders that make `a/b` a path, and first parts that make it a branch.
FIRST_FOLDERS = (
    "src|lib|libs|test|tests|spec|specs|docs?|app|apps|bin|cmd|pkg|internal|packages|modules|scripts|tools|config|configs"
    "|conf|etc|data|db|build|dist|public|static|assets|components|pages|server|client|api|web|infra|deploy|migrations|\\.github"
    "|\\.vscode|\\.claude|node_modules|features?|openspec|origin|upstream|feat|fix|hotfix|release|bugfix|chore|refs"
)
# Nouns which tell that the hyphenated word beside them is a name.
NOUNS_OF_NAMED_THINGS = _words("""
service|services|repo|repository|branch|package|server|cluster|job|pipeline|module|project|container
bucket|database|table
topic|queue|host|plugin|library|skill|script|label|namespace|pod|image|app|channel|cli|tool|daemon
worker|crate|gem|extension
""")
# Compounds of plain English, by their first or last part.
PLAIN_PREFIXES = _words("""
real|long|short|high|low|read|write|third|open|self|well|non|pre|post|multi|cross|full|part|end|up|down
on|off|in|out|top
state|hard|soft|ready|built|re|co|ad|all|half|one|two|three|four|five|six|first|second|last|cloud|per
near|single|double
anti|semi|sub|super|ultra|old|new|good|bad|best|so|add|log|sign|check|set|follow|make|must|day|week
year|month|right|left
ever|far|fast|slow|large|small|big|wide|cold|hot|warm|dry|deep|light|dark|heavy|much|mid|inter|intra|bi
tri|e|t|x|time
""")
PLAIN_SUFFIXES = _words("""
based|driven|like|free|only|level|ready|time|side|specific|wide|safe|related|friendly|facing|party|in
on|up|out|off|of|by|to
and|the|a|old|art|date|end|less|aware|oriented|first|proof|term|scale|case|size|style|heavy|light
hosted|case|check|quality
""")
NO_QUOTES = _words("""
ok|yes|no|good|done|hello|好|好的|是|是的|对|不|行|可以|谢谢|你好|再见|加油|没问题|知道了
""")
# Before 项目, 平台, 系统 ... these make a kind of thing, not the name of one.
GENERIC_CHINESE = _words("""
操作|文件|测试|开发|后台|前端|后端|生产|线上|本地|开源|整个|所有|当前|其他|默认|目标|管理|关系|图|向量|多个|分布式|主|从|子|两个|三个|自己
游戏|搜索|语音|智能|推荐|聊天|机|科研|合作|个人|重要|大型|小|好|比赛|学习|训练|活动|志愿|研究|工作|治疗|锻炼|运动|课程|健身|娱乐|社交|手工|真实|内部|这些|那些|志愿者|伴侣|在线|学习类
""")
