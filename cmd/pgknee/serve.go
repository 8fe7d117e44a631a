package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"time"

	"pgknee/cmd/edge/api"
	"pgknee/site"
	"pgknee/site/artist"
)

// serve is the command serve: the built page on this machine, with what the edge worker answers beside it.
func serve(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("pgknee serve", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8080", "`address` to listen on")
	open := flags.Bool("open", false, "open the page in a browser")
	quiet(flags, "usage: pgknee serve [flags]\n\nServes the page on this machine until Ctrl-C.\n\n", stderr)
	switch err := parseFlags(flags, args, stderr); {
	case errors.Is(err, flag.ErrHelp):
		return exitRead
	case err != nil:
		return exitUsage
	case flags.NArg() > 0:
		fmt.Fprintf(stderr, "pgknee serve: takes no inputs, such as %q: drop them on the page\n", flags.Arg(0))
		return exitUsage
	}
	if _, err := fs.Stat(site.Built(), "index.html"); err != nil {
		fmt.Fprintln(stderr, "pgknee serve: this pgknee was compiled before the page was built: run ./build.sh build")
		return exitUnread
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		fmt.Fprintln(stderr, "pgknee serve:", err)
		return exitUnread
	}
	url := "http://" + l.Addr().String() + "/"
	fmt.Fprintf(stdout, "pgknee is at %s (Ctrl-C ends it)\n", url)
	if *open {
		show(url)
	}
	mux := http.NewServeMux()
	mux.Handle("/", site.Handler())
	answers := api.New(artist.Draw, api.Default)
	for _, path := range []string{"/api/", "/chart/", "/embed/"} {
		mux.Handle(path, answers)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, MaxHeaderBytes: 32 << 10}
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		fmt.Fprintln(stderr, "pgknee serve:", err)
		return exitUnread
	}
	return exitRead
}

// show opens an address in the system's browser; where there is none, the printed address has to do.
func show(url string) {
	name := "xdg-open"
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name = "explorer"
	}
	_ = exec.Command(name, url).Start()
}
