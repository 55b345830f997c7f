"""Word lists of the tokenizer: what says nothing about a text, and what no stemmer knows."""


def _words(lines: str) -> list[str]:
    return lines.split()


ENGLISH_STOP_WORDS = frozenset(
    _words("""
    a an the this that these those some any each every both either neither such other another same own i
    me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she
    her hers herself it its itself they them their theirs themselves one ones someone something anyone
    anything am is are was were be been being do does did doing done have has had having will would
    shall should can could may might must ought im ive youre youve youd youll hes shes its were
    theyre theyve weve isnt arent wasnt werent dont doesnt didnt havent hasnt hadnt wont wouldnt
    shouldnt cant cannot couldnt and or but nor so yet if then else than because while although though
    whether as of in on at by for with from to into onto about over under between among through during
    before after above below up down out off again further until since within without upon what which
    who whom whose when where why how here there now just also too very only even still already no not
    all most more much many few lot please thanks thank yes ok okay oh hey hi hello etc
    """)
)

CHINESE_STOP_WORDS = frozenset(
    _words("""
    的 了 吗 呢 吧 啊 呀 哦 嘛 哈 我 你 您 他 她 它 们 是 在 和
    与 及 或 也 都 就 还 很 这 那 之 着 地 得 我们 你们 他们 她们 它们 咱们
    什么 哪些 哪个 哪里 怎么 为什 这个 那个 这些 那些 我的 你的 他的 她的 是的 是我 我是 你是 的我 的你
    """)
)

# base form: its forms that no stemmer leads back to it
_IRREGULAR = """
    arise: arose arisen; awake: awoke awoken; beat: beaten; become: became; begin: began begun;
    bend: bent; bind: bound; bite: bit bitten; bleed: bled; blow: blew blown; break: broke broken;
    breed: bred; bring: brought; build: built; burn: burnt; buy: bought; catch: caught;
    choose: chose chosen; come: came; creep: crept; deal: dealt; dig: dug; draw: drew drawn;
    dream: dreamt; drink: drank drunk; drive: drove driven; eat: ate eaten; fall: fell fallen;
    feed: fed; feel: felt; fight: fought; find: found; flee: fled; fly: flew flown;
    forbid: forbade forbidden; forget: forgot forgotten; forgive: forgave forgiven;
    freeze: froze frozen; get: got gotten; give: gave given; go: went gone; grow: grew grown;
    hang: hung; hear: heard; hide: hid hidden; hold: held; keep: kept; know: knew known; learn: learnt;
    lend: lent; lose: lost; make: made; mean: meant; meet: met; pay: paid; ride: rode ridden;
    ring: rang rung; rise: risen; run: ran; say: said; see: saw seen; seek: sought; sell: sold;
    send: sent; shake: shook shaken; shine: shone; shoot: shot; show: shown; shrink: shrank shrunk;
    sing: sang sung; sink: sank sunk; sit: sat; sleep: slept; slide: slid; speak: spoke spoken;
    spend: spent; spin: spun; stand: stood; steal: stole stolen; stick: stuck; strike: struck;
    swear: swore sworn; sweep: swept; swim: swam swum; swing: swung; take: took taken; teach: taught;
    tear: tore torn; tell: told; think: thought; throw: threw thrown; understand: understood;
    wake: woke woken; wear: wore worn; weave: wove woven; weep: wept; win: won;
    withdraw: withdrew withdrawn; write: wrote written; man: men; woman: women; child: children kid;
    person: people; foot: feet; tooth: teeth; goose: geese; mouse: mice; life: lives; wife: wives;
    knife: knives; leaf: leaves; half: halves; shelf: shelves; wolf: wolves; self: selves; loaf: loaves;
    thief: thieves; index: indices; matrix: matrices; analysis: analyses; grey: gray;
    artifact: artefact artefacts; defense: defence defences; license: licence licences licenced;
    offense: offence offences; aluminum: aluminium; program: programme programmes; skeptic: sceptic sceptics;
    mold: mould moulds; plow: plough ploughs; aging: ageing; fulfill: fulfil fulfils; enroll: enrol enrols;
    installment: instalment instalments; practice: practise; jewelry: jewellery; maneuver: manoeuvre manoeuvres;
    mom: mum mother mommy; dad: father daddy; grandma: grandmother granny; grandpa: grandfather;
    photo: photograph; monday: mon; tuesday: tue tues; wednesday: wed weds; thursday: thu thur thurs; friday: fri;
"""


# Words that Porter's stemmer takes for forms of another one, each with its own forms: "import" is not "important".
_APART = """
    important: importance importantly; general: generally generals; generous: generously;
    generic: generics generically; production: productions; productive: productively productivity;
    experiment: experiments experimental experimentally experimentation experimented experimenting;
    university: universities; universal: universally; international: internationally; internal: internally internals;
    paste: pastes pasted pasting; community: communities; personal: personally; personality: personalities;
    personnel:; authority: authorities;
    organ: organs; organic: organically; organism: organisms; animal: animals; anime: animes;
    positive: positively positives; relative: relatively relatives; political: politically politics politician;
    several:; severity: severities; statue: statues; executive: executives; apartment: apartments;
    department: departments; business: businesses; conversation: conversations conversational; emergency: emergencies;
    excellent: excellence excellently; commitment: commitments; objective: objectives; objection: objections;
    container: containers; customer: customers; engineer: engineers engineering engineered;
    integrity:; responsible: responsibly responsibility responsibilities; responsive: responsively responsiveness;
    activate: activates activated activating activation; activity: activities; terminal: terminals;
    operator: operators; original: originally originals; critical: critically; digital: digitally; physics:;
    serial: serials; exception: exceptions exceptional; news:; evening: evenings; ios:; marketing:; parking:;
    accountant: accountants; accounting:; suite: suites; witness: witnesses; formation: formations;
    designate: designated designates designation; optimism: optimistic; ironic: ironically; united:;
    composer: composers; illness: illnesses; premiere: premieres; audition: auditions;
    probability: probabilities; reservation: reservations; convention: conventions conventional;
"""


def _read_irregular(lines: str) -> dict[str, str]:
    bases: dict[str, str] = {}
    for entry in lines.replace("\n", ";").split(";"):
        base, _, forms = entry.partition(":")
        base = base.strip()
        for form in forms.split() or filter(None, [base]):
            bases[form] = base
    return bases


IRREGULAR_FORMS = _read_irregular(_IRREGULAR)
OWN_TERMS = _read_irregular(_APART)
OWN_TERMS.update({base: base for base in OWN_TERMS.values()})
