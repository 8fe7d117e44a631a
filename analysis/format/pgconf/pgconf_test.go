package pgconf

import (
	"strings"
	"testing"

	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
	"pgknee/analysis/settings"
	"pgknee/analysis/source"
)

const conf = `# a comment = 5
shared_buffers = '12GB'	# set for the test
work_mem=64MB
Synchronous_Commit = OFF
max_wal_size '32GB'
max_connections = 300
max_connections = 400   # the last one wins
include_if_exists 'extra.conf'
checkpoint_timeout = 15min
huge_pages = 	off			# on, off, or try
pg_stat_statements.track_planning = on
log_line_prefix = '%m [%p] # not a comment '
listen_addresses = 'it''s\'so'
`

func read(t *testing.T, f *format.Format, text string) (map[string]settings.Value, *format.Context) {
	t.Helper()
	formattest.Check(t, f, "f", []byte(text))
	ctx := formattest.Read(f, "f", format.Options{}, []byte(text))
	if len(ctx.Settings) != 1 {
		t.Fatalf("%d lists of settings in\n%s", len(ctx.Settings), text)
	}
	return ctx.Settings[0].Values, ctx
}

func TestConf(t *testing.T) {
	values, ctx := read(t, Conf, conf)
	for name, want := range map[string]string{
		"shared_buffers": "1572864", "work_mem": "65536", "synchronous_commit": "off", "max_wal_size": "32768", "max_connections": "400", "checkpoint_timeout": "900",
		"huge_pages": "off", "pg_stat_statements.track_planning": "on", "log_line_prefix": "%m [%p] # not a comment ", "listen_addresses": "it's'so",
	} {
		if got := values[name].Value; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if len(values) != 10 || len(ctx.Problems) != 1 || ctx.Problems[0].At.Line != 8 {
		t.Errorf("%d settings, %v", len(values), ctx.Problems)
	}
}

func TestBrokenConf(t *testing.T) {
	for _, test := range []struct {
		line   string
		column int
		set    bool
	}{
		{"shared_buffers =", 17, false},
		{"shared_buffers = '1GB", 18, false},
		{"shared_buffers = 1GB and more", 22, true},
		{"*** hm", 1, false},
	} {
		ctx := formattest.Read(Conf, "f", format.Options{}, []byte("jit = off\n"+test.line+"\n"))
		_, set := ctx.Settings[0].Values["shared_buffers"]
		if len(ctx.Problems) != 1 || ctx.Problems[0].At.Line != 2 || ctx.Problems[0].At.Column != test.column || set != test.set {
			t.Errorf("%q: %v", test.line, ctx.Problems)
		}
	}
	ctx := formattest.Read(Conf, "f", format.Options{}, []byte("#jit = on\n"))
	if len(ctx.Settings) != 0 || len(ctx.Problems) != 1 {
		t.Errorf("only comments: %v", ctx.Problems)
	}
}

// TestView reads the same settings in all shapes.
func TestView(t *testing.T) {
	for name, text := range map[string]string{
		"aligned": `          name          | setting | unit |  short_desc
------------------------+---------+------+---------------
 checkpoint_timeout     | 300     | s    | Sets the time.
 log_line_prefix        | %m |    |      |
 shared_buffers         | 131072  | 8kB  | Sets the      +
                        |         |      | number.
 synchronous_commit     | on      |      | Sets it.
(4 rows)
`,
		"unaligned":            "name|setting|unit\ncheckpoint_timeout|300|s\nshared_buffers|131072|8kB\nsynchronous_commit|on|\n(3 rows)\n",
		"tuples only":          "checkpoint_timeout|300|s\nshared_buffers|131072|8kB\nsynchronous_commit|on|\n",
		"CSV":                  "name,setting,unit,boot_val\ncheckpoint_timeout,300,s,300\nshared_buffers,131072,8kB,16384\nsynchronous_commit,on,,on\nsearch_path,\"\"\"$user\"\", public\",,x\n",
		"CSV without a header": "checkpoint_timeout,300,s,300,default\nshared_buffers,131072,8kB,16384,x\nsynchronous_commit,on,,on,default\nsearch_path,\"$user\", public,,x,default\n",
		"tabs":                 "name\tsetting\tunit\ncheckpoint_timeout\t300\ts\nshared_buffers\t131072\t8kB\nsynchronous_commit\ton\t\n",
		"SHOW ALL":             " name | setting | description\n------+---------+-----\n checkpoint_timeout | 5min | Sets\n shared_buffers | 1GB | Sets\n synchronous_commit | on | x\n(3 rows)\n",
		"SHOW one by one":      " checkpoint_timeout \n-----\n 5min\n(1 row)\n\n shared_buffers \n----------------\n 1GB\n(1 row)\n\n synchronous_commit \n---\n on\n(1 row)\n",
		"a session":            "postgres=# show checkpoint_timeout;\n checkpoint_timeout \n-----\n 5min\n(1 row)\n\npostgres=# SHOW shared_buffers;\n shared_buffers \n----\n 1GB\n(1 row)\n\npostgres=# show synchronous_commit;\n synchronous_commit \n----\n on\n(1 row)\n",
		"expanded":             "-[ RECORD 1 ]---\nname    | checkpoint_timeout\nsetting | 300\nunit    | s\n-[ RECORD 2 ]---\nname    | shared_buffers\nsetting | 131072\nunit    | 8kB\n-[ RECORD 3 ]---\nname    | synchronous_commit\nsetting | on\nunit    | \n",
		"expanded SHOW":        "-[ RECORD 1 ]------+-----\ncheckpoint_timeout | 5min\n\n-[ RECORD 1 ]--+----\nshared_buffers | 1GB\n\n-[ RECORD 1 ]------+---\nsynchronous_commit | on\n",
		"expanded, unaligned":  "name|checkpoint_timeout\nsetting|300\nunit|s\n\nname|shared_buffers\nsetting|131072\nunit|8kB\n\nname|synchronous_commit\nsetting|on\nunit|\n",
		"drawn with lines":     "┌────────┬─────────┬──────┐\n│  name  │ setting │ unit │\n├────────┼─────────┼──────┤\n│ checkpoint_timeout │ 300 │ s │\n│ shared_buffers │ 131072 │ 8kB │\n│ synchronous_commit │ on │ │\n└────────┴─────────┴──────┘\n(3 rows)\n",
		"Markdown":             "| name | setting |\n|:---|---:|\n| `checkpoint_timeout` | 5min |\n| **shared_buffers** | 1GB |\n| `synchronous_commit` | on |\n",
		"JSON":                 `[{"name":"checkpoint_timeout","setting":"300","unit":"s","source":"default"},{"unit":"8kB","setting":"131072","name":"shared_buffers"},{"name":"synchronous_commit","setting":"on","unit":null}]`,
		"JSON, row by row":     "{\"name\" : \"checkpoint_timeout\", \"setting\" : \"300\", \"unit\" : \"s\"}\n{\"name\" : \"shared_buffers\", \"setting\" : \"131072\", \"unit\" : \"8kB\"}\n{\"name\" : \"synchronous_commit\", \"setting\" : \"on\"}\n",
		"JSON by psql":         "---------\n [{\"name\":\"checkpoint_timeout\",\"setting\":\"300\",\"unit\":\"s\"}, +\n  {\"name\":\"shared_buffers\",\"setting\":\"131072\",\"unit\":\"8kB\"}, +\n  {\"name\":\"synchronous_commit\",\"setting\":\"on\",\"unit\":null}]\n(1 row)\n",
		"an object":            "{\n  \"checkpoint_timeout\": \"5min\",\n  \"shared_buffers\": \"1GB\",\n  \"synchronous_commit\": \"on\"\n}\n",
		"an object of objects": `{"checkpoint_timeout": {"setting": 300, "unit": "s"}, "shared_buffers": {"setting": "131072", "unit": "8kB"}, "synchronous_commit": {"setting": "on"}}`,
		"a cloud's console":    `{"Parameters": [{"ParameterName": "checkpoint_timeout", "ParameterValue": "300"}, {"ParameterName": "shared_buffers", "ParameterValue": "131072"}, {"ParameterName": "synchronous_commit", "ParameterValue": "on"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			values, ctx := read(t, View, text)
			for setting, want := range map[string]settings.Value{
				"checkpoint_timeout": {Value: "300", Unit: "s", Text: "5min"},
				"shared_buffers":     {Value: "131072", Unit: "8kB", Text: "1GB"},
				"synchronous_commit": {Value: "on", Text: "on"},
			} {
				if got := values[setting]; got != want {
					t.Errorf("%s is %+v, want %+v", setting, got, want)
				}
			}
			if ctx.Skipped != 0 || len(ctx.Problems) != 0 {
				t.Errorf("%d lines skipped, %v", ctx.Skipped, ctx.Problems)
			}
		})
	}
}

func TestSniff(t *testing.T) {
	for _, test := range []struct {
		name, text string
		conf, view format.Confidence
	}{
		{"a configuration", conf, format.Sure, format.No},
		{"one line", "shared_buffers = 1GB\n", format.Likely, format.No},
		{"all commented out", strings.Repeat("#work_mem = 4MB\n", 6), format.Likely, format.No},
		{"an ini file", "[databases]\nmax_client_conn = 100\nport_x = 1\n", format.No, format.No},
		{"a mail", "Hello,\nI have set\nmax_connections = 10000\nshared_buffers 128MB\nand it is slow.\nWhy is that so?\nRegards\n", format.No, format.No},
		{"a table of runs", "clients,tps\n1,100\n2,200\n", format.No, format.No},
		{"a table with name and value", "name,value\nalpha,1\nbeta,2\n", format.No, format.No},
		{"settings beside something else", `{"server": "x", "at": "today", "settings": [{"name": "jit", "value": "off"}, {"name": "work_mem", "value": "65536", "unit": "kB"}, {"name": "fsync", "value": "on"}]}`, format.No, format.Likely},
		{"results with a setting or two", `{"clients": 8, "tps": 1234.5, "latency": 6.4, "shared_buffers": "8GB", "jit": "off"}`, format.No, format.No},
		{"rows of pg_settings", "jit|off|\nshared_buffers|16384|8kB\n", format.No, format.Sure},
	} {
		if c, v := Conf.Sniff("", []byte(test.text)), View.Sniff("", []byte(test.text)); c != test.conf || v != test.view {
			t.Errorf("%s: %v and %v, want %v and %v", test.name, c, v, test.conf, test.view)
		}
	}
}

func TestProse(t *testing.T) {
	for line, want := range map[string]string{
		"max_connections = 10000":                                       "max_connections 10000",
		"shared_buffers 128MB":                                          "shared_buffers 128MB",
		"- work_mem: 64 MB,":                                            "work_mem 64MB",
		"* `effective_cache_size` = 48GB":                               "effective_cache_size 48GB",
		"SET jit TO off;":                                               "jit off",
		"ALTER SYSTEM SET max_wal_size = '20GB';":                       "max_wal_size 20GB",
		"synchronous_commit off":                                        "synchronous_commit off",
		"shared_preload_libraries = 'pg_stat_statements, auto_explain'": "shared_preload_libraries pg_stat_statements, auto_explain",
		"checkpoint_timeout = 30min # long":                             "checkpoint_timeout 30min",
		"autovacuum was slow":                                           "",
		"fsync off is dangerous":                                        "",
		"jit = off: 500 tps":                                            "",
		"application_name foo":                                          "",
		"clients = 8":                                                   "",
		"work_mem":                                                      "",
		"":                                                              "",
	} {
		got := ""
		if s, ok := prose([]byte(line)); ok {
			got = s.Name + " " + s.Text
		}
		if got != want {
			t.Errorf("%q states %q, want %q", line, got, want)
		}
	}
}

func TestOptions(t *testing.T) {
	const both = "shared_buffers 8GB, jit off"
	for line, want := range map[string]string{
		"postgres -D /data -c shared_buffers=8GB -c jit=off":                     both,
		"$ pg_ctl -D d -o '-c shared_buffers=8GB --jit=off' restart":             both,
		"docker run -d --name pg postgres:17 -c 'shared_buffers = 8GB' -c jit=0": "shared_buffers 8GB, jit 0",
		`command: ["postgres", "-c", "shared_buffers=8GB", "-c", "jit=off"]`:     both,
		`psql -c "ALTER SYSTEM SET shared_buffers = '8GB';" -c "set jit = off"`:  both,
		"shared_buffers = 8GB, jit = off":                                        both,
		"postgres=# alter system set jit = off;":                                 "jit off",
		"pgbench -c 8 -j 4 --client=8":                                           "",
		"tar -c x=y --jitter=off":                                                "",
	} {
		var got []string
		for _, s := range Line([]byte(line)) {
			got = append(got, s.Name+" "+s.Text)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestBlock(t *testing.T) {
	text := strings.Split("max_connections = 10000\nshared_preload_libraries = 'pg_stat_statements'\nshared_buffers 128MB\nReference:\n\n work_mem \n----------\n 64MB\n(1 row)\n\njit = off\nSo it is.", "\n")
	var lines []source.Line
	for i, s := range text {
		lines = append(lines, source.Line{Text: []byte(s), No: i + 1})
	}
	ctx := &format.Context{File: "mail"}
	for i := 0; i < len(lines); {
		n := Block.Claims(lines[i:])
		if want := map[int]int{0: 3, 5: 4}[i]; n != want {
			t.Errorf("%d lines are claimed at %q, want %d", n, lines[i].Text, want)
		}
		if n > 0 {
			Block.Read(ctx, format.Passage{Heading: "v12", Lines: lines[i : i+n]})
		}
		i += max(n, 1)
	}
	if len(ctx.Settings) != 1 || len(ctx.Settings[0].Values) != 4 || ctx.Settings[0].Label != "v12" || ctx.Settings[0].Values["work_mem"].Text != "64MB" {
		t.Errorf("%+v", ctx.Settings)
	}
}

func FuzzConf(f *testing.F) {
	f.Add([]byte(conf))
	f.Add([]byte("a = '\\'\nb='''\nc = 1e999\ninclude '\n.x = 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, Conf, data) })
}

func FuzzView(f *testing.F) {
	f.Add([]byte("name,setting,unit\nshared_buffers,\"1\"\"\",8kB\n"))
	f.Add([]byte("-[ RECORD 1 ]\nname | jit\n jit \n---\n on\n(1 row)\n"))
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, View, data) })
}

func BenchmarkView(b *testing.B) {
	data := []byte("name|setting|unit\n" + strings.Repeat("shared_buffers|131072|8kB\n", 350))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if View.Sniff("", data) != format.Sure {
			b.Fatal("not recognised")
		}
	}
}
