package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgknee/analysis"
	"pgknee/analysis/report"
)

// kinds are inputs as people have them, each of a kind that was read wrongly once, with what a person reads in it: a line for each
// series with its points, in the order of the report, then the flags and settings that matter.
var kinds = []struct{ name, text, want string }{
	{"progress amid the summary.txt", `progress: 5.0 s, 999.0 tps, lat 3.9 ms stddev 1.0
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 10
number of clients: 8
number of threads: 8
duration: 10 s
number of transactions actually processed: 10000
progress: 10.0 s, 1001.0 tps, lat 3.9 ms stddev 1.0
latency average = 3.8 ms
tps = 1000.4 (without initial connection time)
`, "progress amid the summary: 8=1000.4\nintervals 2"},
	{"progress behind the summary.txt", `transaction type: <builtin: select only>
scaling factor: 10
number of clients: 8
number of threads: 8
duration: 10 s
number of transactions actually processed: 10000
tps = 1000.4 (without initial connection time)
STDERR
progress: 5.0 s, 999.0 tps, lat 3.9 ms stddev 1.0
progress: 10.0 s, 1001.0 tps, lat 3.9 ms stddev 1.0
`, "progress behind the summary: 8=1000.4\nintervals 2"},
	{"banner.txt", `pgbench (14.5, serveur 13.2)
transaction type: <builtin: select only>
number of clients: 8
duration: 60 s
number of transactions actually processed: 60000
latency average = 8,000 ms
tps = 1000,123456 (without initial connection time)
`, "banner: 8=1000.123456\nserver 13.2"},
	{"grouped by hand.txt", `number of clients: 8
number of transactions actually processed: 1,200,000
latency average = 0.4 ms
tps = 20,123 (without initial connection time)
`, "grouped by hand: 8=20123\ntransactions 1200000"},
	{"loop.txt", `clients: 1
tps = 9725.4 (excluding connections establishing)
clients: 8
tps = 62725.4 (excluding connections establishing)
`, "loop: 1=9725.4 8=62725.4"},
	{"commands.txt", `master:
$ pgbench -n -S -c64 -j8   =>  tps = 52725.47
patched:
$ pgbench -n -S -c64 -j8   =>  tps = 55725.47
`, "master: 64=52725.47\npatched: 64=55725.47"},
	{
		"page.html", "<html><body><h2>PG 14</h2><pre>transaction type: &lt;builtin: select only&gt;\nnumber of clients: 10\nnumber of transactions actually processed: 12\ntps = 20000.1 (without initial connection time)\n" +
			"</pre><h2>PG 15</h2><pre>transaction type: &lt;builtin: select only&gt;\nnumber of clients: 10\nnumber of transactions actually processed: 13\ntps = 21000.1 (without initial connection time)\n</pre></body></html>",
		"PG 14: 10=20000.1\nPG 15: 10=21000.1",
	},
	{
		"conditions.md", "# Test 1\n```\nnumber of clients: 50\nnumber of transactions actually processed: 12\ntps = 406.2 (without initial connection time)\n```\n# Test 2\nWe gave it more memory.\n#### Result: tps = 537.8 (+32%)\n```\nmax_connections = 20\nshared_buffers = 512MB\n```\n" +
			"```\nnumber of clients: 50\nnumber of transactions actually processed: 13\ntps = 537.8 (without initial connection time)\n```\n",
		"Test 1: 50=406.2\nTest 2: 50=537.8\nmax_connections=20 shared_buffers=512MB",
	},
	{
		"sysbench.md", "# PG 15\n```\nsysbench 1.0.20 (using LuaJIT)\nNumber of threads: 16\nSQL statistics:\n    transactions:                        24373  (812.44 per sec.)\n```\n# PG 16\n```\nsysbench 1.0.20 (using LuaJIT)\nNumber of threads: 16\nSQL statistics:\n    transactions:                        27373  (912.44 per sec.)\n```\n",
		"PG 15: 16=812.44\nPG 16: 16=912.44",
	},
	{
		"job.json", `{"65A0": [["0", "Ready"], ["1", "8 Active Virtual Users configured"], ["1", "TEST RESULT : System achieved 120000 NOPM from 276000 PostgreSQL TPM"]]}`,
		"job: 8=2000",
	},
	{"old.log", "Vuser 1:4 Virtual Users configured\nVuser 1:TEST RESULT : System achieved 276000 PostgreSQL TPM at 120000 NOPM\n", "old: 4=2000"},
	{"versions.csv", "version,1,4,16\n15,1200,4300,9000\n16,1250,4400,9100\n", "15: 1=1200 4=4300 16=9000\n16: 1=1250 4=4400 16=9100"},
	{"counts.csv", "version,1 client,4 clients\n15,1200,4300\n16,1250,4400\n", "15: 1=1200 4=4300\n16: 1=1250 4=4400"},
	{"repeats.csv", "version,1,2,3\n15,1200,4300,9000\n16,1250,4400,9100\n", ""},
	{"ranges.md", "| Clients | TPS |\n|---|---|\n| 16 | 1,200-1,300 |\n| 32 | ~2200 – 2350 |\n", "ranges: 16=1250 32=2275"},
	{
		"two heads.md", "| Clients | master | | patched | |\n|---|---|---|---|---|\n| | tps | lat (ms) | tps | lat (ms) |\n| 1 | 1000 | 1.0 | 1010 | 0.99 |\n| 8 | 7000 | 1.1 | 7100 | 1.05 |\n",
		"master: 1=1000 8=7000\npatched: 1=1010 8=7100",
	},
	{"pairs.txt", "c=1    tps = 1204.5\nc=8    tps = 8810.2\n", "pairs: 1=1204.5 8=8810.2"},
	{"lists.md", "master:\n- 1 client: 1204 TPS\n- 8 clients: 8810 TPS\n\npatched:\n- 1 client: 1304 TPS\n- 8 clients: 9810 TPS\n", "master: 1=1204 8=8810\npatched: 1=1304 8=9810"},
	{"open.json", `[{"clients":1,"tps":1204.5},{"clients":8,"tps":8810.2},{"clients":32,"tp`, "open: 1=1204.5 8=8810.2"},
	{"columns.json", `{"master":{"clients":[1,8],"tps":[100,700]},"patched":{"clients":[1,8],"tps":[110,710]}}`, "master: 1=100 8=700\npatched: 1=110 8=710"},
	{"names.json", `{"pg15":{"8":{"tps":1204},"16":{"tps":2204}},"pg16":{"8":{"tps":1304},"16":{"tps":2304}}}`, "pg15: 8=1204 16=2204\npg16: 8=1304 16=2304"},
	{"years.json", `{"2019":{"sales":12},"2020":{"sales":14}}`, ""},
	{"万.md", "| 并发 | 吞吐量(万tps) |\n|---|---|\n| 16 | 1.2 |\n| 32 | 2.2 |\n", "万: 16=12000 32=22000"},
	{"points.md", "| clients | tps | lat média (ms) |\n|---|---|---|\n| 1 | 1.436 | 0.70 |\n| 4 | 5.082 | 0.79 |\n| 16 | 10.088 | 1.59 |\n", "points: 1=1436 4=5082 16=10088"},
	{"shares.md", "| SKU | VU | NOPM | NOPM/VU |\n|---|---|---|---|\n| E16 | 4 | 268,403 | 67100.8 |\n| F16 | 4 | 269,496 | 67374.0 |\n", "E16: 4=268403\nF16: 4=269496"},
	{
		"design.csv", "build,split,round,clients,tps\nbase,32,1,8,1204.5\nopt,32,1,8,1304.5\nbase,1024,1,8,2204.5\nopt,1024,1,8,2304.5\n",
		"base, split=32: 8=1204.5\nopt, split=32: 8=1304.5\nbase, split=1024: 8=2204.5\nopt, split=1024: 8=2304.5",
	},
	{"seconds.csv", "Time (seconds),Throughput (requests/second)\n0,401\n5,411\n10,421\n15,411\n20,401\n", "\nclients-unknown\nintervals 5"},
	{"workers.csv", "Transaction Name,Start Time (microseconds),Latency (microseconds),Worker Id (start number)\nNewOrder,1700000000.12,4512,1\nPayment,1700000000.22,2512,2\n", ""},
	{"introduced.md", "Three timed runs with 8 virtual users, two minutes each:\n\n| Run | NOPM | Backup |\n|---|---|---|\n| A | 13,470 | none |\n| B | 8,856 | all the time |\n", "A: 8=13470\nB: 8=8856"},
	{"sentence.md", "A box with 32 cores. shared_buffers = 32GB, max_connections = 1000 and huge pages.\n\n| clients | tps |\n|---|---|\n| 1 | 1204 |\n| 8 | 8810 |\n", "sentence: 1=1204 8=8810\nmax_connections=1000 shared_buffers=32GB"},
	{"version.txt", "select version();\n PostgreSQL 16.1 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit\n", "server_version=16.1"},
	{"sar.txt", "10:00:01          DEV       tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     %util\n10:10:01      nvme0n1    120.10      1.00    511.10      4.00      0.01      0.50      5.10\n10:20:01      nvme0n1    130.10      1.00    512.10      4.00      0.01      0.50      5.20\n", ""},
	{"吞吐.md", "| 并发数 | 单锁吞吐量 | 分片锁吞吐量 | 加速比 |\n|---|---|---|---|\n| 10 | 418万/s | 783万/s | **1.87x** |\n| 50 | 311万/s | 1323万/s | **4.26x** |\n", "单锁: 10=4.18e+06 50=3.11e+06\n分片锁: 10=7.83e+06 50=1.323e+07"},
	{"sizes.md", "| 文件大小 | 并发数 | 速度 |\n|---|---|---|\n| 100 MB | 4 | 45 MB/s |\n| 10 GB | 8 | 120 MB/s |\n", ""},
	{"tokens.md", "| Concurrency | TPS (tokens/s) | TTFT (ms) |\n|---|---|---|\n| 1 | 52.1 | 120 |\n| 8 | 302.1 | 180 |\n", ""},
	{"options.md", "| Name | Type | Default | Description |\n|---|---|---|---|\n| clients | int | 10 | Number of clients |\n| tps | float | 100 | Target |\n", ""},
	{"explained.md", "number of clients: 8\nnumber of transactions actually processed: 12\ntps = 606.5 (without initial connection time)\n\n| Field | Meaning |\n|---|---|\n| transaction type | the test |\n| number of clients | 8 - how many |\n", "explained: 8=606.5"},
	{"scales.txt", "scale 100\n 1 clients:  9725.4 tps\n 8 clients: 62725.4 tps\nscale 1000\n 1 clients:  8725.4 tps\n 8 clients: 52725.4 tps\n", "scale 100: 1=9725.4 8=62725.4\nscale 1000: 1=8725.4 8=52725.4"},
	{"notiz.csv", "\"Anzahl Clients\";\"TPS (Durchschnitt)\";\"Anmerkung\"\n1;\"1.204,50\";\"\"\n8;\"8.810,20\";\"gut\"\n32;\"20.110,40\";\"\"\n", "notiz: 1=1204.5 8=8810.2 32=20110.4"},
	{"sizes.csv", "shared_buffers,tps\n1GB,1000\n8GB,7000\n", "shared_buffers=1GB\nclients-unknown\nshared_buffers=8GB\nclients-unknown"},
	{"prices.md", "| Team | Users | Seats | Price |\n|---|---|---|---|\n| A | 10 | 12 | 250 |\n| B | 50 | 60 | 1000 |\n| C | 100 | 120 | 1900 |\n", ""},
	{"plan.md", "| 負荷 | 同時接続数 | 継続時間 |\n|---|---|---|\n| 基準 | 10 | 10分 |\n| ピーク | 50 | 5分 |\n", ""},
	{"matrix.txt", "1.0 2.0 3.0\n4.0 5.0 6.0\n7.0 8.0 9.0\n", ""},
	{"people.csv", "name,age,users,score\nAnna,34,12,88.5\nBert,45,3,91.25\nCara,29,40,77.0\n", ""},
}

func TestKinds(t *testing.T) {
	for _, k := range kinds {
		s := analysis.New(analysis.Options{})
		in := s.Open(k.name)
		in.Write([]byte(k.text))
		in.Close()
		if got := inWords(s.Curves()); got != k.want {
			t.Errorf("%s:\n%s\nwant:\n%s", k.name, got, k.want)
		}
	}
}

func inWords(r *report.Report) string {
	var lines []string
	for _, s := range r.Series {
		line := s.Label + ":"
		for _, p := range s.Points {
			line += fmt.Sprintf(" %d=%v", p.Clients, p.TPS)
		}
		lines = append(lines, line)
	}
	for _, run := range r.Runs {
		if run.Clients == nil && run.TPS != nil {
			lines = append(lines, run.Series, "clients-unknown")
		}
		if run.Intervals > 0 {
			lines = append(lines, fmt.Sprintf("intervals %d", run.Intervals))
		}
		if run.ServerVersion != run.Version {
			lines = append(lines, "server "+run.ServerVersion)
		}
		if run.Transactions != nil && *run.Transactions > 1e6 {
			lines = append(lines, fmt.Sprintf("transactions %d", *run.Transactions))
		}
	}
	for _, s := range r.Settings {
		var said []string
		for name, v := range s.Values {
			said = append(said, name+"="+v.Text)
		}
		slices.Sort(said)
		lines = append(lines, strings.Join(said, " "))
	}
	return strings.Join(lines, "\n")
}

// TestCopies: a folder of old files beside the files, some whole and some cut, is no series of its own; nor are names in other letters.
func TestCopies(t *testing.T) {
	run := func(clients int) string {
		return fmt.Sprintf("number of clients: %d\nnumber of transactions actually processed: %d\nlatency average = 1.234 ms\ntps = %d.512345 (without initial connection time)\n", clients, 1000*clients, 100*clients)
	}
	s := analysis.New(analysis.Options{})
	for _, f := range [][2]string{
		{"res/old/c1.txt", run(1)}, {"res/old/c8.txt", run(8) + "\nnote\n"}, {"res/c1.txt", run(1)}, {"res/c8.txt", run(8)}, {"res/c16.txt", run(16)},
	} {
		in := s.Open(f[0])
		in.Write([]byte(f[1]))
		in.Close()
	}
	r := s.Curves()
	if got := inWords(r); got != "res: 1=100.512345 8=800.512345 16=1600.512345" {
		t.Error(got)
	}
	for _, f := range r.Files {
		if copied := strings.Contains(f.Name, "old"); (f.Runs == 0) != copied || len(f.Problems) > 0 != copied {
			t.Errorf("%+v", f)
		}
	}
	s = analysis.New(analysis.Options{})
	for _, text := range []string{"clients,Master TPS\n1,100\n8,700\n", "clients,tps master\n1,102\n8,702\n"} {
		in := s.Open("pasted")
		in.Write([]byte(text))
		in.Close()
	}
	if got := inWords(s.Curves()); got != "Master: 1=101 8=701" {
		t.Error(got)
	}
}

// TestAsked: what is not known is asked, with the readings that come to mind; an answer is taken even where nothing was recognised.
func TestAsked(t *testing.T) {
	for text, want := range map[string]string{
		"n,master,patched\n1,1000,1010\n8,7000,7100\n64,20000,20100\n": "clients,tps,tps",
		"count,value\n1,1000\n8,7000\n64,20000\n":                      "clients,tps",
		"x;y;z\n1;10;100\n2;20;200\n4;40;390\n":                        "clients,-,tps",
	} {
		s := analysis.New(analysis.Options{})
		in := s.Open("x.csv")
		in.Write([]byte(text))
		in.Close()
		r := s.Curves()
		if len(r.Runs) > 0 || len(r.Files[0].Questions) != 1 || r.Files[0].Questions[0].Candidates[0] != want {
			t.Errorf("%s: %+v, want %s", text, r.Files[0], want)
		}
		s = analysis.New(analysis.Options{Columns: map[string]string{"": want}})
		in = s.Open("x.csv")
		in.Write([]byte(text))
		in.Close()
		if r := s.Curves(); len(r.Runs) < 3 || len(r.Files[0].Questions) > 0 {
			t.Errorf("%s answered: %+v", text, r.Files[0])
		}
	}
}
