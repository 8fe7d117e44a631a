package export

import "testing"

// TestCSVIsTheSame holds the writer of the engine to the one of the command line.
func TestCSVIsTheSame(t *testing.T) {
	rows := []row{
		{Series: "a", Clients: "64", TPS: "1234.5", File: "x.txt", Line: "1"},
		{Series: `quoted "b", with a comma`, Script: "two\nlines", Attributes: "k=v w=ü", Line: "2"},
		{},
	}
	for n := range len(rows) + 1 {
		if got, want := marshalPlain(rows[:n]), marshal(rows[:n]); got != want {
			t.Errorf("%d rows: encoding/csv writes\n%s\ngocsv writes\n%s", n, got, want)
		}
	}
}
