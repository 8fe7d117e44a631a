package table

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pgknee/analysis/settings"
)

// role is what a column holds.
type role uint8

const (
	unknown    role = iota // nothing is known of it
	ignored                // known to be of no use: gains, minima, …
	clients                // concurrency
	throughput             // transactions per second, or of another unit
	latency                // mean latency
	stddev                 // standard deviation of the latency
	percentile             // a percentile of the latency
	repeat                 // which repeat
	series                 // a name that tells runs apart
	scale
	duration
	elapsed // time within a run, or of day
	threads // of the load generator
	failed
	transactions
	connecting // initial connection time
	limit      // the rate that the load was throttled to
	metricName // entity-attribute-value: what the value is
	metricValue
)

// answers are the names of roles that --columns takes.
var answers = []struct {
	name string
	role role
}{
	{"-", ignored},
	{"clients", clients},
	{"tps", throughput},
	{"latency", latency},
	{"stddev", stddev},
	{"run", repeat},
	{"series", series},
	{"scale", scale},
	{"duration", duration},
	{"time", elapsed},
	{"threads", threads},
	{"failed", failed},
	{"transactions", transactions},
	{"metric", metricName},
	{"value", metricValue},
}

func (r role) String() string {
	for _, a := range answers {
		if a.role == r {
			return a.name
		}
	}
	return "-"
}

// heading is what the heading of a column, or the label of a row that is one, says.
type heading struct {
	text  string
	role  role
	label string  // what is left when the words of the role are taken away: "v15" of "v15 tps"
	unit  string  // of throughput: tps, qps, nopm, …
	stat  string  // mean, median, min, max: which statistic of the throughput; "" for none
	kind  string  // of throughput: one of bench's kinds
	toMs  float64 // milliseconds in the unit of a latency; 0 if the heading names none
	times float64 // a multiplier in the heading: 1000 for "kTPS"
	pct   string  // which percentile
	rank  int     // how sure a concurrency word is of its meaning: 3 clients, 2 client, 1 threads, 0 workers
	count int     // the concurrency that the heading itself states ("c=64", "64 clients"); -1 for none
	names bool    // role series: the heading is a known word for what tells runs apart
}

// words of the headings. Those in other scripts are looked for as parts, because they are written without blanks.
var (
	concurrencyWords = map[string]int{
		"clients": 3, "connections": 3, "dbconnections": 3, "conns": 3, "users": 3, "vusers": 3, "vus": 3, "terminals": 3, "concurrency": 3, "numclients": 3, "nclients": 3,
		"connection": 2, "conn": 3, "client": 2, "clnt": 2, "vuser": 3, "vu": 3, "user": 2, "conc": 3, "cons": 2, "con": 2, "sessions": 3, "backends": 2, "terminal": 2, "cl": 2,
		"threads": 1, "thread": 1, "thds": 1, "thrds": 1, "thr": 1, "nthreads": 1, "numthreads": 1, "c": 2, "dop": 1,
		"klienten": 3, "verbindungen": 3, "verbindung": 2, "benutzer": 3, "nutzer": 3, "sitzungen": 3, "parallelität": 3, "nebenläufigkeit": 3,
		"connexions": 3, "connexion": 2, "utilisateurs": 3, "conexiones": 3, "conexões": 3, "clientes": 3, "usuarios": 3, "usuários": 3, "hilos": 1, "concurrencia": 3, "concorrência": 3,
		"connessioni": 3, "utenti": 3, "verbindingen": 3, "gebruikers": 3, "połączenia": 3, "klienci": 3, "klientów": 3, "użytkownicy": 3, "bağlantı": 3,
		"клиенты": 3, "клиентов": 3, "клиент": 3, "соединения": 3, "соединений": 3, "подключения": 3, "подключений": 3, "пользователи": 3, "пользователей": 3, "потоки": 1, "потоков": 1, "сессии": 3,
	}
	concurrencyParts = []struct {
		part string
		rank int
	}{{"并发", 3}, {"併發", 3}, {"客户端", 3}, {"连接数", 3}, {"連接數", 3}, {"用户数", 3}, {"线程", 1}, {"線程", 1}, {"클라이언트", 3}, {"동시", 3}, {"접속", 3}, {"연결", 3}, {"사용자", 3}, {"스레드", 1}, {"쓰레드", 1}, {"クライアント", 3}, {"接続数", 3}, {"同時", 3}, {"多重度", 3}, {"並列", 2}, {"スレッド", 1}, {"ユーザ", 3}}

	throughputWords = map[string]string{
		"tps": "tps", "throughput": "tps", "goodput": "tps", "tx/s": "tps", "txns/s": "tps", "txn/s": "tps", "transactions/s": "tps", "trans/s": "tps", "xacts/s": "tps", "ktps": "tps", "mtps": "tps",
		"qps": "qps", "queries/s": "qps", "rps": "rps", "requests/s": "rps", "req/s": "rps", "ops": "ops", "ops/s": "ops", "operations/s": "ops", "kops": "ops", "eps": "eps", "events/s": "eps",
		"tpm": "tpm", "tpmc": "tpm", "transactions/min": "tpm", "nopm": "nopm", "tpmtotal": "tpm", "kqps": "qps", "topm": "tpm",
		"durchsatz": "tps", "débit": "tps", "rendimiento": "tps", "transaktionen/s": "tps", "transacciones/s": "tps", "transazione/s": "tps", "transakcji/s": "tps", "transakcje/s": "tps", "transacties/s": "tps", "peticiones/s": "rps", "solicitudes/s": "rps", "consultas/s": "qps", "requêtes/s": "rps", "requisições/s": "rps", "richieste/s": "rps", "anfragen/s": "rps", "abfragen/s": "qps", "запросов/с": "qps", "запросов/s": "qps", "transações/s": "tps", "transazioni/s": "tps", "vazão": "tps", "caudal": "tps", "doorvoer": "tps", "przepustowość": "tps", "verim": "tps",
		"транзакций/с": "tps", "транзакций/s": "tps", "транзакции/s": "tps", "транзакции/с": "tps", "производительность": "tps",
	}
	throughputParts = []string{"吞吐", "처리량", "스ループット", "スループット", "пропускная", "每秒事务", "每秒交易", "每秒事務", "초당트랜잭션", "트랜잭션/초", "トランザクション/秒", "秒あたりのトランザクション", "秒あたりトランザクション", "秒間トランザクション"}

	latencyWords = map[string]bool{
		"latency": true, "lat": true, "latencies": true, "response": true, "resp": true, "rt": true, "latenz": true, "antwortzeit": true, "latence": true, "latencia": true, "latência": true, "latenza": true,
		"задержка": true, "латентность": true, "отклик": true, "latentie": true, "opóźnienie": true, "gecikme": true, "réponse": true, "respuesta": true, "resposta": true, "risposta": true, "odpowiedzi": true, "ответа": true,
	}
	latencyParts = []string{"延迟", "延遲", "时延", "響應", "响应", "지연", "응답", "レイテンシ", "遅延", "応答"}

	seriesWords = map[string]bool{
		"version": true, "ver": true, "build": true, "branch": true, "commit": true, "test": true, "testtype": true, "profile": true, "mode": true, "name": true, "label": true, "kernel": true,
		"target": true, "config": true, "configuration": true, "variant": true, "patch": true, "series": true, "workload": true, "dbms": true, "db": true, "database": true, "machine": true, "hardware": true, "processor": true, "node": true, "region": true, "flavor": true, "flavour": true, "tier": true, "vm": true, "host": true, "server": true,
		"protocol": true, "script": true, "type": true, "setting": true, "case": true, "benchmark": true, "setup": true, "scenario": true, "engine": true, "instance": true, "product": true, "system": true, "filesystem": true, "fs": true, "branchname": true, "revision": true, "release": true, "method": true, "pooler": true, "proxy": true, "env": true, "environment": true, "tag": true, "group": true, "set": true, "storage": true, "disk": true, "provider": true, "query": true, "querymode": true,
		"konfiguration": true, "variante": true, "versión": true, "configuración": true, "конфигурация": true, "версия": true, "режим": true, "lauf": true, "modus": true,
	}
	seriesParts = []string{"版本", "配置", "模式", "场景", "버전", "설정", "모드", "バージョン", "設定", "モード", "構成"}
)

// readHeading reads the heading of a column or of a row.
func readHeading(text string) heading {
	h := heading{text: strings.TrimSpace(clean(text)), count: -1, times: 1}
	if label, ok := settingLabel(h.text); ok {
		h.text = label
		h.label = label
		return h
	}
	ws := headingWords(h.text)
	if len(ws) == 0 {
		if strings.ContainsAny(h.text, "%Δ±") {
			h.role = ignored
		}
		return h
	}
	low := strings.ToLower(h.text)
	has := func(names ...string) bool {
		for _, n := range names {
			for _, w := range ws {
				if w.low == n {
					return true
				}
			}
		}
		return false
	}
	take := func(names ...string) {
		for i := range ws {
			for _, n := range names {
				if ws[i].low == n {
					ws[i].taken = true
				}
			}
		}
	}
	for i := range ws {
		w := &ws[i]
		if p, ok := percentileOf(w.low); ok {
			h.pct, w.taken = p, true
		}
		if f := timeUnit(w.low); f > 0 && (w.bracket || w.suffix) && h.toMs == 0 {
			h.toMs, w.taken = f, true
		}
	}
	lat, first := has("delay"), false
	for i := range ws {
		if w := &ws[i]; latencyWords[w.low] || containsAny(w.low, latencyParts) {
			lat, w.taken = true, true
		} else if w.low == "tps" && !lat {
			first = true
		}
	}
	if first && lat && strings.Contains(low, "/") {
		lat = false // "tps / latency": the cells hold both, throughput first
	}
	var thr string
	for i := range ws {
		w := &ws[i]
		if u, ok := throughputWords[strings.TrimPrefix(w.low, "万")]; ok && !lat {
			if thr == "" || thr == "tps" && !w.bracket {
				thr = u
			}
			if thr == "tps" && w.bracket && u != "tps" && (has("throughput") || has("goodput") || has("durchsatz")) {
				thr = u // Throughput (requests/second): the unit says what it counts
			}
			w.taken = true
			if strings.HasPrefix(w.low, "k") {
				h.times = 1e3
			} else if w.low == "mtps" {
				h.times = 1e6
			} else if strings.HasPrefix(w.low, "万") {
				h.times = 1e4
			}
		} else if !lat && containsAny(w.low, throughputParts) {
			thr, w.taken = "tps", true
		}
	}
	for _, w := range ws {
		if strings.Contains(w.low, "/") && throughputWords[w.low] == "" {
			thr = "" // MB/s, rows/h: a rate of something else
			if !lat {
				h.role = ignored
			}
		}
	}
	for i := 1; i < len(ws); i++ {
		if throughputWords[ws[i-1].low] != "" && ws[i].at > ws[i-1].end && perOne[ws[i].low] && strings.TrimSpace(h.text[ws[i-1].end:ws[i].at]) == "/" ||
			i > 1 && throughputWords[ws[i-2].low] != "" && ws[i-1].low == "per" && perOne[ws[i].low] {
			h.role = ignored // NOPM/VU, tps per core: a share of the throughput
		}
	}
	ratio := strings.ContainsAny(low, "%Δ") && !has("ci") || has("gain", "improvement", "diff", "difference", "delta", "change", "speedup", "ratio", "relative", "vs", "efficiency", "increase", "decrease", "overhead", "slowdown", "regression", "degradation", "loss", "drop", "faktor", "factor", "scaling", "scaled", "normalized", "normalised", "提升", "变化", "стд")
	switch {
	case h.role == ignored:
	case ratio && h.pct == "":
		h.role = ignored
	case thr != "":
		h.role, h.unit = throughput, thr
		for i := range ws {
			if ws[i].bracket && (ws[i].low == "k" || ws[i].low == "x1000" || ws[i].low == "thousands" || ws[i].low == "thousand") {
				h.times, ws[i].taken = 1e3, true
			}
		}
		switch {
		case has("stddev", "stdev", "std", "sd", "deviation", "cv", "variance", "var", "err", "error", "errors", "spread", "count"):
			h.role = ignored
		case has("excluding", "excl", "exclude", "exc") || has("without") && has("connection", "connections") && has("initial", "time", "establishing"):
			h.kind = "excluding-connections"
		case has("including", "incl", "include") && strings.Contains(low, "reconn"):
			h.kind = "including-reconnections"
		case has("including", "incl", "include", "inc"):
			h.kind = "including-connections"
		}
		if h.kind != "" {
			take("without", "initial", "connection", "connections", "time", "excluding", "excl", "exclude", "exc", "including", "incl", "include", "inc", "establishing", "reconnection", "times")
		}
		for i := 1; i < len(ws); i++ {
			ws[i].taken = ws[i].taken || ws[i-1].low == "of" && isDigits(ws[i].low) // median of 3
		}
		if has("ci") {
			take("ci", "90", "95", "99")
		}
		for stat, names := range statWords {
			if has(names...) {
				h.stat = stat
				take(names...)
			}
		}
		take("transactions", "transaction", "trans", "txn", "txns", "tx", "per", "second", "sec", "rate", "total", "post", "warmup", "final", "queries", "requests", "server", "minute", "min", "average", "higher", "is", "better", "#", "number", "of", "achieved", "measured", "aggregate", "agregado", "σ", "수", "数")
		h.toMs = 0
	case strings.Contains(low, "connection time") || has("conntime", "initialconnectiontime"):
		h.role = connecting
	case lat || h.pct != "" || h.toMs > 0 && has("avg", "average", "mean", "ave", "median", "med"):
		h.role = latency
		switch {
		case has("stddev", "stdev", "std", "sd", "deviation", "sdev"):
			h.role = stddev
		case h.pct != "" && h.pct != "mean":
			h.role = percentile
		case has("min", "max", "minimum", "maximum", "worst", "best", "sum", "total", "lag"):
			h.role = ignored
		}
		take(statWords["mean"]...)
		take("ave", "median", "stddev", "durchschnittliche", "durchschnittlich", "time", "ø", "percentile", "pct", "pctl", "perc", "th", "transaction", "trans", "per", "query")
	case has("percentile", "quantile"):
		h.role = ignored
	default:
		h.otherRole(ws, has, take)
	}
	h.label = leftover(ws, h.text)
	if h.role != throughput && h.role != latency && h.role != percentile && h.role != stddev {
		h.countIn(ws)
	}
	return h
}

// noteWords head columns of notes in other languages.
var noteWords = map[string]bool{
	"anmerkung": true, "anmerkungen": true, "bemerkung": true, "kommentar": true, "hinweis": true, "remarque": true, "commentaire": true, "nota": true, "notas": true,
	"observación": true, "observações": true, "примечание": true, "комментарий": true, "备注": true, "说明": true, "備考": true, "비고": true,
}

// perOne are the things among which a throughput is divided.
var perOne = map[string]bool{
	"vu": true, "user": true, "client": true, "connection": true, "conn": true, "thread": true, "worker": true, "core": true, "cpu": true, "vcpu": true,
	"node": true, "pod": true, "watt": true, "dollar": true, "usd": true,
}

// settingLabel tells whether a heading is a server setting with its value, whatever the words in its name say: commit_delay = 0 is no
// latency. The label is written without blanks around the sign.
func settingLabel(text string) (label string, ok bool) {
	name, value, ok := strings.Cut(text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || value == "" || len(name) > 63 || strings.ContainsAny(name, " (") || !settings.Embedded().Has(settings.Embedded().Full(name)) {
		return "", false
	}
	return name + "=" + value, true
}

var statWords = map[string][]string{
	"mean": {"avg", "average", "mean", "hmean", "gmean", "durchschnitt", "mittelwert", "mittel", "mittlere", "mittlerer", "moyen", "moyenne", "medio", "media", "média", "médio", "médias", "promedio", "gemiddelde", "średnia", "średnie", "среднее", "средний", "средняя", "平均", "평균"}, "median": {"median", "med"}, "min": {"min", "minimum", "lowest", "worst"}, "max": {"max", "maximum", "peak", "best", "highest"},
}

// otherRole settles headings that name neither throughput nor latency.
func (h *heading) otherRole(ws []word, has func(...string) bool, take func(...string)) {
	low := strings.ToLower(h.text)
	rank := -1
	for i := range ws {
		w := &ws[i]
		if w.bracket && rank >= 0 {
			continue
		}
		r, ok := concurrencyWords[w.low]
		if !ok {
			for _, p := range concurrencyParts {
				if strings.Contains(w.low, p.part) {
					r, ok = p.rank, true
				}
			}
		}
		if ok {
			rank, w.taken = max(rank, r), true
		}
	}
	if rank >= 0 && has("concurrent", "parallel") {
		rank = 3
	}
	switch {
	case has("limit", "target") && has("rate", "tps"):
		h.role = limit
	case rank >= 0 && !has("max", "maximum", "idle", "error", "errors", "limit", "version", "os", "type", "host", "name", "cpu", "cpus", "vcpu", "vcpus", "id", "machine", "instance", "per", "pgbench_version", "server"):
		h.role, h.rank = clients, rank
		take("number", "of", "num", "no", "#", "n", "concurrent", "parallel", "db", "database", "count", "sysbench", "pgbench", "anzahl", "nombre", "de", "número", "numero", "total", "active", "simultaneous", "virtual")
	case has("workers", "worker", "processes", "procs", "load", "parallelism") && !has("time", "id"):
		h.role, h.rank = clients, 0
	case has("iops", "bandwidth", "iowait", "switches", "reads", "writes", "queries", "commits", "watts") || low == "cpu" || low == "memory" || low == "ram":
		h.role = ignored
	case has("jobs", "j"):
		h.role = threads
	case has("transactions", "xacts", "txns", "transaktionen", "processed"):
		h.role = transactions
	case has("scale", "sf", "scalefactor", "scaling", "skalierung", "масштаб"):
		h.role = scale
	case has("errors", "failed", "failures", "error", "num_errors", "numerrors", "fails", "aborts", "aborted", "fehler"):
		h.role = failed
	case has("run", "rep", "repeat", "iteration", "iter", "round", "repetition", "attempt", "trial", "runnumber", "lauf", "durchlauf", "прогон", "essai") && !has("time", "runtime") && !strings.HasPrefix(low, "runs"):
		h.role = repeat
	case has("duration", "runtime", "dauer", "durée", "duración", "длительность", "durations") || low == "total time" || low == "run time":
		h.role = duration
	case low == "t" || has("time", "elapsed", "timestamp", "date", "datetime", "epoch", "seconds", "sec", "start", "end", "zeit", "collected"):
		h.role = elapsed
	case low == "metric" || low == "measure" || low == "key" || low == "variable" || low == "metric_name" || low == "item" || low == "parameter" || low == "指标":
		h.role, h.names = metricName, true
	case low == "value" || low == "val" || low == "metric_value":
		h.role = metricValue
	case low == "id" || low == "#" || low == "no" || low == "no." || low == "nr" || low == "index" || low == "idx" || low == "note" || low == "range" || low == "notes" || low == "comment" || low == "comments" || low == "remark" || low == "remarks" || noteWords[low]:
		h.role = ignored
	default:
		for _, w := range ws {
			if seriesWords[w.low] || containsAny(w.low, seriesParts) {
				h.role, h.names = series, true
			}
		}
	}
}

// countIn reads the concurrency that a heading itself states: "c=64", "64 clients", "16".
func (h *heading) countIn(ws []word) {
	if n, ok := statedCount(h.text); ok {
		h.count, h.role, h.rank = n, clients, 3
		return
	}
	qs, words := scan(h.text, false)
	if len(qs) != 1 || !isDigits(strings.ReplaceAll(qs[0].lit, ",", "")) || qs[0].percent {
		if len(qs) == 0 && len(words) == 1 { // c64, 64c
			t := strings.ToLower(words[0])
			for _, p := range []string{"c", "clients", "conn", "threads", "thr", "client", "vu"} {
				if n, ok := strings.CutPrefix(t, p); ok && isDigits(n) && len(n) < 7 {
					h.count, _ = strconv.Atoi(n)
					h.role, h.rank = clients, 2
				}
			}
		}
		return
	}
	n, err := strconv.Atoi(strings.ReplaceAll(qs[0].lit, ",", ""))
	if err != nil || n < 0 || n > 1_000_000 {
		return
	}
	unit := strings.ToLower(qs[0].unit)
	_, named := concurrencyWords[unit]
	switch {
	case len(words) == 0 && (unit == "" || named):
		h.count = n
		if named {
			h.role, h.rank = clients, 3
		}
	case h.role == clients && strings.Trim(h.label, "0123456789,= :") == "":
		h.count = n
	}
}

// statedCount reads a heading of several names with their numbers, one of them the clients: "clients: 10, threads: 4".
func statedCount(text string) (clients int, ok bool) {
	ws := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \t:=,;/", r) })
	if len(ws) < 4 || len(ws)%2 != 0 {
		return 0, false
	}
	for i := 0; i < len(ws); i += 2 {
		n, err := strconv.Atoi(ws[i+1])
		rank, known := concurrencyWords[ws[i]]
		if err != nil || n < 0 || n > 1_000_000 || !known && ws[i] != "jobs" && ws[i] != "scale" {
			return 0, false
		}
		if rank >= 2 {
			clients, ok = n, true
		}
	}
	return clients, ok
}

// word of a heading.
type word struct {
	text, low string
	bracket   bool // stands in brackets
	suffix    bool // stands last, after an underscore or blank: a unit may stand there
	taken     bool
	at, end   int
}

// headingWords cuts a heading into words. Letters and digits make words; a slash joins ("txn/s"), an underscore cuts.
func headingWords(s string) []word {
	var ws []word
	depth := 0
	for i, n := 0, len(s); i < n; {
		r := rune(s[i])
		size := 1
		if r >= 0x80 {
			for _, q := range s[i:] {
				r = q
				break
			}
			size = len(string(r))
		}
		switch {
		case r == '(' || r == '[':
			depth++
		case r == ')' || r == ']':
			depth = max(0, depth-1)
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '#' || r == 'Ø':
			j := i
			for j < n {
				var q rune
				for _, q = range s[j:] {
					break
				}
				if !(unicode.IsLetter(q) || unicode.IsDigit(q) || q == '#' || q == 'Ø' || q == '/' && rateAfter(s[j+1:]) && isLetterByte(s[j-1]) || q == '.' && j+1 < n && digit(s[j+1]) && digit(s[j-1])) {
					break
				}
				j += len(string(q))
			}
			ws = append(ws, word{text: s[i:j], low: normal(s[i:j]), bracket: depth > 0, suffix: i > 0, at: i, end: j})
			i = j
			continue
		}
		i += size
	}
	ws = cutParts(ws)
	// "transactions per second" and the like are one word
	for i := 0; i+2 < len(ws); i++ {
		switch ws[i+1].low {
		case "per", "p", "pro", "je", "por", "par", "al", "в", "за", "na", "w":
			unit := map[string]string{"second": "/s", "sec": "/s", "s": "/s", "minute": "/min", "min": "/min", "sekunde": "/s", "seconde": "/s", "segundo": "/s", "secondo": "/s", "секунду": "/s", "sekundę": "/s", "minuto": "/min", "minuta": "/min", "минуту": "/min"}[ws[i+2].low]
			if t := ws[i].low + unit; unit != "" && throughputWords[t] != "" {
				ws[i].low, ws[i].end = t, ws[i+2].end
				ws = append(ws[:i+1], ws[i+3:]...)
			}
		}
	}
	for i := 0; i+1 < len(ws); i++ { // 초당 트랜잭션: per second, transactions
		if ws[i].low == "초당" && strings.HasPrefix(ws[i+1].low, "트랜잭션") {
			ws[i].low, ws[i+1].taken = "tps", true
		}
	}
	for i := 0; i+1 < len(ws); i++ { // "req / s", "trns p/s", "num clients"
		if ws[i+1].low == "p/s" {
			ws[i].low = "tps"
			ws[i+1].taken = true
		}
	}
	return ws
}

// cutParts sets apart what stands before the word for a measure where a script has no blanks: 单锁吞吐量 is the 吞吐量 of 单锁.
func cutParts(ws []word) []word {
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		if w.low == "" || w.low[0] < 0x80 || len(w.low) != len(w.text) {
			continue
		}
		for _, p := range slices.Concat(throughputParts, latencyParts) {
			if k := strings.Index(w.low, p); k > 0 {
				before, rest := w, w
				before.text, before.low, before.end, before.suffix = w.text[:k], w.low[:k], w.at+k, w.suffix
				rest.text, rest.low, rest.at, rest.suffix = w.text[k:], w.low[k:], w.at+k, true
				ws = slices.Insert(slices.Clone(ws), i+1, rest)
				ws[i] = before
				break
			}
		}
	}
	return ws
}

// rateAfter tells whether the word behind a slash is a unit of time: of "txn/s", not of "tps/lat".
func rateAfter(s string) bool {
	i := 0
	for i < len(s) && isLetterByte(s[i]) {
		i++
	}
	return i > 0 && timeUnit(s[:i]) >= 1e3
}

func isLetterByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// normal lower-cases a word and brings the spellings of rates together.
func normal(s string) string {
	s = strings.ToLower(s)
	if len(s) > 1 {
		s = strings.TrimLeft(s, "#") // the comment mark before the first heading
	}
	if i := strings.LastIndexByte(s, '/'); i > 0 {
		switch s[i+1:] {
		case "sec", "second", "seconds", "с", "сек", "sek", "sekunde", "seconde", "segundo", "secondo":
			s = s[:i] + "/s"
		case "minute":
			s = s[:i] + "/min"
		}
		switch s {
		case "transaction/s", "xact/s", "tr/s", "trx/s", "transacts/s":
			s = "transactions/s"
		case "query/s", "q/s":
			s = "queries/s"
		case "request/s", "reqs/s":
			s = "requests/s"
		case "op/s":
			s = "ops/s"
		case "event/s":
			s = "events/s"
		case "txn/min", "txns/min", "tx/min", "transaction/min":
			s = "transactions/min"
		}
	}
	return s
}

func containsAny(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// percentileOf reads p99, p99.9, 95th, 99%, 99pct.
func percentileOf(w string) (string, bool) {
	n := w
	switch {
	case strings.HasPrefix(w, "p") && len(w) > 1:
		n = w[1:]
	case strings.HasSuffix(w, "th"):
		n = w[:len(w)-2]
	case strings.HasSuffix(w, "pct"):
		n = w[:len(w)-3]
	case strings.HasSuffix(w, "tile"):
		return "", false
	default:
		return "", false
	}
	v, err := strconv.ParseFloat(n, 64)
	if err != nil || !digit(n[0]) {
		return "", false
	}
	if v == 999 || v == 9999 { // p999
		for v > 100 {
			v /= 10
		}
	}
	if v <= 0 || v >= 100 {
		return "", false
	}
	return strconv.FormatFloat(v, 'g', -1, 64), true
}

// leftover is the heading without the words that were taken: the name of a series, if there is one.
func leftover(ws []word, text string) string {
	all := true
	for _, w := range ws {
		if w.taken {
			all = false
		}
	}
	if all {
		return text
	}
	var b strings.Builder
	last := 0
	for _, w := range ws {
		if !w.taken {
			continue
		}
		b.WriteString(text[last:w.at])
		last = w.end
	}
	b.WriteString(text[last:])
	s := b.String()
	for _, empty := range []string{"()", "( )", "[]", "[ ]", "(/)", "(,)", "( , )", "(  )"} {
		s = strings.ReplaceAll(s, empty, " ")
	}
	s = strings.Join(strings.Fields(s), " ")
	s = strings.Trim(s, " ,;:/|_-–—=.·±%")
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") && strings.Count(s, "(") == 1 {
		s = strings.Trim(s[1:len(s)-1], " ,;:/|_-")
	}
	if strings.Count(s, "(") != strings.Count(s, ")") {
		s = strings.Trim(s, "() ,")
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return "" // a pictogram
	}
	return s
}
