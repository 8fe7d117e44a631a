package document

import "testing"

func TestCores(t *testing.T) {
	for text, want := range map[string]string{
		"a machine with 2 x 8 cores":                         "16",
		"2x8 cores, 64 GB":                                   "16",
		"2 × 8 physical cores":                               "16",
		"Server: 2 sockets x 24 cores x 2 threads, 512 GB":   "96",
		"2 sockets * 24 cores * 2 threads":                   "96",
		"2 sockets with 24 cores each":                       "48",
		"2 sockets, 24 cores per socket, 2 threads per core": "96",
		"4 CPUs with 16 cores each":                          "64",
		"16 cores, 2 threads per core":                       "32",
		"16 cores, 32 threads":                               "16",
		"16 vCPUs, 64 GB":                                    "16",
		"I have 3 x 8 vCPU machines":                         "8",
		"scale 100, 2 clients, 8 cores":                      "8",
		"8 cores x":                                          "8",
		"2 x":                                                "",
		"version 17 on 2 sockets":                            "",
		"the client machine has 64 cores":                    "",
		"3 runs x 60 s on 8 cores":                           "8",
		"RAID of 2 x 960 GB, 8 cores, 2 x 10 GbE":            "8",
	} {
		f := facts{values: map[string][]string{}}
		f.line(text, 1)
		if got, _ := f.one(factCores); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
